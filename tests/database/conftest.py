"""What the tests of database sinks share: trainings in processes of their own. The server is in tests/conftest.py.

This process reads the databases and never imports TensorFlow, whose SQLite and OpenSSL would get in between.
"""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest


def begin(script: str, *arguments, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", **environment},
    )


def result_of(process: subprocess.Popen, seconds: float = 180):
    """What a script said last, in JSON."""
    out, error = process.communicate(timeout=seconds)
    assert process.returncode == 0, out + error
    return json.loads(out.splitlines()[-1]) if out.strip() else None


@pytest.fixture
def start():
    """(script, *arguments, **environment) -> Popen of Python, which finds the arguments in sys.argv; ended after the
    test"""
    running: list[subprocess.Popen] = []

    def start_one(script: str, *arguments, **environment: str) -> subprocess.Popen:
        running.append(begin(script, *arguments, **environment))
        return running[-1]

    yield start_one
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def finish():
    """(process) -> what it said last"""
    return result_of


@pytest.fixture(scope="session")
def record():
    """(script, *arguments, **environment) -> what it said last"""
    return lambda script, *arguments, **environment: result_of(begin(script, *arguments, **environment))


@pytest.fixture(scope="session")
def everything() -> str:
    """The script of everything.py; takes a run directory, the kind of sink, and its target."""
    return runpy.run_path(str(Path(__file__).with_name("everything.py")))["SCRIPT"]


@pytest.fixture(scope="session")
def until():
    """(condition, seconds=20): waits until it is true"""

    def wait(condition, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.02)

    return wait
