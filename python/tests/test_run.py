"""A run: how it is opened, where it records, what it reports, how it ends."""

from __future__ import annotations

import logging
import os
import re
import time
from pathlib import Path

import numpy as np
import pytest

import tensortap as tap


def values_of(reader, path) -> list[float]:
    return [point.value for point in reader.scalars(path).get("loss", [])]


def record(path, *values: float, **options) -> tap.Run:
    with tap.Run(path, **options) as run:
        for step, value in enumerate(values):
            run.scalar("loss", value, step=step)
    return run


def test_a_run_makes_its_directory_and_the_parents(tmp_path, reader):
    run = record(tmp_path / "a" / "b" / "c", 1.0)
    assert run.path == str(tmp_path / "a" / "b" / "c")
    assert values_of(reader, run.path) == [1.0]


def test_a_path_may_be_text_or_a_path_and_start_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert record("~/a", 1.0).path == str(tmp_path / "a")
    assert record(str(tmp_path / "b") + "/", 1.0).path == str(tmp_path / "b")


def test_a_relative_path_stays_with_its_directory_when_the_program_moves(tmp_path, monkeypatch, reader):
    monkeypatch.chdir(tmp_path)
    with tap.Run("runs/a") as run:
        run.scalar("loss", 1.0, step=0)
        (tmp_path / "elsewhere").mkdir()
        os.chdir(tmp_path / "elsewhere")
        run.sub("val").scalar("loss", 2.0, step=0)
    assert values_of(reader, tmp_path / "runs" / "a") == [1.0]
    assert values_of(reader, tmp_path / "runs" / "a" / "val") == [2.0]


def test_new_records_to_a_numbered_sibling_and_says_so(tmp_path, reader, caplog):
    record(tmp_path / "a", 1.0)
    with caplog.at_level(logging.WARNING, "tensortap"):
        second, third = record(tmp_path / "a", 2.0), record(tmp_path / "a", 3.0)
    assert [Path(run.path).name for run in (second, third)] == ["a-2", "a-3"]
    assert [values_of(reader, tmp_path / name) for name in ("a", "a-2", "a-3")] == [[1.0], [2.0], [3.0]]
    assert f"recording to {tmp_path / 'a-2'}" in caplog.messages[0]
    assert second.notes and "holds a run already" in second.notes[0]


def test_a_new_run_says_nothing(tmp_path, caplog):
    run = record(tmp_path / "a", 1.0)
    assert run.notes == [] and caplog.messages == []


