"""`tensortap ls`: runs and tags, as tables and as JSON."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

RUN_FIELDS = [
    "name",
    "state",
    "directories",
    "first_wall_time",
    "last_wall_time",
    "last_step",
    "size_bytes",
    "files",
    "records",
    "tags",
    "points",
    "kinds",
    "damaged_places",
    "dropped",
    "caller_seconds",
    "worker_seconds",
]


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_runs_are_rows_with_their_numbers(call, recorded):
    done = call("ls", recorded)
    assert done.returncode == 0 and done.stderr == ""
    title, first, second = rows(done.stdout)
    assert title[:2] == ["RUN", "STATE"]
    assert first[:3] == ["a", "ended", "199"] and second[0] == "deeper/b"
    assert first[4] == "403" and "ago" in first


def test_columns_stand_below_each_other_also_with_wide_names(call, frames, tmp_path):
    for name in ("a", "日本語", "größe"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "events.out.tfevents.1").write_bytes(b"".join(frames.scalars(3)))
    title, *lines = call("ls", tmp_path).stdout.splitlines()

    def columns_before_state(line: str) -> int:
        before = line[: line.index("unknown")]
        return len(before) + sum(1 for letter in before if ord(letter) > 0x2E80)

    assert {columns_before_state(line) for line in lines} == {title.index("STATE")}


def test_a_run_lists_its_tags_by_kind(call, recorded):
    done = call("ls", recorded, "a")
    found = {(row[0], row[1]): row[2:] for row in rows(done.stdout)[1:]}
    assert found["loss", "scalars"] == ["200", "0..199"]
    assert found["val/loss", "scalars"] == ["200", "0..199"]
    assert found["w", "stats"] == ["30", "0..29"]
    assert ("w", "histograms") not in found  # derived from the statistics
    assert {kind for _, kind in found} >= {"tensors", "images", "audio", "text", "predictions", "hparams"}


def test_a_sub_run_can_be_named(call, recorded):
    assert [row[0] for row in rows(call("ls", recorded, "a/val").stdout)] == ["TAG", "loss"]


def test_json_of_runs_has_its_documented_shape(call, recorded):
    found = json.loads(call("ls", recorded, "--json").stdout)
    assert list(found) == ["path", "runs", "skipped", "points", "series"]
    assert found["path"] == str(recorded) and found["skipped"] == []
    assert [list(run) for run in found["runs"]] == [RUN_FIELDS, RUN_FIELDS]
    first, second = found["runs"]
    assert first["name"] == "a" and first["directories"] == ["a", "a/val"] and first["points"] == 403
    assert second["points"] == 1 and second["kinds"] == ["scalars"]
    assert found["points"] == 404 and found["series"] == first["tags"] + second["tags"]


def test_json_of_a_run_has_its_documented_shape(call, recorded):
    found = json.loads(call("ls", recorded, "a", "--json", "--kind", "stats").stdout)
    assert list(found) == ["path", "run", "series"] and found["run"] == "a"
    (series,) = found["series"]
    assert series.pop("last_wall_time") > 1.7e9
    assert series == {
        "tag": "w",
        "kind": "stats",
        "count": 30,
        "first_step": 0,
        "last_step": 29,
        "plugin": "",
        "description": "",
    }


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        (["--run", "*"], ["a"]),
        (["--run", "**"], ["a", "deeper/b"]),
        (["--run", "deeper/*"], ["deeper/b"]),
        (["--tag", "val/*"], ["a"]),
        (["--tag", "loss"], ["a", "deeper/b"]),
        (["--kind", "images"], ["a"]),
        (["--kind", "images", "--tag", "loss"], []),
        (["--run", "nothing"], []),
    ],
)
def test_runs_can_be_chosen(call, recorded, arguments, runs):
    found = json.loads(call("ls", recorded, "--json", *arguments).stdout)
    assert [run["name"] for run in found["runs"]] == runs


def test_tags_can_be_chosen(call, recorded):
    found = json.loads(call("ls", recorded, "a", "--tag", "**loss", "--json").stdout)
    assert [series["tag"] for series in found["series"]] == ["loss", "val/loss"]


def test_a_run_that_is_not_there_is_2_and_near_names_are_given(call, recorded):
    done = call("ls", recorded, "deeper/c")
    assert done.returncode == 2 and done.stdout == ""
    assert "deeper/b" in done.stderr


def test_a_kind_that_is_none_is_2_and_names_those_there_are(call, recorded):
    done = call("ls", recorded, "--kind", "scalar")
    assert done.returncode == 2 and "scalars" in done.stderr


def test_a_directory_without_runs_says_what_to_do(call, tmp_path):
    done = call("ls", tmp_path)
    assert done.returncode == 0 and "tensortap.Run(" in done.stdout


def test_damage_and_drops_are_marked(call, logs, events, flip_bit):
    flip_bit(events, events.stat().st_size // 2)
    assert "1 damaged place" in call("ls", logs).stdout
    assert json.loads(call("ls", logs, "--json").stdout)["runs"][0]["damaged_places"] == 1


def test_the_second_time_is_answered_from_the_cache_and_alike(call, program, frames, tmp_path):
    (tmp_path / "logs").mkdir()
    path = tmp_path / "logs" / "events.out.tfevents.1"
    path.write_bytes(b"".join(frames.scalars(20_000)))
    cache = tmp_path / "cache"
    environment = os.environ | {"TENSORTAP_CACHE_DIR": str(cache)}
    cold = call("ls", tmp_path / "logs", "--json", env=environment)
    assert any(cache.rglob("*.idx"))
    warm = call("ls", tmp_path / "logs", "--json", env=environment)
    assert warm.stdout == cold.stdout and json.loads(warm.stdout)["points"] == 20_000


def test_without_cache_nothing_is_remembered(call, logs, tmp_path):
    environment = os.environ | {"TENSORTAP_CACHE_DIR": str(tmp_path / "cache")}
    assert call("ls", logs, "--no-cache", env=environment).returncode == 0
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_threads_gives_the_same(call, recorded, threads):
    one = call("ls", recorded, "--json", "--no-cache", "--threads", "1").stdout
    assert call("ls", recorded, "--json", "--no-cache", "--threads", threads).stdout == one


def test_head_ends_it_quietly(program, call, frames, tmp_path):
    for number in range(3000):
        (tmp_path / f"{number:040}").mkdir()
        (tmp_path / f"{number:040}" / "events.out.tfevents.1").write_bytes(frames.version())
    piped = f'"{program}" ls "{tmp_path}" --no-cache | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", piped], capture_output=True, text=True, timeout=60, check=False)
    head, code = done.stdout.splitlines()
    assert head.startswith("RUN") and code in ("0", "141") and done.stderr == ""


def test_a_full_disk_is_said(program, recorded):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run([program, "ls", recorded], stdout=full, stderr=subprocess.PIPE, timeout=30, check=False)
    assert done.returncode == 2 and b"write" in done.stderr


def test_runs_of_tensorflow_are_listed(call, tmp_path):
    import tensorflow as tf

    with tf.summary.create_file_writer(str(tmp_path / "theirs")).as_default():
        for step in range(10):
            tf.summary.scalar("loss", 0.5, step=step)
            tf.summary.histogram("h", tf.range(10.0), step=step)
        tf.summary.image("i", tf.zeros((1, 4, 4, 3)), step=0)
        tf.summary.text("t", "words", step=0)
    found = json.loads(call("ls", tmp_path, "--json").stdout)
    assert found["points"] == 10 and found["runs"][0]["state"] in ("live", "unknown")
    assert found["runs"][0]["kinds"] == ["scalars", "histograms", "images", "text"]


def test_runs_of_tensorboardx_are_listed(call, tmp_path):
    import numpy as np
    from tensorboardX import SummaryWriter

    with SummaryWriter(str(tmp_path / "x")) as writer:
        for step in range(10):
            writer.add_scalar("loss", step, step)
        writer.add_histogram("h", np.arange(10), 0)
        writer.add_image("i", np.zeros((3, 4, 4), np.uint8), 0)
    series = json.loads(call("ls", tmp_path, "x", "--json").stdout)["series"]
    assert {(each["tag"], each["kind"], each["count"]) for each in series} == {
        ("loss", "scalars", 10),
        ("h", "histograms", 1),
        ("i", "images", 1),
    }
