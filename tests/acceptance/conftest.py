"""Runs users' scripts as programs of their own, and reads what they leave behind without TensorFlow."""

import os
import subprocess
import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

import pytest

# By this TensorBoard knows that it is to use its own readers; otherwise it imports TensorFlow for them.
sys.modules["tensorboard.compat.notf"] = ModuleType("tensorboard.compat.notf")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="session")
def run_script_in():
    """run_script_in(directory, code) runs a user's script in a directory and returns what it printed.

    arguments:    of the script, in sys.argv[1:].
    errors:       a file for the standard error stream, which is otherwise in what is returned.
    environment:  variables besides.
    """

    def run(
        directory: Path,
        code: str,
        *arguments: str,
        fails: bool = False,
        errors: Path | None = None,
        environment: dict[str, str] | None = None,
    ) -> str:
        with errors.open("w") if errors else nullcontext(subprocess.STDOUT) as error_stream:
            done = subprocess.run(
                [sys.executable, "-c", textwrap.dedent(code), *arguments],
                cwd=directory,
                env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"} | (environment or {}),
                stdout=subprocess.PIPE,
                stderr=error_stream,
                text=True,
                timeout=300,
                check=False,
            )
        assert (done.returncode != 0) == fails, done.stdout + (errors.read_text() if errors else "")
        return done.stdout

    return run


@pytest.fixture(scope="session")
def run_example_in(run_script_in):
    """run_example_in(directory, "to_csv.py", after) runs an example, then `after` with the names it has left.

    What `after` saves is the truth to hold its files against.
    """

    def run(directory: Path, name: str, after: str, *arguments: str, **options) -> str:
        path = str(EXAMPLES / name)
        code = f"exec(compile(open({path!r}).read(), {path!r}, 'exec'), globals())\n" + textwrap.dedent(after)
        return run_script_in(directory, code, *arguments, **options)

    return run


@pytest.fixture
def run_script(run_script_in, tmp_path):
    """run_script(code) runs a user's script in an empty directory and returns what it printed."""

    def run(code: str, *, fails: bool = False) -> str:
        return run_script_in(tmp_path, code, fails=fails)

    return run


@pytest.fixture(autouse=True, scope="session")
def cache_of_its_own(tmp_path_factory):
    """Nothing the tests read ends up in the cache of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENSORTAP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_tensorflow_here():
    """What a script has left is read by others than those who wrote it."""
    yield
    assert "tensorflow" not in sys.modules


@pytest.fixture
def read_events(tmp_path):
    """read_events("runs/a/train") gives TensorBoard's own view of one run directory, with nothing thinned."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    def read(directory: str | Path) -> EventAccumulator:
        accumulator = EventAccumulator(str(tmp_path / directory), size_guidance={"tensors": 0, "scalars": 0})
        return accumulator.Reload()

    return read
