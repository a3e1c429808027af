"""TensorBoard's Python reader sees the scalars, histograms and texts that were recorded."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap


def finite_values(array) -> np.ndarray:
    values = np.asarray(array).astype(np.float64).ravel()
    return np.sort(values[np.isfinite(values)])


def assert_rows_tell_the_truth(rows: np.ndarray, values: np.ndarray) -> None:
    """Rows [left, right, count] against the sorted finite values they were made of."""
    assert rows.shape[1] == 3 and rows.dtype == np.float64
    left, right, counts = rows.T
    assert counts.sum() == len(values)
    assert np.all(counts >= 0) and np.all(counts == np.floor(counts))
    assert left[0] == values[0] and right[-1] == values[-1]
    assert np.array_equal(left[1:], right[:-1])
    assert np.all(left <= right)
    # A value on an edge belongs to the right of it if positive, to the left if negative.
    below = np.cumsum(counts)[:-1]
    assert np.all(np.searchsorted(values, right[:-1], "left") <= below)
    assert np.all(below <= np.searchsorted(values, right[:-1], "right"))


def test_every_tag_is_there_and_no_other(everything, accumulated):
    meshes = ["body_VERTEX", "body_FACE", "body_COLOR", "cloud_VERTEX"]
    hparams = [f"_hparams_/{name}" for name in ("experiment", "session_start_info", "session_end_info")]
    wanted = [
        *everything.scalars,
        *(f"histograms/{tag}" for tag in everything.histograms),
        *(f"images/{tag}" for tag in everything.images),
        *(f"audio/{tag}" for tag in everything.audio),
        *everything.texts,
        *["phased", "curve", *meshes, *hparams],
    ]
    found = set(accumulated.Tags()["tensors"]) - {"__run_graph__"}  # how one of the readers shows the graph
    assert sorted(found) == sorted(wanted)


def test_every_scalar_is_read_as_the_float32_of_what_was_recorded(everything, accumulated, tensors_of):
    for tag, points in everything.scalars.items():
        found = tensors_of(accumulated, tag)
        assert [step for step, _ in found] == [step for step, _ in points]
        with np.errstate(over="ignore"):
            wanted = np.array([value for _, value in points], np.float64).astype(np.float32)
        values = np.array([value for _, value in found])
        assert values.dtype == np.float32 and values.shape == (len(points),)
        # Bits, so that -0.0 is not 0.0; NaN has many of them.
        same = (values.view(np.uint32) == wanted.view(np.uint32)) | (np.isnan(values) & np.isnan(wanted))
        assert same.all(), tag


def test_sub_runs_are_runs_of_their_own(everything, accumulate, tensors_of):
    for name, losses in everything.sub_losses.items():
        found = tensors_of(accumulate(everything.run / name), "epoch_loss")
        assert found == [(step, np.float32(value)) for step, value in enumerate(losses)]


def test_tensorflows_own_iterator_reads_the_scalars_too(everything, events_in):
    found: dict[str, list] = {}
    for event in events_in(everything.run):
        for value in event.summary.value:
            if value.tag in everything.scalars:
                found.setdefault(value.tag, []).append((event.step, tf.make_ndarray(value.tensor).item()))
    with np.errstate(over="ignore"):
        for tag, points in everything.scalars.items():
            wanted = [(step, float(np.float32(value))) for step, value in points]
            np.testing.assert_equal(found[tag], wanted)


def test_histograms_count_the_finite_values_between_edges_that_ascend(everything, accumulated, tensors_of):
    for tag, arrays in everything.histograms.items():
        found = tensors_of(accumulated, f"histograms/{tag}")
        assert [step for step, _ in found] == list(range(len(arrays)))
        if tag in ("empty", "all nan", "all inf", "beyond float32"):
            continue
        for (_, rows), array in zip(found, arrays, strict=True):
            assert_rows_tell_the_truth(rows, finite_values(array))


@pytest.mark.parametrize("tag", ["normal", "large", "negative", "positive", "narrow", "half", "bfloat16"])
def test_histogram_counts_equal_numpys_on_the_same_edges(everything, accumulated, tensors_of, tag):
    for (_, rows), array in zip(tensors_of(accumulated, f"histograms/{tag}"), everything.histograms[tag], strict=True):
        values = finite_values(array)
        edges = np.append(rows[:, 0], rows[-1, 1])
        values = values[~np.isin(values, edges[1:-1])]  # NumPy puts these to the right, whatever their sign
        counts, _ = np.histogram(values, edges)
        on_edges = rows[:, 2].sum() - len(values)
        assert np.abs(rows[:, 2] - counts).sum() == on_edges
        assert on_edges < 0.01 * rows[:, 2].sum() or tag in ("half", "bfloat16")


def test_histograms_have_enough_buckets_to_draw_and_no_more_than_64(everything, accumulated, tensors_of):
    for tag in everything.histograms:
        for _, rows in tensors_of(accumulated, f"histograms/{tag}"):
            assert len(rows) <= 64
    for tag in ("normal", "negative", "narrow"):
        assert len(tensors_of(accumulated, f"histograms/{tag}")[0][1]) >= 15


def test_a_constant_tensor_is_one_bucket_that_holds_them_all(accumulated, tensors_of):
    assert tensors_of(accumulated, "histograms/constant")[0][1].tolist() == [[3.5, 3.5, 100]]
    assert tensors_of(accumulated, "histograms/zeros")[0][1].tolist() == [[0, 0, 20]]
    assert tensors_of(accumulated, "histograms/single")[0][1].tolist() == [[-2.5, -2.5, 1]]


@pytest.mark.parametrize("tag", ["empty", "all nan", "all inf"])
def test_a_tensor_without_finite_values_has_no_buckets_but_its_shape(accumulated, tensors_of, tag):
    (_, rows) = tensors_of(accumulated, f"histograms/{tag}")[0]
    assert rows.shape == (0, 3)


def test_values_beyond_float32_are_counted_in_buckets_that_reach_them(accumulated, tensors_of):
    (_, rows) = tensors_of(accumulated, "histograms/beyond float32")[0]
    assert rows[0, 0] == -1e300 and rows[-1, 1] == 1e300
    assert rows[:, 2].sum() == 6
    assert np.array_equal(rows[1:, 0], rows[:-1, 1]) and np.all(rows[:, 0] < rows[:, 1])


def test_tensorboards_distributions_can_be_computed_from_every_histogram(everything, accumulated, tensors_of):
    from tensorboard.plugins.distribution import compressor

    for tag, arrays in everything.histograms.items():
        (_, rows) = tensors_of(accumulated, f"histograms/{tag}")[0]
        points = compressor.compress_histogram(rows)
        values = finite_values(arrays[0])
        if len(values) == 0:
            continue
        assert len(points) == 9
        assert all(values[0] <= value <= values[-1] for _, value in points)
    normal = compressor.compress_histogram(tensors_of(accumulated, "histograms/normal")[0][1])
    median = dict(normal)[5000]
    assert abs(median - np.median(everything.histograms["normal"][0])) < 0.05


def test_histograms_are_thinned_after_fifty_but_the_last_is_there(tmp_path, accumulate, tensors_of):
    with tap.Run(tmp_path / "thinned") as run:
        for step in range(1001):
            run.histogram("w", np.arange(3.0) + step, step=step)
    steps = [step for step, _ in tensors_of(accumulate(tmp_path / "thinned"), "w")]
    assert steps[:50] == list(range(50))
    assert 100 < len(steps) < 200 and steps[-1] == 1000
    assert run.report()["histograms_thinned"] == 1001 - len(steps) + (1000 not in kept_by_rule(1001))


def kept_by_rule(count: int) -> set[int]:
    """The first 50, every 2nd up to 100, every 4th up to 200, ..."""
    kept, stride, limit = set(range(50)), 2, 100
    for index in range(50, count):
        if index >= limit:
            stride, limit = stride * 2, limit * 2
        if index % stride == 0:
            kept.add(index)
    return kept


def test_the_thinned_steps_are_those_of_the_documented_rule(tmp_path, accumulate, tensors_of):
    with tap.Run(tmp_path / "thinned") as run:
        for step in range(900):
            run.histogram("w", np.ones(1), step=step)
    steps = {step for step, _ in tensors_of(accumulate(tmp_path / "thinned"), "w")}
    assert steps == kept_by_rule(900) | {899}


@pytest.mark.parametrize(("option", "wanted"), [("all", 300), (False, 0)])
def test_tensorboard_gets_all_histograms_or_none_when_asked(tmp_path, accumulate, capture_reader, option, wanted):
    with tap.Run(tmp_path / "run", tensorboard=option) as run:
        run.scalar("loss", 1.0, step=0)
        for step in range(300):
            run.histogram("w", np.ones(1), step=step)
    accumulator = accumulate(tmp_path / "run")
    assert len(accumulator.Tensors("w") if wanted else []) == wanted
    assert ("w" in accumulator.Tags()["tensors"]) == (wanted > 0)
    assert len(capture_reader.of_tag(tmp_path / "run", "w", "stats")) == 300


def test_texts_keep_their_shape_and_their_characters(everything, accumulated, tensors_of):
    for tag, text in everything.texts.items():
        step, array = tensors_of(accumulated, tag)[0]
        assert step == 0
        assert array.shape == np.shape(text)
        assert [item.decode() for item in array.ravel()] == np.ravel(text).tolist()
    assert tensors_of(accumulated, "note")[1][1].item() == b"second"
