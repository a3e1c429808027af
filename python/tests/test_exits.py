"""However a program ends, and however it imports, what it recorded is there."""

from __future__ import annotations

import signal
import sys
import time

import pytest

RECORD = """
import sys
import numpy as np
import tensortap as tap
run = tap.Run(sys.argv[1], flush_ms=60_000)
for step in range(1000):
    run.scalar("loss", float(step), step=step)
frozen = np.full(5000, 3.0)
frozen.flags.writeable = False
run.tensor("x", frozen, step=0)
run.sub("val").scalar("loss", 1.0, step=0)
"""


def assert_all_there(reader, path) -> None:
    assert [point.value for point in reader.scalars(path)["loss"]] == [float(step) for step in range(1000)]
    assert [point.value for point in reader.scalars(path / "val")["loss"]] == [1.0]
    captures = reader.captures(path)
    assert [capture.kind for capture in captures] == ["header", "tensor", "end"]
    assert captures[-1].body["dropped"] == 0


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise RuntimeError('went wrong')", 1),
        ("del run", 0),
        ("keep = [run]; keep.append(keep)", 0),
        ("import threading; threading.Thread(target=lambda: run.scalar('late', 1.0, step=0)).start()", 0),
        ("import builtins; builtins.forever = run", 0),
        ("run.close()", 0),
        ("raise KeyboardInterrupt", -signal.SIGINT),
    ],
    ids=["falls off", "exit", "exception", "del", "cycle", "thread", "builtins", "close", "interrupt"],
)
def test_a_program_that_ends_without_closing_loses_nothing(tmp_path, run_program, reader, ending, code):
    done = run_program(RECORD + ending, tmp_path / "run", timeout=30)
    assert done.returncode == code, done.stderr
    assert_all_there(reader, tmp_path / "run")


def test_an_interrupt_from_the_keyboard_loses_nothing(tmp_path, start_program, reader):
    process = start_program(RECORD + "print('ready', flush=True)\nimport time\ntime.sleep(60)", tmp_path / "run")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT
    assert_all_there(reader, tmp_path / "run")


def test_what_was_flushed_survives_a_kill(tmp_path, start_program, reader):
    process = start_program(
        RECORD + "run.flush()\nprint('ready', flush=True)\nimport time\ntime.sleep(60)", tmp_path / "run"
    )
    assert process.stdout.readline() == "ready\n"
    process.kill()
    process.communicate(timeout=20)
    assert len(reader.scalars(tmp_path / "run")["loss"]) == 1000
    assert [capture.kind for capture in reader.captures(tmp_path / "run")] == ["header", "tensor"]


def test_a_program_ends_quickly_with_much_still_waiting(tmp_path, run_program):
    started = time.monotonic()
    done = run_program(
        "import sys, numpy as np, tensortap as tap\n"
        "run = tap.Run(sys.argv[1])\n"
        "for step in range(200): run.tensor('x', np.zeros(100_000, np.float32), step=step)",
        tmp_path / "run",
    )
    assert done.returncode == 0 and done.stderr == ""
    assert time.monotonic() - started < 20


FORK = """
import os, sys, time
import numpy as np
import tensortap as tap
run = tap.Run(sys.argv[1], flush_ms=100)
for step in range(100):
    run.scalar("loss", float(step), step=step)
child = os.fork()
if child == 0:
    for step in range(100):
        run.scalar("from the child", float(step), step=step)
        run.tensor("from the child too", np.zeros(10_000), step=step)
    run.flush()
    CHILD_END
for step in range(100, 200):
    run.scalar("loss", float(step), step=step)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for step in range(200, 300):
    run.scalar("loss", float(step), step=step)
run.close()
"""


@pytest.mark.parametrize("child_end", ["os._exit(0)", "sys.exit(0)", "run.close(); sys.exit(0)"])
def test_a_forked_child_that_records_does_no_harm(tmp_path, run_program, reader, child_end):
    done = run_program(FORK.replace("CHILD_END", child_end), tmp_path / "run", timeout=30)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["0"], done.stderr
    scalars = reader.scalars(tmp_path / "run")
    assert list(scalars) == ["loss"]
    assert [point.step for point in scalars["loss"]] == list(range(300))
    captures = reader.captures(tmp_path / "run")
    assert [capture.kind for capture in captures] == ["header", "end"]
    assert captures[-1].body["offered"] == 300


def test_a_forked_child_joins_with_a_run_of_its_own(tmp_path, run_program, reader):
    done = run_program(
        """
        import os, sys
        import tensortap as tap
        with tap.Run(sys.argv[1]) as run:
            run.scalar("loss", 1.0, step=0)
            children = []
            for number in range(3):
                child = os.fork()
                if child == 0:
                    with tap.Run(sys.argv[1], mode="join") as own:
                        own.scalar(f"child {number}", float(number), step=0)
                    os._exit(0)
                children.append(child)
            for child in children:
                assert os.waitpid(child, 0)[1] == 0
        """,
        tmp_path / "run",
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(reader.scalars(tmp_path / "run")) == ["child 0", "child 1", "child 2", "loss"]
    assert len(reader.event_files(tmp_path / "run")) == 4


def test_processes_of_multiprocessing_do_no_harm(tmp_path, run_program, reader):
    done = run_program(
        """
        import multiprocessing, sys
        import tensortap as tap
        run = tap.Run(sys.argv[1])
        def work(number):
            run.scalar("loss", -1.0, step=number)
            return number
        if __name__ == "__main__":
            run.scalar("loss", 1.0, step=0)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(sum(pool.map(work, range(20))))
            run.scalar("loss", 2.0, step=1)
        """,
        tmp_path / "run",
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (0, "190\n"), done.stderr
    assert [point.value for point in reader.scalars(tmp_path / "run")["loss"]] == [1.0, 2.0]


def test_importing_does_not_import_tensorflow_or_keras(run_program):
    done = run_program(
        "import sys, tensortap\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('tensorflow', 'keras', 'tensorboard', 'torch')])"
    )
    assert done.stdout == "[]\n", done.stderr


def test_recording_numpy_does_not_import_tensorflow(tmp_path, run_program):
    done = run_program(RECORD + "print('tensorflow' in sys.modules, 'keras' in sys.modules)", tmp_path / "run")
    assert done.stdout == "False False\n", done.stderr


@pytest.mark.needs_tensorflow
@pytest.mark.parametrize(
    "imports", ["import tensorflow as tf\nimport tensortap as tap", "import tensortap as tap\nimport tensorflow as tf"]
)
def test_either_may_be_imported_first(tmp_path, run_program, reader, imports):
    done = run_program(
        imports
        + """
import sys
import numpy as np
run = tap.Run(sys.argv[1])
run.image("i", np.zeros((40, 40, 3), np.uint8), step=0)
run.histogram("h", tf.random.normal([300, 300]), step=0)
run.tensor("t", tf.range(5), step=0)
run.scalar("loss", tf.constant(2.5), step=0)
print(tf.image.decode_png(tf.io.encode_png(tf.zeros([4, 4, 3], tf.uint8))).shape)
""",
        tmp_path / "run",
    )
    assert done.returncode == 0, done.stderr
    assert reader.scalars(tmp_path / "run")["loss"][0].value == 2.5
    assert [capture.kind for capture in reader.captures(tmp_path / "run")] == ["header", "stats", "tensor", "end"]


def test_the_version_is_that_of_the_installed_package():
    import importlib.metadata

    import tensortap

    assert tensortap.__version__ == importlib.metadata.version("tensortap")
    assert sys.modules["tensortap._record"].__version__ == tensortap.__version__