def test_resume_adds_files_beside_the_old_ones(tmp_path, reader):
    record(tmp_path / "a", 1.0)
    before = {path: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    resumed = record(tmp_path / "a", 2.0, mode="resume")
    assert resumed.path == str(tmp_path / "a")
    assert sorted(values_of(reader, tmp_path / "a")) == [1.0, 2.0]
    assert all(path.read_bytes() == data for path, data in before.items())
    assert len(reader.event_files(tmp_path / "a")) == 2


def test_several_runs_join_one_directory_at_the_same_time(tmp_path, reader):
    runs = [tap.Run(tmp_path / "a", mode="join") for _ in range(3)]
    for number, run in enumerate(runs):
        run.scalar("loss", float(number), step=0)
    for run in runs:
        run.close()
    assert sorted(values_of(reader, tmp_path / "a")) == [0.0, 1.0, 2.0]
    assert {run.path for run in runs} == {str(tmp_path / "a")}


def test_overwrite_deletes_the_old_run_with_its_sub_runs(tmp_path, reader):
    with tap.Run(tmp_path / "a") as old:
        old.scalar("loss", 1.0, step=0)
        old.sub("val").scalar("loss", 1.5, step=0)
    (tmp_path / "a" / "notes.txt").write_text("mine")
    new = record(tmp_path / "a", 2.0, mode="overwrite")
    assert values_of(reader, tmp_path / "a") == [2.0]
    assert values_of(reader, tmp_path / "a" / "val") == []
    assert (tmp_path / "a" / "notes.txt").read_text() == "mine"
    assert "deleted" in new.notes[0]


def test_overwrite_refuses_a_directory_that_holds_something_else(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="will not overwrite"):
        tap.Run(tmp_path / "a", mode="overwrite")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["thesis.txt"]


def test_overwrite_refuses_a_log_directory_of_other_runs(tmp_path, reader):
    record(tmp_path, 1.0)
    record(tmp_path / "other", 2.0)
    with pytest.raises(ValueError, match="a run of its own"):
        tap.Run(tmp_path, mode="overwrite")
    assert values_of(reader, tmp_path / "other") == [2.0]


def test_an_empty_directory_is_taken_as_it_is_in_every_mode(tmp_path):
    for mode in ("new", "resume", "join", "overwrite"):
        (tmp_path / mode).mkdir()
        assert record(tmp_path / mode, 1.0, mode=mode).path == str(tmp_path / mode)


def test_a_wrong_mode_is_answered_with_the_right_ones(tmp_path):
    with pytest.raises(ValueError, match="mode is one of new, resume, join, overwrite; not 'append'"):
        tap.Run(tmp_path / "a", mode="append")
    assert not (tmp_path / "a").exists()


def test_resume_step_without_resume_is_refused(tmp_path):
    with pytest.raises(ValueError, match="resume_step needs mode resume"):
        tap.Run(tmp_path / "a", resume_step=3)


def test_new_run_is_named_by_the_time_and_never_twice(tmp_path):
    runs = [tap.new_run(tmp_path / "runs") for _ in range(3)]
    named = tap.new_run(tmp_path / "runs", "wide")
    for run in (*runs, named):
        run.close()
    names = [Path(run.path).name for run in runs]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(-\d+)?", name) for name in names)
    assert Path(named.path).name.endswith("_wide")
    assert {Path(run.path).parent for run in runs} == {tmp_path / "runs"}


def test_leaving_the_block_closes_the_run_as_a_success(tmp_path, reader):
    with tap.Run(tmp_path / "a") as run:
        assert not run.closed
    assert run.closed
    assert reader.captures(tmp_path / "a")[-1].body["success"] is True


def test_an_exception_ends_the_run_as_a_failure_and_is_passed_on(tmp_path, reader):
    with pytest.raises(ZeroDivisionError), tap.Run(tmp_path / "a") as run:
        run.scalar("loss", 1.0, step=0)
        run.scalar("loss", 1 / 0, step=1)
    assert run.closed
    assert reader.captures(tmp_path / "a")[-1].body["success"] is False
    assert values_of(reader, tmp_path / "a") == [1.0]


def test_closing_twice_is_closing_once(tmp_path, reader):
    run = tap.Run(tmp_path / "a")
    run.close()
    run.close()
    assert [capture.kind for capture in reader.captures(tmp_path / "a")] == ["header", "end"]


def test_a_closed_run_refuses_every_recording_call(tmp_path):
    run = record(tmp_path / "a", 1.0)
    calls = {
        "scalar": lambda: run.scalar("loss", 1.0, step=1),
        "histogram": lambda: run.histogram("h", [1.0], step=1),
        "tensor": lambda: run.tensor("t", [1.0], step=1),
        "text": lambda: run.text("x", "x", step=1),
        "image": lambda: run.image("i", np.zeros((2, 2)), step=1),
        "hparams": lambda: run.hparams({"a": 1}),
        "sub": lambda: run.sub("val"),
    }
    for call in calls.values():
        with pytest.raises(ValueError, match="is closed"):
            call()
    assert run.report()["offered"] == 1
    run.flush()  # nothing to do, no error


def test_a_run_that_is_garbage_was_closed_in_order(tmp_path, reader):
    run = tap.Run(tmp_path / "a")
    run.scalar("loss", 1.0, step=0)
    del run
    assert values_of(reader, tmp_path / "a") == [1.0]
    assert reader.captures(tmp_path / "a")[-1].kind == "end"


def test_flush_gives_everything_before_it_to_the_operating_system(tmp_path, reader):
    with tap.Run(tmp_path / "a", flush_ms=60_000) as run:
        for step in range(10):
            run.scalar("loss", float(step), step=step)
        assert run.flush() is True
        assert values_of(reader, tmp_path / "a") == [float(step) for step in range(10)]
        run.scalar("loss", 10.0, step=10)
        assert run.sync() is True
        assert len(values_of(reader, tmp_path / "a")) == 11


def test_without_flush_records_leave_within_a_second(tmp_path, reader):
    with tap.Run(tmp_path / "a") as run:
        run.scalar("loss", 1.0, step=0)
        end = time.monotonic() + 2
        while not values_of(reader, tmp_path / "a") and time.monotonic() < end:
            time.sleep(0.02)
        assert values_of(reader, tmp_path / "a") == [1.0]


def test_the_report_adds_up_at_any_moment(tmp_path):
    with tap.Run(tmp_path / "a", queue_bytes=200_000) as run:
        for step in range(2000):
            run.tensor("x", np.zeros(1000), step=step)
            if step % 50 == 0:
                report = run.report()
                parts = report["written"] + report["waiting"] + report["dropped"]
                assert report["offered"] == step + 1 == parts
        run.flush()
        flushed = run.report()
        assert flushed["waiting"] == 0 and flushed["queue_bytes"] == 0
    closed = run.report()
    assert closed["offered"] == closed["written"] + closed["dropped"] == 2000
    on_disk = sum(path.stat().st_size for path in (tmp_path / "a").iterdir())
    assert closed["bytes"] == on_disk
    assert 0 < closed["peak_queue_bytes"] <= 200_000
    assert closed["caller_seconds"] > 0 and closed["worker_seconds"] > 0


def test_the_report_counts_calls_of_every_kind_once(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        run.scalar("s", 1, step=0)
        run.histogram("h", [1.0, 2.0], step=0)
        run.mesh("m", np.zeros((1, 3, 3)), faces=[[[0, 1, 2]]], step=0)
        run.hparams({"a": 1}, metrics=["s"])
        run.sub("val").text("t", "x", step=0)
        with pytest.raises(ValueError, match="empty"):
            run.scalar("", 1, step=0)
    report = run.report()
    assert (report["offered"], report["written"], report["dropped"]) == (5, 5, 0)


def test_sub_runs_are_directories_below_and_count_with_their_run(tmp_path, reader):
    with tap.Run(tmp_path / "a") as run:
        val, deep = run.sub("val"), run.sub("workers/größe 3")
        val.scalar("loss", 1.0, step=0)
        deep.scalar("loss", 2.0, step=0)
        val.sub("inner").scalar("loss", 3.0, step=0)
        assert run.sub("val").path == val.path == str(tmp_path / "a" / "val")
        run.sub("val").scalar("loss", 4.0, step=1)
    assert val.closed and deep.closed
    assert values_of(reader, tmp_path / "a" / "val") == [1.0, 4.0]
    assert values_of(reader, tmp_path / "a" / "workers" / "größe 3") == [2.0]
    assert values_of(reader, tmp_path / "a" / "val" / "inner") == [3.0]
    assert run.report()["written"] == 4


def test_a_sub_run_without_data_leaves_no_file(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        run.sub("val")
    assert [path.name for path in (tmp_path / "a").rglob("*") if path.is_file() and "val" in path.parts] == []


def test_a_sub_run_keeps_its_run_alive(tmp_path, reader):
    val = tap.Run(tmp_path / "a").sub("val")
    val.scalar("loss", 1.0, step=0)
    val.flush()
    assert values_of(reader, tmp_path / "a" / "val") == [1.0]
    val.close()


def test_calls_without_a_step_use_the_one_that_was_set(run, reader):
    with pytest.raises(ValueError, match=r"no step is known: pass step=, or set run\.step"):
        run.scalar("loss", 1.0)
    assert run.step is None
    run.step = 41
    run.scalar("loss", 1.0)
    run.sub("val").scalar("loss", 2.0)
    run.scalar("loss", 3.0, step=50)
    assert run.step == run.sub("val").step == 41
    run.flush()
    assert [point.step for point in reader.scalars(run.path)["loss"]] == [41, 50]
    assert [point.step for point in reader.scalars(run.sub("val").path)["loss"]] == [41]


def test_its_text_names_the_directory(tmp_path):
    run = tap.Run(tmp_path / "a")
    assert repr(run) == f"tensortap.Run({str(tmp_path / 'a')!r})"
    run.close()
    assert repr(run).endswith(", closed)")
