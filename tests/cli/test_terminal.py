"""Terminals: the progress bar, Ctrl-C, and what is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest

CLEARED = "\r\x1b[K"


@pytest.fixture(scope="module")
def large(tmp_path_factory, frames):
    """A log directory that takes a single thread a few tenths of a second."""
    logs = tmp_path_factory.mktemp("large")
    piece = b"".join(frames.scalar(f"tag{number}", 0, 1.0) for number in range(50)) * 400
    with (logs / "events.out.tfevents.1").open("wb") as file:
        for _ in range(300):
            file.write(piece)
    yield logs
    (logs / "events.out.tfevents.1").unlink()


def test_a_long_load_has_a_bar_that_goes_away(on_terminal, large):
    seen = on_terminal("ls", large, "--no-cache", "--threads", 1, pause=0.7, columns=100)
    assert seen.returncode == 0
    assert "reading" in seen.text and "/s" in seen.text and "left" in seen.text and str(large)[:5] in seen.text
    assert seen.text.rindex(CLEARED) < seen.text.index("RUN")  # gone before the results come
    assert all(len(line) < 100 for line in seen.text.split("RUN")[0].split(CLEARED))


def test_a_pipe_sees_no_bar(call, large):
    done = call("ls", large, "--no-cache", "--threads", 1)
    assert done.returncode == 0 and done.stderr == ""


def test_a_short_load_has_no_bar(on_terminal, recorded):
    assert CLEARED not in on_terminal("ls", recorded, "--no-cache").text


def test_ctrl_c_takes_the_bar_away(on_terminal, large):
    seen = on_terminal("ls", large, "--no-cache", "--threads", 1, pause=0.7, interrupt=b"reading")
    assert seen.returncode == -signal.SIGINT
    assert seen.text.endswith(CLEARED) and "\x1b[0m" in seen.text


def test_ctrl_c_in_recover_leaves_no_half_file(program, large, tmp_path):
    command = [program, "recover", large / "events.out.tfevents.1", "--to", tmp_path / "new"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    until = time.monotonic() + 10
    while not list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode in (-signal.SIGINT, 0)
    assert [path.name for path in tmp_path.iterdir()] == ([] if process.returncode else ["new"])


def test_interrupts_that_the_caller_ignores_stay_ignored(program, recorded):
    code = 'trap \'\' INT HUP; exec "$0" ls "$1"'
    done = subprocess.run(["bash", "-c", code, program, recorded], capture_output=True, timeout=30, check=False)
    assert done.returncode == 0


def test_no_input_is_read(program, recorded):
    read, write = os.pipe()
    done = subprocess.run([program, "ls", recorded], stdin=read, capture_output=True, timeout=30, check=False)
    os.close(read)
    os.close(write)
    assert done.returncode == 0
