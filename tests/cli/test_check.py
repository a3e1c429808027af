"""The program's words and exit codes, and `tensortap check`: which files are whole."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import tensortap as tap

COMMANDS = ["ls", "show", "check", "recover"]


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_is_no_error_and_has_an_example(call, arguments):
    done = call(*arguments)
    assert done.returncode == 0 and done.stderr == ""
    assert "Example:" in done.stdout


def test_the_version_is_that_of_the_package(call):
    done = call("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"tensortap {tap.__version__}")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-command"],
        ["check"],
        ["check", "--no-such-flag", "."],
        ["check", "a", "b"],
        ["ls"],
        ["ls", ".", "--threads", "0"],
        ["ls", ".", "--threads", "many"],
        ["show", "."],
        ["show", ".", "a"],
        ["show", ".", "a", "b", "--step", "last"],
        ["recover", "a"],
        ["recover", "--to", "a"],
    ],
)
def test_wrong_usage_is_2_and_says_so_on_stderr(call, arguments, tmp_path):
    done = call(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == "" and done.stderr != ""


@pytest.mark.parametrize("command", [["ls"], ["check"], ["show", "a", "b"]])
def test_a_directory_that_is_not_there_is_2_and_named(call, tmp_path, command):
    done = call(command[0], tmp_path / "nowhere", *command[1:])
    assert done.returncode == 2
    assert str(tmp_path / "nowhere") in done.stderr and done.stdout == ""


def test_whole_files_are_0_and_listed_each(call, logs, events):
    done = call("check", logs)
    assert done.returncode == 0 and done.stderr == ""
    assert "3 files" in done.stdout and "0 damaged" in done.stdout
    assert str(events) in done.stdout
    assert "notes.txt" not in done.stdout


def test_a_directory_without_runs_is_0_and_says_what_to_do(call, tmp_path):
    done = call("check", tmp_path)
    assert done.returncode == 0
    assert "holds no runs" in done.stdout


@pytest.mark.parametrize("at", [3, 9, 20, 100, -1, -6])
def test_a_flipped_bit_is_3_with_the_file_and_the_place(call, logs, at, events, flip_bit):
    flip_bit(events, at)
    done = call("check", logs, "--files")
    assert done.returncode == 3
    assert "damaged" in done.stdout and str(events) in done.stdout
    assert "offset" in done.stdout and "1 damaged" in done.stdout


def test_a_flipped_bit_in_a_capture_file_is_3_too(call, logs, flip_bit):
    (path,) = (logs / "a").glob("*.tap")
    flip_bit(path, -40)
    assert call("check", logs).returncode == 3


def test_one_bad_record_costs_only_itself(call, logs, events, flip_bit):
    before = json.loads(call("check", logs, "--json").stdout)
    flip_bit(events, events.stat().st_size // 2)
    after = json.loads(call("check", logs, "--json").stdout)
    records = [
        next(entry["records"] for entry in found["files"] if entry["path"] == str(events)) for found in (before, after)
    ]
    assert records == [21, 20]


def test_an_incomplete_last_record_is_no_damage_but_is_said(call, logs, events):
    path = events
    path.write_bytes(path.read_bytes()[:-5])
    done = call("check", logs)
    assert done.returncode == 0
    assert "incomplete record" in done.stdout
    (entry,) = [e for e in json.loads(call("check", logs, "--json").stdout)["files"] if e["path"] == str(path)]
    assert entry["torn_tail_bytes"] > 0 and entry["damage"] == []


def test_json_names_every_file_with_run_kind_and_size(call, logs):
    done = call("check", logs, "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0 and done.stderr == ""
    assert sorted((entry["run"], entry["kind"]) for entry in found["files"]) == [
        ("a", "captures"),
        ("a", "events"),
        ("a/val", "events"),
    ]
    for entry in found["files"]:
        assert entry["bytes"] == Path(entry["path"]).stat().st_size
        assert entry["records"] > 1 and entry["damage"] == [] and entry["torn_tail_bytes"] == 0


def test_json_tells_damage_with_offset_and_reason(call, logs, events, flip_bit):
    flip_bit(events, 20)
    done = call("check", logs, "--json")
    assert done.returncode == 3
    (damaged,) = [entry for entry in json.loads(done.stdout)["files"] if entry["damage"]]
    assert damaged["path"] == str(events)
    (damage,) = damaged["damage"]
    assert damage["offset"] == 0 and damage["bytes"] > 0 and damage["reason"]


def test_json_survives_names_that_are_not_utf8(program, logs):
    os.rename(bytes(logs / "a"), bytes(logs) + b"/caf\xe9")  # noqa: PTH104
    done = subprocess.run([program, "check", logs, "--json"], capture_output=True, timeout=30)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["files"]) == 3


def test_piped_output_has_no_colours_and_no_progress_bar(call, logs):
    done = call("check", logs)
    assert "\x1b" not in done.stdout and "\r" not in done.stdout


def test_a_pipe_that_closes_early_is_no_crash(program, logs):
    for number in range(200):
        (logs / f"r{number}").mkdir()
        (logs / f"r{number}" / "events.out.tfevents.1").write_bytes(b"")
    writing = subprocess.Popen([program, "check", logs], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    reading = subprocess.run(["head", "-n", "1"], stdin=writing.stdout, capture_output=True, timeout=30)
    writing.stdout.close()
    errors = writing.stderr.read()
    writing.stderr.close()
    writing.wait(30)
    head = reading.stdout
    assert head.count(b"\n") == 1
    assert errors == b""
    assert writing.returncode in (0, -13)


def test_files_that_tensorflow_wrote_are_whole(call, tmp_path):
    import tensorflow as tf

    writer = tf.summary.create_file_writer(str(tmp_path / "theirs"))
    with writer.as_default(step=0):
        tf.summary.scalar("loss", 1.0)
        tf.summary.histogram("h", tf.range(10.0))
        tf.summary.image("i", tf.zeros((1, 4, 4, 3)))
    writer.close()
    done = call("check", tmp_path, "--json")
    assert done.returncode == 0
    (entry,) = json.loads(done.stdout)["files"]
    assert entry["kind"] == "events" and entry["records"] == 4
