"""C++ and Python that record the same thing write the same bytes, but for times and process numbers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tensortap as tap
from tensortap import _record

HERE = Path(__file__).parent


def ramp(count: int, first: float = -2, step: float = 0.25, dtype: type = np.float32) -> np.ndarray:
    return (first + step * np.arange(count)).astype(dtype)


def record_values(run: tap.Run) -> None:
    run.hparams({"rate": 0.001, "layers": 3, "name": "größe", "drop": True}, metrics=["loss", "val/loss"])
    for step in range(-2, 20):
        run.scalar("loss", 1 / (step + 3), step=step)
    run.sub("val").scalar("größe", 0.1, step=7)
    for step in range(3):
        run.histogram("weights", ramp(24).reshape(4, 6), step=step, phase="train")
    run.histogram("large", ramp(20_000, -3, 0.001).reshape(100, 200), step=0)
    run.histogram("narrow", ramp(50, 1000, 0.125, np.float64), step=0)


def record_tensors(run: tap.Run) -> None:
    run.tensor("float32", ramp(6).reshape(2, 3), step=1)
    run.tensor("float64", ramp(6, dtype=np.float64).reshape(3, 2), step=2, phase="val")
    run.tensor("uint8", ramp(6, 0, 1, np.uint8), step=3)
    run.tensor("int64", ramp(6, -3, 1, np.int64), step=-4)
    run.tensor("complex64", np.array([1 - 2j, 0.5], np.complex64), step=5)
    run.tensor("scalar", ramp(1)[0], step=6)
    run.tensor("empty", ramp(0).reshape(0, 3), step=7)
    run.predictions(
        "out",
        y_pred=ramp(6).reshape(3, 2),
        y_true=ramp(3, 0, 1, np.uint8),
        ids=[5, -6, 7],
        step=1,
        phase="predict",
    )
    run.predictions("out", y_pred=ramp(6, dtype=np.float64).reshape(2, 3), ids=["a", "ö"], step=2)


def record_media(run: tap.Run) -> None:
    run.image("bytes", ramp(60, 0, 4, np.uint8).reshape(4, 5, 3), step=0)
    gray = ramp(12, -0.5, 0.125)
    run.image("gray", gray.reshape(3, 4), step=1, scale="minmax")
    run.audio("sound", gray, 8000, step=0)
    run.text("note", "**größe**", step=4)
    run.graph('{"class_name": "Sequential", "config": {"name": "s", "layers": []}}')
    scores = np.array([0.125, 0.5, 0.875, 1.0], np.float32)
    run.pr_curve("curve", np.array([0, 1, 1, 0], np.uint8), scores, step=3, num_thresholds=11)
    faces = np.array([[[0, 1, 2], [1, 2, 3]]], np.int32)
    run.mesh("body", ramp(12).reshape(1, 4, 3), faces, step=0)


@pytest.fixture(scope="module")
def recorded_by_python(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("python") / "run"
    with tap.Run(path) as run:
        record_values(run)
        record_tensors(run)
        record_media(run)
    return path


@pytest.fixture(scope="module")
def recorded_by_cpp(tmp_path_factory) -> Path:
    """Built against the library that the Python package uses."""
    compiler = shutil.which("g++")
    assert compiler, "the C++ half needs g++"
    directory = tmp_path_factory.mktemp("cpp")
    library = Path(_record.__file__).parent / "libtensortap.so.0"
    program = directory / "same_recording"
    subprocess.run(
        [
            compiler,
            "-std=c++20",
            f"-I{HERE.parents[1] / 'include'}",
            HERE / "same_recording.cc",
            library,
            f"-Wl,-rpath,{library.parent}",
            "-o",
            program,
        ],
        check=True,
        timeout=120,
    )
    subprocess.run([program, directory / "run"], check=True, timeout=30)
    return directory / "run"


def timeless(payload: bytes) -> bytes:
    """A record without its wall time, wherever that stands: hyperparameters repeat it."""
    assert payload[0] == 0x09  # field 1, 64 bits
    return payload.replace(payload[1:9], bytes(8))


@pytest.mark.parametrize("sub", [".", "val"])
def test_event_files_are_equal_but_for_times(recorded_by_cpp, recorded_by_python, capture_reader, sub):
    (cpp,) = capture_reader.event_files(recorded_by_cpp / sub)
    (python,) = capture_reader.event_files(recorded_by_python / sub)
    ours = [timeless(payload) for payload in capture_reader.records(python)]
    theirs = [timeless(payload) for payload in capture_reader.records(cpp)]
    assert len(ours) == len(theirs) > 1
    assert ours == theirs


def test_capture_files_are_equal_but_for_times_and_the_process(recorded_by_cpp, recorded_by_python, capture_reader):
    (cpp,) = capture_reader.capture_files(recorded_by_cpp)
    (python,) = capture_reader.capture_files(recorded_by_python)
    ours, theirs = list(capture_reader.records(python)), list(capture_reader.records(cpp))
    assert len(ours) == len(theirs) == 1 + 5 + 7 + 2 + 1
    assert [timeless(payload) for payload in ours[1:-1]] == [timeless(payload) for payload in theirs[1:-1]]
    ends = [capture_reader.capture(payload).body for payload in (ours[-1], theirs[-1])]
    assert all(end.pop("caller_seconds") > 0 and end.pop("worker_seconds") > 0 for end in ends)
    assert ends[0] == ends[1]
    headers = [capture_reader.capture(payload).body for payload in (ours[0], theirs[0])]
    numbers = [header.pop("process_id") for header in headers]
    assert headers[0] == headers[1] and numbers[0] != numbers[1]


def test_both_leave_the_same_files(recorded_by_cpp, recorded_by_python):
    def kinds(root: Path) -> list[str]:
        return sorted(
            f"{path.parent.relative_to(root)}/{path.name.split('.')[0]}" for path in root.rglob("*") if path.is_file()
        )

    assert kinds(recorded_by_cpp) == kinds(recorded_by_python) == ["./captures", "./events", "val/events"]
