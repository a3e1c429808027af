"""Every command on directories that nobody would want to have."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

MINUTES_AGO = time.time() - 600


def write(path, data: bytes, settled: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if settled:
        os.utime(path, (MINUTES_AGO, MINUTES_AGO))


@pytest.fixture
def good(frames, tmp_path):
    """A log directory with one good run, to which a test adds what is not."""
    write(tmp_path / "good" / "events.out.tfevents.1", b"".join(frames.scalars(10)))
    return tmp_path


@pytest.fixture
def still_works(call, good):
    """() -> (JSON of ls, JSON of check, exit code of check); the good run is there in any case"""

    def look(**more):
        listed = json.loads(call("ls", good, "--json", "--no-cache", **more).stdout)
        (run,) = (run for run in listed["runs"] if run["name"] == "good")
        assert run["points"] == 10 and run["damaged_places"] == 0
        checked = call("check", good, "--json", **more)
        for text in (call("ls", good, **more), call("check", good, **more)):
            assert text.returncode in (0, 3) and "good" in text.stdout
        return listed, json.loads(checked.stdout), checked.returncode

    return look


def test_what_is_no_file_is_skipped_said_and_no_damage(still_works, good):
    os.mkfifo(good / "pipe.tfevents")
    (good / "directory.tfevents").mkdir()
    (good / "socket.tfevents").symlink_to("/dev/null")
    (good / "dangling.tfevents").symlink_to(good / "nowhere")
    listed, checked, code = still_works()
    assert code == 0
    for found in (listed, checked):
        names = {os.path.basename(each["path"]) for each in found["skipped"]}  # noqa: PTH119
        assert names == {"pipe.tfevents", "directory.tfevents", "socket.tfevents", "dangling.tfevents"}
        assert all(each["reason"] for each in found["skipped"])


def test_a_loop_of_links_ends(still_works, good, call):
    (good / "good" / "loop").symlink_to(good)
    (good / "self").symlink_to("self")
    _, _, code = still_works()
    assert code == 0
    done = call("ls", good, "--json", "--follow-links")
    assert "good" in [run["name"] for run in json.loads(done.stdout)["runs"]]


def test_a_link_that_leads_out_is_followed_only_when_asked(call, frames, good, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    write(outside / "run" / "tfevents", b"".join(frames.scalars(5)))
    (good / "linked").symlink_to(outside / "run")
    (good / "good" / "linked.tfevents").symlink_to(outside / "run" / "tfevents")
    inside = json.loads(call("ls", good, "--json").stdout)
    assert [run["name"] for run in inside["runs"]] == ["good"] and inside["points"] == 10
    assert len(inside["skipped"]) == 2
    done = call("ls", good)
    assert "--follow-links" in done.stderr
    followed = json.loads(call("ls", good, "--json", "--follow-links").stdout)
    assert [run["name"] for run in followed["runs"]] == ["good", "linked"] and followed["skipped"] == []


def test_zeroes_at_the_end_are_damage_once_nobody_writes(still_works, good, frames):
    write(good / "bad" / "tfevents", b"".join(frames.scalars(5)) + bytes(1000))
    _, checked, code = still_works()
    (bad,) = (file for file in checked["files"] if file["run"] == "bad")
    assert code == 0 and bad["zero_tail_bytes"] == 1000 and bad["records"] == 6
    os.utime(good / "bad" / "tfevents", (MINUTES_AGO, MINUTES_AGO))
    assert still_works()[2] == 3


def test_an_end_that_is_no_record_is_damage(still_works, call, good, frames):
    write(good / "bad" / "tfevents", b"".join(frames.scalars(5)) + os.urandom(1000))
    _, checked, code = still_works()
    (bad,) = (file for file in checked["files"] if file["run"] == "bad")
    assert code == 3 and bad["unreadable_tail_bytes"] == 1000
    assert "are no records" in call("check", good).stdout


def test_damage_between_records_has_its_place(still_works, good, frames):
    whole = frames.scalars(5)
    write(good / "bad" / "tfevents", b"".join(whole[:3]) + b"?" * 77 + b"".join(whole[3:]))
    listed, checked, code = still_works()
    (bad,) = (file for file in checked["files"] if file["run"] == "bad")
    assert code == 3 and bad["records"] == 6 and listed["points"] == 15
    assert [(each["offset"], each["bytes"]) for each in bad["damage"]] == [(len(b"".join(whole[:3])), 77)]


def test_thousands_of_damaged_places_are_counted(call, still_works, good, frames):
    bad = frames.frame(b"\xff\xff")
    write(good / "bad" / "tfevents", frames.version() + bad * 3000)
    _, checked, code = still_works()
    (file,) = (file for file in checked["files"] if file["run"] == "bad")
    assert code == 3 and file["damaged_places"] == 3000 and len(file["damage"]) == 1000
    assert "2,000 more places" in call("check", good).stdout


@pytest.mark.parametrize("length", [2**31, 2**32, 2**63, 2**64 - 1])
@pytest.mark.parametrize("command", ["ls", "check"])
def test_a_length_bomb_costs_no_memory(program, good, frames, length, command):
    write(good / "bad" / "tfevents", frames.version() + frames.header(length) + b"x" * 100, settled=True)
    limited = f'ulimit -v 2000000; exec "{program}" {command} "{good}" --threads 2'
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode in (0, 3) and "good" in done.stdout, done.stderr


def peak_memory(program: str, *arguments) -> int:
    """The most bytes the program had resident; started by a small process, whose own peak it inherits."""
    measure = (
        "import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, "
        "file_actions=[(os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)]); print(os.wait4(pid, 0)[2].ru_maxrss)"
    )
    command = [sys.executable, "-S", "-c", measure, program, *map(str, arguments)]
    return 1024 * int(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)


def test_length_bombs_grow_memory_by_less_than_16_mib(program, good, frames):
    before = peak_memory(program, "check", good)
    for bits in range(31, 65):
        write(
            good / f"bad{bits}" / "tfevents", frames.version() + frames.header(2**bits - 1) + b"x" * 100, settled=True
        )
    assert peak_memory(program, "check", good) - before < 16 << 20


def test_a_record_larger_than_memory_costs_its_file_only(program, good, frames):
    path = good / "huge" / "tfevents"
    write(path, frames.version() + frames.header(3 << 29))
    os.truncate(path, path.stat().st_size + (3 << 29) + 4)  # a hole: it takes no room on the disk
    limited = f'ulimit -v 1000000; exec "{program}" check "{good}" --json --threads 2'
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=60, check=False)
    checked = json.loads(done.stdout)
    (huge,) = (file for file in checked["files"] if file["run"] == "huge")
    assert done.returncode == 3 and "not enough memory for a record at offset" in huge["error"]
    assert all(file["records"] > 0 and not file.get("error") for file in checked["files"] if file["run"] != "huge")


@pytest.mark.parametrize("size", [0, 1, 7, 11, 12, 15, 16])
def test_files_shorter_than_a_frame(still_works, good, frames, size):
    write(good / "short" / "tfevents", frames.version()[:size])
    _, checked, code = still_works()
    (short,) = (file for file in checked["files"] if file["run"] == "short")
    assert code == 0 and short["records"] == 0 and short["torn_tail_bytes"] == size


def test_times_that_are_none(call, still_works, good, frames):
    odd = [frames.scalar("t", step, 1.0, wall) for step, wall in enumerate([float("nan"), float("inf"), -1e300, 0.0])]
    write(good / "odd" / "tfevents", b"".join(odd))
    listed, _, code = still_works()
    assert code == 0 and listed["points"] == 14
    assert call("ls", good, "odd").returncode == 0
    assert call("show", good, "odd", "t", "--json").returncode == 0


@pytest.fixture
def as_nobody(program, frames):
    """A log directory with one good run, and (*arguments) -> JSON and exit code for somebody without rights."""
    folder = Path(tempfile.mkdtemp())
    write(folder / "logs" / "good" / "tfevents", b"".join(frames.scalars(10)))
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    shutil.copy(program, folder / "tensortap")
    folder.chmod(0o755)

    def run(*arguments):
        command = [folder / "tensortap", arguments[0], folder / "logs", *arguments[1:], "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False, **other)
        return json.loads(done.stdout), done.returncode

    yield folder / "logs", run
    shutil.rmtree(folder, ignore_errors=True)


def test_a_file_that_may_not_be_read_is_3(as_nobody, frames):
    logs, run = as_nobody
    write(logs / "secret" / "tfevents", frames.version())
    (logs / "secret" / "tfevents").chmod(0)
    checked, code = run("check")
    (secret,) = (file for file in checked["files"] if file["run"] == "secret")
    assert code == 3 and "ermission" in secret["error"]
    listed, code = run("ls", "--no-cache")
    assert code == 0 and listed["points"] == 10
    assert ["secret" in each["path"] for each in listed["skipped"]] == [True]


def test_a_directory_that_may_not_be_read_is_skipped(as_nobody):
    logs, run = as_nobody
    (logs / "closed").mkdir(mode=0)
    listed, code = run("ls", "--no-cache")
    (logs / "closed").chmod(0o700)
    assert code == 0 and listed["points"] == 10
    assert ["closed" in each["path"] for each in listed["skipped"]] == [True]


def test_names_that_are_no_utf8_are_listed_and_asked_for(call, good, frames):
    os.mkdir(os.fsencode(good) + b"/caf\xe9")  # noqa: PTH102
    with open(os.fsencode(good) + b"/caf\xe9/tfevents", "wb") as file:  # noqa: PTH123
        file.write(b"".join([frames.version(), frames.scalar(b"t\xff", 0, 1.0)]))
    assert "caf\\xe9" in call("ls", good).stdout
    assert "t\\xff" in call("ls", good, b"caf\xe9").stdout
    assert call("show", good, b"caf\xe9", b"t\xff").stdout == "0\t1\n"
    assert [run["name"] for run in json.loads(call("ls", good, "--json").stdout)["runs"]] == ["caf\ufffd", "good"]


EVIL = "\x1b]0;owned\x07\x1b[31m\nnew\u202eline\x9b2J"


def test_names_cannot_drive_the_terminal(call, good, frames):
    write(good / EVIL.replace("/", "") / "tfevents", b"".join([frames.version(), frames.scalar(EVIL, 0, 1.0)]))
    (good / f"{EVIL}.tfevents").mkdir()
    calls = [["ls", good], ["ls", good, EVIL], ["check", good], ["ls", good, "--json"], ["check", good, "--json"]]
    calls += [
        ["ls", good, EVIL, "--json"],
        ["show", good, EVIL, EVIL, "--width", 40],
        ["show", good, EVIL, EVIL, "--json"],
    ]
    calls += [["show", good, EVIL, "nothing"], ["ls", good, f"{EVIL}?"], ["ls", f"{good}/{EVIL}?"]]
    for arguments in calls:
        done = call(*arguments)
        for text in (done.stdout, done.stderr):
            assert not any(letter in text for letter in "\x1b\x07\x9b\u202e"), arguments
            assert "\nnew" not in text, arguments


def test_a_hundred_levels_down(call, good, frames):
    write(good.joinpath(*["d"] * 100) / "tfevents", frames.version())
    done = call("ls", good)
    assert done.returncode == 0 and "too deeply" in done.stderr


def test_a_log_directory_that_is_a_file_is_2(call, good):
    for command in (["ls"], ["check"], ["show", "a", "b"]):
        done = call(command[0], good / "good" / "events.out.tfevents.1", *command[1:])
        assert done.returncode == 2 and "not a directory" in done.stderr


def test_nothing_is_written_into_a_log_directory(call, good, frames):
    write(good / "bad" / "tfevents", b"".join(frames.scalars(5000)) + b"?" * 50)
    before = sorted((path, path.stat().st_mtime_ns) for path in good.rglob("*"))
    for arguments in (["ls", good], ["check", good], ["show", good, "bad", "loss"]):
        call(*arguments)
    assert sorted((path, path.stat().st_mtime_ns) for path in good.rglob("*")) == before


def test_two_thousand_runs_need_few_descriptors(program, good, frames):
    data = b"".join(frames.scalars(3))
    for number in range(2000):
        write(good / f"run_{number:04}" / "tfevents", data)
    limited = f'ulimit -n 128; exec "{program}" ls "{good}" --json --no-cache --threads 8'
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=60, check=False)
    found = json.loads(done.stdout)
    assert done.returncode == 0 and len(found["runs"]) == 2001 and found["skipped"] == []
    assert sum(run["points"] for run in found["runs"] if run["name"].startswith("run_")) == 6000
