"""The data server of stock TensorBoard reads everything; we ask it through its own gRPC stubs."""

from __future__ import annotations

import json

import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap


@pytest.fixture(scope="module", params=["", "--checksum"], ids=["fast", "checksum"])
def server(request, start_server, everything):
    """The server over everything, once as TensorBoard starts it and once with all checksums on."""
    started = start_server(everything.log_directory, *filter(None, [request.param]))
    started.wait_until_loaded()
    return started


def test_the_runs_are_those_with_events_and_no_other(everything, server):
    assert sorted(server.runs()) == sorted(everything.runs_with_events)


def test_every_point_of_every_scalar_is_there(everything, server):
    found = server.read_scalars()
    assert set(found) == {"all", "all/train", "all/val", "sub only/train"}
    assert set(found["all"]) == set(everything.scalars)
    for tag, points in everything.scalars.items():
        data = found["all"][tag].data
        assert list(data.step) == [step for step, _ in points]
        with np.errstate(over="ignore"):
            wanted = np.array([value for _, value in points]).astype(np.float32)
        assert np.array_equal(np.array(data.value, np.float32), wanted, equal_nan=True)
        assert list(data.wall_time) == sorted(data.wall_time)
    for name, losses in everything.sub_losses.items():
        assert list(found[f"all/{name}"]["epoch_loss"].data.value) == [np.float32(value) for value in losses]


def test_scalar_metadata_tells_the_last_step(everything, server):
    for tag, points in everything.scalars.items():
        metadata = server.list_scalars()["all"][tag].metadata
        assert metadata.max_step == max(step for step, _ in points)
        assert metadata.summary_metadata.plugin_data.plugin_name == "scalars"


@pytest.mark.parametrize("plugin", ["histograms", "text", "pr_curves", "mesh", "hparams"])
def test_tensors_equal_what_the_python_reader_finds(everything, server, accumulated, tensors_of, plugin):
    tags = [
        tag
        for tag in accumulated.Tags()["tensors"]
        if accumulated.SummaryMetadata(tag).plugin_data.plugin_name == plugin
    ]
    found, listed = server.read_tensors(plugin)["all"], server.list_tensors(plugin)["all"]
    assert sorted(found) == sorted(listed) == sorted(tags)
    for tag in tags:
        # This server keeps the last value where a step repeats.
        wanted = list(dict(tensors_of(accumulated, tag)).items())
        assert [step for step, _ in found[tag]] == [step for step, _ in wanted]
        for (_, ours), (_, theirs) in zip(found[tag], wanted, strict=True):
            assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
            assert np.array_equal(ours, theirs)
        metadata = listed[tag].metadata.summary_metadata
        assert metadata.plugin_data.content == accumulated.SummaryMetadata(tag).plugin_data.content


def test_histograms_count_every_finite_value(everything, server):
    found = server.read_tensors("histograms")["all"]
    for tag, arrays in everything.histograms.items():
        counts = [rows[:, 2].sum() for _, rows in found[f"histograms/{tag}"]]
        assert counts == [np.isfinite(np.asarray(array, np.float64)).sum() for array in arrays]


@pytest.mark.parametrize("plugin", ["images", "audio"])
def test_pictures_and_sounds_come_as_the_bytes_in_the_file(server, everything, accumulated, tensors_of, plugin):
    wanted = {f"{plugin}/{tag}" for tag in getattr(everything, plugin)}
    found = server.read_blobs(plugin)["all"]
    assert set(found) == wanted
    for tag in wanted:
        theirs = tensors_of(accumulated, tag)
        assert [step for step, _ in found[tag]] == [step for step, _ in theirs]
        for (_, blobs), (_, strings) in zip(found[tag], theirs, strict=True):
            # Sounds come without their labels.
            assert blobs == (strings if strings.ndim == 1 else strings[:, 0]).tolist()


def test_the_graph_comes_as_it_was_recorded(everything, server):
    ((step, blobs),) = server.read_blobs("graphs")["all"]["__run_graph__"]
    assert step == 0
    assert [tf.compat.v1.GraphDef.FromString(blob) for blob in blobs] == [everything.graph.as_graph_def()]


def test_keras_models_come_as_their_json(everything_module, server):
    found = server.read_blobs("graph_keras_model")
    assert set(found) == {"models/sequential", "models/functional"}
    for run, model in (
        ("models/sequential", everything_module.sequential_model()),
        ("models/functional", everything_module.functional_model()),
    ):
        ((_, blobs),) = found[run]["keras"]
        assert [json.loads(blob) for blob in blobs] == [json.loads(model.to_json())]


def test_checksum_mode_notices_a_flipped_bit_and_plain_mode_does_not(tmp_path, start_server, capture_reader):
    """So that reading everything under --checksum above means something."""
    with tap.Run(tmp_path / "run") as run:
        for step in range(10):
            run.scalar("loss", 1.0, step=step)
    (path,) = capture_reader.event_files(tmp_path / "run")
    data = bytearray(path.read_bytes())
    data[-5] ^= 0x40  # in the last value
    path.write_bytes(data)
    counts = {}
    for flag in ("--no-checksum", "--checksum"):
        started = start_server(tmp_path, flag)
        started.wait_until_loaded()
        found = started.read_scalars()
        counts[flag] = len(found["run"]["loss"].data.step)
    assert counts == {"--no-checksum": 10, "--checksum": 9}


def test_a_run_that_is_still_recording_is_read_as_far_as_it_was_flushed(tmp_path, start_server):
    with tap.Run(tmp_path / "live") as run:
        for step in range(100):
            run.scalar("loss", float(step), step=step)
        run.flush()
        started = start_server(tmp_path)
        started.wait_until_loaded()
        found = started.read_scalars()
        assert list(found["live"]["loss"].data.step) == list(range(100))
