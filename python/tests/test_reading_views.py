"""What a view shows of a training that was restarted, resumed, or written by several; and how sub-runs are joined."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tensorboardX import SummaryWriter

import tensortap as tap


def write(path, points: dict[int, float], **options) -> None:
    with tap.Run(path, **options) as run:
        for step, value in points.items():
            run.scalar("loss", value, step=step)


def loss(tmp_path, **options):
    points = tap.open(tmp_path)["a"].scalars("loss", **options)
    return list(zip(points.step.tolist(), points.value.tolist(), strict=True))


def test_a_resumed_run_replaces_what_it_does_again(tmp_path):
    write(tmp_path / "a", dict.fromkeys(range(6), 1.0))
    time.sleep(0.01)
    write(tmp_path / "a", dict.fromkeys(range(3, 5), 2.0), mode="resume")
    assert loss(tmp_path) == [(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0), (4, 2.0)]
    first = [(step, 1.0) for step in range(6)]
    assert loss(tmp_path, raw=True) == [*first, (3, 2.0), (4, 2.0)]
    assert tap.open(tmp_path)["a"].scalars("loss").replaced_points == 3


def test_a_step_that_is_written_twice_shows_the_last_value(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for step, value in [(0, 1.0), (1, 2.0), (2, 3.0), (1, 4.0)]:
            run.scalar("loss", value, step=step)
    assert loss(tmp_path) == [(0, 1.0), (1, 4.0)]
    assert loss(tmp_path, raw=True) == [(0, 1.0), (1, 2.0), (2, 3.0), (1, 4.0)]


def test_captures_may_repeat_a_step(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for batch in range(3):
            run.histogram("val/out", np.full(4, batch), step=7, phase="val")
            run.tensor("val/out", np.full(4, batch), step=7, phase="val")
    run = tap.open(tmp_path)["a"]
    assert run.stats("val/out").max.tolist() == [0, 1, 2]
    assert run.tensor("val/out", step=7).tolist() == [2] * 4


def test_a_resumed_run_replaces_captures_too(tmp_path):
    for attempt in range(2):
        with tap.Run(tmp_path / "a", mode="resume") as run:
            for step in range(attempt * 2, 4):
                run.histogram("w", np.full(4, attempt), step=step)
        time.sleep(0.01)
    run = tap.open(tmp_path)["a"]
    assert run.stats("w").max.tolist() == [0, 0, 1, 1]
    assert run.stats("w", raw=True).max.tolist() == [0, 0, 0, 0, 1, 1]
    assert [each.left[0] for each in run.histograms("w")] == [0, 0, 1, 1]


def test_a_resume_step_replaces_every_tag_from_there_on(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for step in range(6):
            run.scalar("loss", 1.0, step=step)
            run.scalar("other", 1.0, step=step)
            run.histogram("w", np.arange(3.0), step=step)
    time.sleep(0.01)
    write(tmp_path / "a", {3: 2.0}, mode="resume", resume_step=3)
    run = tap.open(tmp_path)["a"]
    assert loss(tmp_path) == [(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0)]
    assert run.scalars("other").step.tolist() == run.stats("w").step.tolist() == [0, 1, 2]
    assert len(run.scalars("other", raw=True)) == 6


def test_a_purge_step_of_tensorboardx_does_the_same(tmp_path):
    with SummaryWriter(str(tmp_path / "a")) as writer:
        for step in range(6):
            writer.add_scalar("loss", 1.0, step)
            writer.add_scalar("other", 1.0, step)
    time.sleep(0.01)
    with SummaryWriter(str(tmp_path / "a"), purge_step=3, filename_suffix=".2") as writer:
        writer.add_scalar("loss", 2.0, 3)
    assert loss(tmp_path) == [(0, 1.0), (1, 1.0), (2, 1.0), (3, 2.0)]
    assert tap.open(tmp_path)["a"].scalars("other").step.tolist() == [0, 1, 2]


def test_several_writers_at_the_same_time_are_merged_by_step(tmp_path):
    writers = [tap.Run(tmp_path / "a", mode="join") for _ in range(2)]
    for step in range(6):
        writers[step % 2].scalar("loss", float(step), step=step)
        time.sleep(0.002)
    for writer in writers:
        writer.close()
    assert loss(tmp_path) == [(step, float(step)) for step in range(6)]


def test_sub_runs_are_joined_and_can_be_asked_for_alone(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        run.scalar("lr", 0.1, step=0)
        run.sub("train").scalar("loss", 1.0, step=0)
        run.sub("val").scalar("loss", 2.0, step=0)
        run.sub("other").scalar("loss", 3.0, step=0)
    runs = tap.open(tmp_path)
    assert list(runs) == ["a", "a/other"]
    assert runs["a"].tags() == ["lr", "train/loss", "val/loss"]
    assert runs["a"].scalars("val/loss").value.tolist() == [2.0]
    assert runs["a/val"].tags() == ["loss"]
    assert "a/val" in runs
    with pytest.raises(KeyError, match="Did you mean 'train/loss' or 'val/loss'"):
        runs["a"].scalars("loss")


def test_derived_histograms_are_not_counted_again(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for step in range(5):
            run.histogram("w", np.arange(10.0), step=step)
    run = tap.open(tmp_path)["a"]
    assert [each["kind"] for each in run.series()] == ["stats"]
    assert run.tags("histograms") == []
    assert len(run.histograms("w")) == 5
