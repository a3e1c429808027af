"""`tensortap recover`: every whole record of a damaged file, in a new one."""

from __future__ import annotations

import json
import os
import subprocess

import pytest


@pytest.fixture
def frames_of_file(frames) -> list[bytes]:
    return frames.scalars(50)


@pytest.fixture
def damaged(tmp_path):
    """(bytes) -> the path of a file that holds them"""

    def write(data: bytes, name: str = "events.out.tfevents.1"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@pytest.fixture
def recover(call, tmp_path):
    """(path) -> (exit code, JSON, bytes of the new file)"""

    def run(path, name: str = "new.tfevents"):
        before = path.read_bytes()
        done = call("recover", path, "--to", tmp_path / name, "--json")
        assert path.read_bytes() == before, "the input was changed"
        assert not list(tmp_path.glob(".tensortap-*"))
        saved = tmp_path / name
        return done.returncode, json.loads(done.stdout), saved.read_bytes() if saved.exists() else None

    return run


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_a_whole_file_is_copied_and_0(recover, damaged, frames_of_file):
    whole = b"".join(frames_of_file)
    code, found, saved = recover(damaged(whole))
    assert code == 0 and saved == whole
    assert found["kept_records"] == 51 and found["kept_bytes"] == len(whole) == found["input_bytes"]
    assert found["lost"] == [] and found["kind"] == "events"


@pytest.mark.parametrize("part", ["length", "length_crc", "data", "data_crc"])
def test_a_flipped_bit_costs_its_record_and_no_other(recover, damaged, frames_of_file, part):
    frame = frames_of_file[20]
    at = {"length": 0, "length_crc": 9, "data": 15, "data_crc": len(frame) - 2}[part]
    broken = [*frames_of_file[:20], flipped(frame, at), *frames_of_file[21:]]
    code, found, saved = recover(damaged(b"".join(broken)))
    assert code == 3 and saved == b"".join(frames_of_file[:20] + frames_of_file[21:])
    (lost,) = found["lost"]
    assert (lost["offset"], lost["bytes"]) == (len(b"".join(frames_of_file[:20])), len(frame))
    assert "CRC" in lost["reason"]


@pytest.mark.parametrize("record", [0, 50])
def test_the_first_and_the_last_record_can_be_lost(recover, damaged, frames_of_file, record):
    kept = [frame for number, frame in enumerate(frames_of_file) if number != record]
    frames_of_file[record] = flipped(frames_of_file[record], 14)
    code, _, saved = recover(damaged(b"".join(frames_of_file)))
    assert code == 3 and saved == b"".join(kept)


def test_a_file_cut_anywhere_keeps_what_is_whole(call, damaged, frames, tmp_path):
    whole = frames.scalars(2)
    data = b"".join(whole)
    ends = [len(b"".join(whole[:count])) for count in range(4)]
    for size in range(len(data)):
        to = tmp_path / f"{size}.tfevents"
        done = call("recover", damaged(data[:size]), "--to", to, "--json")
        kept = max(end for end in ends if end <= size)
        assert done.returncode == (0 if kept == size else 3), size
        assert (to.read_bytes() if to.exists() else b"") == data[:kept]
        lost = json.loads(done.stdout)["lost"]
        assert [(each["offset"], each["bytes"]) for each in lost] == ([(kept, size - kept)] if size > kept else [])


def test_zeroes_at_the_end_are_named(recover, damaged, frames_of_file):
    code, found, saved = recover(damaged(b"".join(frames_of_file) + bytes(5000)))
    assert code == 3 and saved == b"".join(frames_of_file)
    assert found["lost"][0]["bytes"] == 5000 and "zeroes" in found["lost"][0]["reason"]


def test_records_behind_a_hole_are_found(recover, damaged, frames_of_file):
    hole = os.urandom(3_000_000)
    code, found, saved = recover(damaged(b"".join(frames_of_file[:9]) + hole + b"".join(frames_of_file[9:])))
    assert code == 3 and saved == b"".join(frames_of_file)
    assert found["lost_places"] == 1 and found["lost_bytes"] == len(hole)


def test_records_inside_a_torn_one_are_found(recover, damaged, frames, frames_of_file):
    """A writer died inside a large record, and another went on in the same file."""
    torn = frames.frame(bytes(10_000))[:500]
    code, found, saved = recover(damaged(b"".join(frames_of_file[:5]) + torn + b"".join(frames_of_file[5:])))
    assert code == 3 and saved == b"".join(frames_of_file)
    assert found["lost"] == [
        {"offset": len(b"".join(frames_of_file[:5])), "bytes": 500, "reason": found["lost"][0]["reason"]}
    ]


@pytest.mark.parametrize("length", [2**31, 2**32, 2**63, 2**64 - 1])
def test_a_length_bomb_costs_no_memory(program, damaged, frames, tmp_path, length):
    path = damaged(frames.version() + frames.header(length) + b"x" * 100)
    limited = f'ulimit -v 2000000; exec "{program}" recover "{path}" --to "{tmp_path}/new"'
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 3, done.stderr
    assert (tmp_path / "new").read_bytes() == frames.version()


def test_a_record_that_does_not_decode_is_lost(recover, damaged, frames, frames_of_file):
    frames_of_file.insert(7, frames.frame(b"\xff\xff\xff\xff"))
    code, found, saved = recover(damaged(b"".join(frames_of_file)))
    assert code == 3 and len(saved) == len(b"".join(frames_of_file)) - len(frames_of_file[7])
    assert "not an Event" in found["lost"][0]["reason"]


def test_captures_are_known_by_name_and_without_it(recover, logs, damaged, flip_bit):
    (path,) = (logs / "a").glob("*.tap")
    code, found, saved = recover(path, "captures.1.tap")
    assert code == 0 and found["kind"] == "captures" and saved == path.read_bytes()
    code, found, _ = recover(damaged(saved, "nameless"), "captures.2.tap")
    assert code == 0 and found["kind"] == "captures"
    flip_bit(path, -40)
    code, found, _ = recover(path, "captures.3.tap")
    assert code == 3 and found["lost_places"] == 1


def test_what_is_saved_checks_as_whole(call, logs, events, flip_bit, tmp_path):
    flip_bit(events, 100)
    assert call("check", logs).returncode == 3
    (tmp_path / "saved").mkdir()
    assert call("recover", events, "--to", tmp_path / "saved" / events.name).returncode == 3
    assert call("check", tmp_path / "saved").returncode == 0
    assert json.loads(call("ls", tmp_path / "saved", "--json").stdout)["points"] == 19


def test_garbage_makes_no_file(call, damaged, tmp_path):
    path = damaged(os.urandom(10_000))
    done = call("recover", path, "--to", tmp_path / "new")
    assert done.returncode == 3 and "no whole record" in done.stdout
    assert not (tmp_path / "new").exists()


def test_an_empty_file_is_whole(recover, damaged):
    code, found, saved = recover(damaged(b""))
    assert code == 0 and saved == b"" and found["kept_records"] == 0


def test_nothing_is_overwritten(call, damaged, frames_of_file, tmp_path):
    path = damaged(b"".join(frames_of_file))
    (tmp_path / "there").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    os.link(path, tmp_path / "same")
    for to in (path, tmp_path / "there", tmp_path / "link", tmp_path / "same", tmp_path):
        done = call("recover", path, "--to", to)
        assert done.returncode == 2 and str(to) in done.stderr and done.stdout == ""
    assert (tmp_path / "there").read_text() == "precious" and path.read_bytes() == b"".join(frames_of_file)
    assert not list(tmp_path.glob(".tensortap-*"))


def test_a_place_that_cannot_be_written_is_2(call, damaged, frames_of_file, tmp_path):
    done = call("recover", damaged(b"".join(frames_of_file)), "--to", tmp_path / "no" / "such" / "file")
    assert done.returncode == 2 and "no/such" in done.stderr and "make it first" in done.stderr


@pytest.mark.parametrize("kind", ["missing", "directory", "pipe"])
def test_an_input_that_is_no_file_is_2(call, tmp_path, kind):
    path = tmp_path / "in"
    {"missing": lambda: None, "directory": path.mkdir, "pipe": lambda: os.mkfifo(path)}[kind]()
    done = call("recover", path, "--to", tmp_path / "out")
    assert done.returncode == 2 and "in" in done.stderr and not (tmp_path / "out").exists()


def test_text_says_what_was_kept_and_lost(call, damaged, frames_of_file, tmp_path):
    done = call("recover", damaged(b"".join(frames_of_file)[:-3]), "--to", tmp_path / "new.tfevents")
    assert done.returncode == 3 and done.stderr == ""
    kept, lost = done.stdout.splitlines()
    assert kept.startswith("kept 50 records") and "ends inside a record" in lost and "at offset" in lost


def test_a_name_that_no_reader_looks_for_is_said(call, damaged, frames_of_file, tmp_path):
    done = call("recover", damaged(b"".join(frames_of_file)), "--to", tmp_path / "new.bin")
    assert done.returncode == 0 and "tfevents" in done.stderr
