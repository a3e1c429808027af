"""Importing: tensortap works without TensorFlow; tap.keras says in one sentence what it needs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import tensortap as tap

REST_WORKS = """
    import sys, tensortap as tap
    assert "tensorflow" not in sys.modules
    with tap.Run(sys.argv[1] + "/run") as run:
        run.scalar("loss", 0.5, step=0)
    assert list(tap.open(sys.argv[1], cache=False)["run"].scalars("loss").value) == [0.5]
    assert tap.capture("conv*", every=tap.epochs(2), what=tap.first(3)).globs == ("conv*",)
    try:
        tap.keras
    except ImportError as error:
        print(error)
    else:
        print("imported")
    with tap.Run(sys.argv[1] + "/again") as run:
        run.scalar("loss", 0.5, step=0)
"""


@pytest.fixture
def with_fake_tensorflow(run_program, tmp_path):
    """(source of a module `tensorflow`) -> what the program above prints."""

    def run(source: str) -> str:
        modules = tmp_path / "modules"
        modules.mkdir()
        (modules / "tensorflow.py").write_text(source)
        # In front of everything that is installed.
        ended = run_program(REST_WORKS, tmp_path, env={**os.environ, "PYTHONPATH": str(modules)})
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    return run


def test_importing_tensortap_imports_no_tensorflow(run_program):
    ended = run_program(
        "import sys, tensortap as tap; tap.Run, tap.open, tap.capture, tap.steps; "
        "print([name for name in sys.modules if name.split('.')[0] in ('tensorflow', 'keras', 'tf_keras')])"
    )
    assert ended.stdout.strip() == "[]", ended.stderr


def test_without_tensorflow_keras_says_what_is_missing_and_the_rest_works(with_fake_tensorflow):
    said = with_fake_tensorflow("raise ModuleNotFoundError(\"No module named 'tensorflow'\")")
    assert said == (
        "Tensortap records inside TensorFlow 2.16 or later; it is not installed: "
        "pip install 'tensorflow>=2.16' (No module named 'tensorflow')"
    )


def test_with_an_old_tensorflow_keras_says_which_it_needs(with_fake_tensorflow):
    said = with_fake_tensorflow('__version__ = "2.12.0"')
    assert said == (
        "Tensortap records inside TensorFlow 2.16 or later; this is 2.12.0: pip install -U 'tensorflow>=2.16'"
    )


def test_an_attribute_that_there_is_not_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tensortap' has no attribute 'kares'"):
        tap.kares  # noqa: B018


def test_a_path_below_a_file_is_refused_when_the_recorder_is_made(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    for path in (file, file / "run", file / "a" / "b"):
        with pytest.raises(NotADirectoryError, match=f"cannot record to .*: {file} is not a directory"):
            tap.keras.Recorder(path)


def test_an_empty_path_is_refused_when_the_recorder_is_made():
    with pytest.raises(ValueError, match="the directory of a run must not be empty"):
        tap.keras.Recorder("")


@pytest.fixture
def plain_user():
    """Root may write anywhere; so that its files are asked for as those of somebody else."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(65534, 0, 0)
    yield
    os.setresuid(0, 0, 0)


def test_an_unwritable_path_is_refused_when_the_recorder_is_made(tmp_path, plain_user):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(PermissionError, match=f"cannot record to .*: {locked} is not writable"):
        tap.keras.Recorder(locked / "run")
    assert list(locked.iterdir()) == []


def test_what_belongs_to_an_open_run_is_not_taken_with_it(run):
    with pytest.raises(TypeError, match="is open already; mode and options of a run are given when it is opened"):
        tap.keras.Recorder(run, queue_bytes=1 << 20)
    with pytest.raises(TypeError, match="is open already"):
        tap.keras.Recorder(run, mode="resume")


def test_making_a_recorder_makes_no_directory(tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run")
    recorder.close()
    assert not (tmp_path / "run").exists()


def test_legacy_keras_behind_tf_keras_is_framed_even_when_it_is_used_later(run_program, tmp_path):
    program = """
        import sys, numpy as np, tensorflow as tf, tensortap as tap
        recorder = tap.keras.Recorder(sys.argv[1] + "/run", every=1)
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, name="a")])  # imports tf_keras
        model.compile("sgd", "mse")

        def stop(batch, logs):
            raise KeyboardInterrupt

        x = np.ones((4, 3), "f")
        stopping = tf.keras.callbacks.LambdaCallback(on_batch_end=stop)
        try:
            model.fit(x, x[:, :1], verbose=0, callbacks=[recorder, stopping])
        except KeyboardInterrupt:
            assert "tf_keras" in type(model).__module__, type(model)
            assert "call" not in vars(model.layers[0])
            print(recorder.run.flush())
    """
    ended = run_program(program, tmp_path, env={**os.environ, "TF_USE_LEGACY_KERAS": "1"})
    assert ended.stdout.strip() == "True", ended.stderr[-2000:]


def test_the_package_can_be_used_by_an_optimized_python():
    ended = subprocess.run([sys.executable, "-OO", "-c", "import tensortap"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_no_folder_of_the_package_hides_a_public_name():
    """Importing tensortap.x sets tensortap.x: a folder called as a function of the package would take its place."""
    import importlib
    import pkgutil

    import tensortap

    for module in pkgutil.walk_packages(tensortap.__path__, "tensortap."):
        if not module.name.startswith("tensortap.tensortap_"):  # libraries that are no modules
            importlib.import_module(module.name)
    for name in [*tensortap.__all__, "tap", "open"]:
        if name not in ("__version__", "sinks"):
            assert callable(getattr(tensortap, name)), name
