"""We read what both of TensorBoard's readers read, and where we differ we show more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from tensorboard.backend.event_processing import plugin_event_accumulator

import tensortap as tap

SEEDS = range(25)
PLUGINS = ["scalars", "histograms", "images", "text"]


@pytest.fixture(scope="module")
def random_logs(load_module):
    return load_module("random_logs")


@pytest.fixture(scope="module", params=SEEDS)
def logs(request, random_logs, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("logs")
    random_logs.write_logs(root, request.param)
    return root


def directories(root: Path) -> list[str]:
    return sorted({str(path.parent.relative_to(root)) for path in root.rglob("*tfevents*")})


def alone(runs: tap.Runs, directory: str) -> tap.RunReader:
    """A directory without its sub-runs: the way TensorBoard shows it."""
    return runs[directory]


def python_reader(root: Path, directory: str):
    """TensorBoard's Python reader, with every point and without its purge."""
    keep_all = dict.fromkeys(PLUGINS, 0)
    accumulator = plugin_event_accumulator.EventAccumulator(
        str(root / directory), {plugin_event_accumulator.TENSORS: 0}, keep_all, purge_orphaned_data=False
    )
    return accumulator.Reload()


def own_tags(run: tap.RunReader, directory: str, everything: list[str]) -> list[str]:
    """The tags of the directory itself, without those of sub-runs inside it."""
    below = [f"{each.removeprefix(directory + '/')}/" for each in everything if each.startswith(f"{directory}/")]
    if directory == ".":
        below = [f"{each}/" for each in everything if each != "."]
    return [tag for tag in run.tags() if not any(tag.startswith(prefix) for prefix in below)]


def test_the_runs_are_the_directories_with_event_files(logs):
    found = [directory for info in tap.open(logs, cache=False).info() for directory in info["directories"]]
    assert sorted(found) == directories(logs)


def test_raw_values_are_those_of_the_python_reader(logs):
    runs, everything = tap.open(logs, cache=False), directories(logs)
    for directory in everything:
        reader, run = python_reader(logs, directory), alone(runs, directory)
        tags = reader.Tags()["tensors"]
        assert own_tags(run, directory, everything) == sorted(tags)
        for tag in tags:
            events = reader.Tensors(tag)
            assert run.steps(tag, raw=True).tolist() == [event.step for event in events], tag
            if "scalar" in tag:
                points = run.scalars(tag, raw=True)
                theirs = [float(tf.make_ndarray(event.tensor_proto)) for event in events]
                assert points.value.tolist() == theirs, tag
                assert points.wall_time.tolist() == [event.wall_time for event in events]
            if "histogram" in tag:
                for ours, event in zip(run.histograms(tag, raw=True), events, strict=True):
                    rows = tf.make_ndarray(event.tensor_proto)
                    found = np.stack([ours.left, ours.right, ours.count], axis=1)
                    assert np.array_equal(found.astype(rows.dtype), rows), tag


def test_what_is_shown_is_what_the_data_server_shows(logs, start_server):
    server = start_server(logs)
    runs, everything = tap.open(logs, cache=False), directories(logs)
    server.wait_until_loaded()
    shown = server.read_scalars()
    for directory in everything:
        run = alone(runs, directory)
        for tag in own_tags(run, directory, everything):
            if "odd" in tag or "scalar" not in tag:
                continue  # it drops what is not float32
            points, theirs = run.scalars(tag), shown[directory][tag].data
            assert points.step.tolist() == list(theirs.step), tag
            assert points.value.astype(np.float32).tolist() == list(theirs.value), tag
    for plugin, form in (("histograms", "v2_histogram"), ("text", "text")):
        for directory, tags in server.read_tensors(plugin).items():
            for tag, values in tags.items():
                if tag.startswith(form):
                    assert alone(runs, directory).steps(tag).tolist() == [step for step, _ in values], tag
    for directory, tags in server.read_blobs("images").items():
        for tag, values in tags.items():
            run = alone(runs, directory)
            assert run.steps(tag).tolist() == [step for step, _ in values], tag
            for step, (_, _, blob) in values:
                assert [bytes(each) for each in run.images(tag, step)] == [blob]


def test_scalars_of_every_dtype_are_shown_where_the_data_server_drops_them(logs):
    runs = tap.open(logs, cache=False)
    for name in runs:
        for tag in runs[name].tags("scalars"):
            assert len(runs[name].scalars(tag)) > 0
            assert "scalar" in tag
