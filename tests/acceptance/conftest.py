"""Runs users' scripts as programs of their own, and reads what they leave behind without TensorFlow."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest


@pytest.fixture
def run_script(tmp_path):
    """run_script(code) runs a user's script in an empty directory and returns what it printed."""

    def run(code: str, *, fails: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            cwd=tmp_path,
            env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "2", "CUDA_VISIBLE_DEVICES": "-1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout
        return done.stdout

    return run


@pytest.fixture
def read_events(tmp_path):
    """read_events("runs/a/train") gives TensorBoard's own view of one run directory, with nothing thinned."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    def read(directory: str | Path) -> EventAccumulator:
        accumulator = EventAccumulator(str(tmp_path / directory), size_guidance={"tensors": 0, "scalars": 0})
        return accumulator.Reload()

    return read
