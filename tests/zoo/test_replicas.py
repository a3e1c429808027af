"""Several replicas: each has tags of its own, with what it computed of its part of the batch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_replicas_record_their_own_parts(tmp_path):
    program = Path(__file__).with_name("replicas.py")
    names = ["mlp", "cnn", "own_step"]
    done = subprocess.run(
        [sys.executable, program, tmp_path, *names], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert [line for line in done.stdout.splitlines() if "right on" in line] == [
        f"{name}: right on 2 replicas" for name in names
    ]
