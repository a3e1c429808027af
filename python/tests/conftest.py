"""What the tests of the Python package share: the plain reader of the files, and programs of their own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

CONFORMANCE = Path(__file__).parents[2] / "tests" / "conformance"


@pytest.fixture(scope="session")
def reader() -> ModuleType:
    """The plain-Python reader of the conformance tests."""
    spec = importlib.util.spec_from_file_location("plain_reader", CONFORMANCE / "capture_reader.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True, scope="session")
def cache_of_its_own(tmp_path_factory):
    """Nothing the tests read ends up in the cache of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENSORTAP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def run(tmp_path):
    """An open run; closed at the end if the test did not."""
    import tensortap as tap

    with tap.Run(tmp_path / "run") as opened:
        yield opened


@pytest.fixture
def read_back(reader):
    """(run, tag, kind) -> the bodies of its captures, once everything is flushed."""

    def read(run, tag: str, kind: str = "tensor") -> list:
        run.flush()
        return [capture.body for capture in reader.of_tag(Path(run.path), tag, kind)]

    return read


@pytest.fixture
def start_program():
    """(source, *arguments, **more) -> Popen of a Python of its own; ended when the test ends."""
    started = []

    def start(source: str, *arguments, **more) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(source), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def run_program(start_program):
    """(source, *arguments, **more) -> CompletedProcess"""

    def call(source: str, *arguments, timeout: float = 60, **more) -> subprocess.CompletedProcess:
        process = start_program(source, *arguments, **more)
        out, err = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return call
