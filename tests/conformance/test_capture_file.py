"""The capture file, read by a program that shares nothing with the one that wrote it."""

from __future__ import annotations

import math
import os
import re
import socket
from collections import Counter

import numpy as np
import pytest

import tensortap as tap


@pytest.fixture(scope="module")
def captures(everything, capture_reader):
    return capture_reader.captures(everything.run)


@pytest.fixture(scope="module")
def stats_of(captures):
    """(tag) -> [Stats], in the order of recording"""

    def read(tag: str) -> list:
        return [capture.body for capture in captures if capture.tag == tag and capture.kind == "stats"]

    return read


def finite(array) -> np.ndarray:
    values = np.asarray(array).astype(np.float64).ravel()
    return values[np.isfinite(values)]


def test_the_first_record_is_a_header_that_says_who_wrote_it(captures):
    header = captures[0].body
    assert captures[0].kind == "header"
    assert header["format_version"] == 1 and header["least_reader_version"] == 1
    assert header["writer"] == f"tensortap {tap.__version__}"
    assert header["process_id"] == os.getpid()
    assert header["host"] == re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())
    assert [capture.kind for capture in captures].count("header") == 1


def test_the_last_record_says_how_the_run_ended_and_what_it_had(everything, captures):
    assert captures[-1].kind == "end"
    body = dict(captures[-1].body)
    seconds = [body.pop(name) for name in ("caller_seconds", "worker_seconds")]
    assert body == {"success": True, "offered": everything.report["offered"], "dropped": 0}
    assert seconds[0] == everything.report["caller_seconds"]
    assert 0 < seconds[1] <= everything.report["worker_seconds"]
    assert [capture.kind for capture in captures].count("end") == 1


def test_a_run_that_failed_says_so(everything, capture_reader):
    captures = capture_reader.captures(everything.log_directory / "failed")
    assert [capture.kind for capture in captures] == ["header", "end"]
    assert captures[-1].body["success"] is False


def test_header_and_end_belong_to_no_tag_and_no_step(captures):
    for capture in (captures[0], captures[-1]):
        assert (capture.tag, capture.step, capture.phase, capture.sequence) == ("", 0, "", 0)


def test_wall_times_are_finite_and_never_run_backwards(captures):
    times = [capture.wall_time for capture in captures]
    assert all(math.isfinite(time) for time in times)
    assert times == sorted(times)


def test_sequence_numbers_of_a_tag_count_up_and_never_repeat(captures):
    by_tag: dict[str, list[int]] = {}
    for capture in captures[1:-1]:
        by_tag.setdefault(capture.tag, []).append(capture.sequence)
    assert by_tag["histograms/normal"] == [0, 1, 2, 3, 4]
    assert by_tag["phased"] == list(range(8))
    assert all(numbers == list(range(len(numbers))) for numbers in by_tag.values())


def test_phases_tell_captures_of_one_step_apart(captures):
    phased = [capture for capture in captures if capture.tag == "phased"]
    assert {capture.step for capture in phased} == {5}
    tensors = [(capture.phase, capture.body[0]) for capture in phased if capture.kind == "tensor"]
    assert tensors == [("train", 0), ("val", 1), ("predict", 2), ("", 3)]
    assert [c.phase for c in phased if c.kind == "stats"] == ["train", "val", "predict", ""]


def test_everything_recorded_is_there_once(everything, captures):
    counts = Counter((capture.kind, capture.tag) for capture in captures[1:-1])
    wanted = Counter({("stats", "phased"): 4, ("tensor", "phased"): 4})
    wanted.update({("stats", f"histograms/{tag}"): len(found) for tag, found in everything.histograms.items()})
    wanted.update({("tensor", f"tensors/{tag}"): 1 for tag in everything.tensors})
    wanted.update({("predictions", "predictions/classes"): 3, ("predictions", "predictions/unlabelled"): 1})
    assert counts == wanted


def test_tensors_come_back_with_their_bytes_dtype_and_shape(everything, captures):
    found = {capture.tag: capture for capture in captures if capture.kind == "tensor"}
    for tag, wanted in everything.tensors.items():
        capture = found[f"tensors/{tag}"]
        assert capture.step == 3
        assert capture.body.dtype == wanted.dtype
        assert capture.body.shape == wanted.shape
        assert capture.body.tobytes() == wanted.tobytes(), tag


def test_predictions_come_back_with_labels_and_either_kind_of_ids(everything, captures):
    found = [capture for capture in captures if capture.tag == "predictions/classes"]
    for step, (capture, wanted) in enumerate(zip(found, everything.predictions, strict=True)):
        assert capture.step == step and capture.phase == wanted.phase
        body = capture.body
        for got, given in ((body.y_true, wanted.y_true), (body.y_pred, wanted.y_pred)):
            assert got.dtype == given.dtype and np.array_equal(got, given)
        ids = wanted.ids or []
        numbers = [] if body.number_ids is None else body.number_ids.tolist()
        assert numbers + body.text_ids == ids
    assert found[1].body.number_ids.dtype == np.int64


def test_predictions_without_labels_have_none(captures):
    (capture,) = [capture for capture in captures if capture.tag == "predictions/unlabelled"]
    assert capture.body.y_true is None and capture.body.number_ids is None and capture.body.text_ids == []
    assert capture.body.y_pred.tolist() == [0, 1, 2]


def test_statistics_count_what_numpy_counts(everything, stats_of):
    for tag, arrays in everything.histograms.items():
        for stats, array in zip(stats_of(f"histograms/{tag}"), arrays, strict=True):
            wide = np.asarray(array).astype(np.float64)
            assert stats.dtype == array.dtype and stats.shape == list(array.shape)
            assert stats.count == array.size
            assert stats.zeros == np.sum(wide == 0)
            assert stats.nan == np.isnan(wide).sum()
            assert stats.positive_inf == np.isposinf(wide).sum()
            assert stats.negative_inf == np.isneginf(wide).sum()
            assert stats.negatives == np.sum(wide < 0)
            assert stats.finite == len(finite(array))


def test_statistics_equal_numpys_moments_of_the_finite_values(everything, stats_of):
    for tag, arrays in everything.histograms.items():
        for stats, array in zip(stats_of(f"histograms/{tag}"), arrays, strict=True):
            values = finite(array)
            if len(values) == 0 or tag == "beyond float32":
                continue
            assert stats.min == values.min() and stats.max == values.max()
            size = np.abs(values).sum()
            assert stats.sum == pytest.approx(math.fsum(values), abs=1e-12 * size)
            assert stats.l1 == pytest.approx(math.fsum(np.abs(values)), rel=1e-12)
            assert stats.l2 == pytest.approx(np.sqrt(math.fsum(values * values)), rel=1e-12)
            centred = values - math.fsum(values) / len(values)
            std = np.sqrt(math.fsum(centred * centred) / len(values))
            # Mean and deviation of doubles far from zero keep as many digits as the spread leaves them.
            assert stats.std == pytest.approx(std, rel=1e-9, abs=1e-12 * np.abs(values).max()), tag
            assert stats.mean == pytest.approx(values.mean(), rel=1e-12, abs=1e-12 * size / len(values))


def test_without_finite_values_there_is_no_least_and_no_greatest(stats_of):
    for tag in ("empty", "all nan", "all inf"):
        (stats,) = stats_of(f"histograms/{tag}")
        assert stats.min is None and stats.max is None
        assert stats.log_buckets is None and stats.linear_buckets is None


def test_sums_beyond_float32_stay_doubles(stats_of):
    (stats,) = stats_of("histograms/beyond float32")
    assert (stats.min, stats.max) == (-1e300, 1e300)
    assert stats.l1 == 2e300 + 1
    assert stats.zeros == 1 and stats.negatives == 2


def log_keys(array) -> dict[int, int]:
    """Keys by the bits of float32: 2048 + magnitude of positive values, 2047 - magnitude of negative ones."""
    values = finite(array)
    values = values[values != 0]
    narrow = values.astype(np.float32)
    bits = narrow.view(np.uint32)
    magnitude = (bits & 0x7FFFFFFF) >> 20
    keys = np.where(bits >> 31, 2047 - magnitude.astype(np.int64), 2048 + magnitude.astype(np.int64))
    return {int(key): int(count) for key, count in zip(*np.unique(keys, return_counts=True), strict=True)}


def is_narrow(values: np.ndarray) -> bool:
    """One sign, and the largest magnitude is less than 4 times the smallest: where the linear grid serves."""
    magnitudes = np.abs(values)
    one_sign = len(values) > 0 and (values.min() > 0 or values.max() < 0)
    return bool(one_sign and values.min() < values.max() and magnitudes.max() / 4 < magnitudes.min())


def test_log_buckets_equal_a_plain_bucketing_by_the_bits_of_float32(everything, stats_of):
    checked = 0
    for tag, arrays in everything.histograms.items():
        for stats, array in zip(stats_of(f"histograms/{tag}"), arrays, strict=True):
            if tag == "beyond float32" or stats.log_buckets is None:
                continue
            assert stats.log_buckets == log_keys(array), tag
            checked += 1
    assert checked >= 15


def test_values_beyond_float32_fall_into_the_outermost_and_the_innermost_bucket(stats_of):
    (stats,) = stats_of("histograms/beyond float32")
    largest = (np.float32(np.finfo(np.float32).max).view(np.uint32) >> 20).item()
    one = (np.float32(1).view(np.uint32) >> 20).item()
    keys = [2047 - largest, 2047, 2048, 2048 + one, 2048 + largest]
    assert stats.log_buckets == dict.fromkeys(keys, 1)


def test_linear_buckets_are_taken_for_narrow_values_and_equal_a_plain_bucketing(everything, stats_of):
    checked = []
    for tag, arrays in everything.histograms.items():
        for stats, array in zip(stats_of(f"histograms/{tag}"), arrays, strict=True):
            values = finite(array)
            assert (stats.linear_buckets is not None) == is_narrow(values), tag
            if stats.linear_buckets is None:
                continue
            cells = np.floor(values * 2.0**-stats.linear_exponent).astype(np.int64) - stats.linear_base
            wanted = dict(zip(*(found.tolist() for found in np.unique(cells, return_counts=True)), strict=True))
            assert stats.linear_buckets == wanted
            assert min(wanted) == 0 and 32 <= max(wanted) + 1 <= 65
            checked.append(tag)
    assert checked == ["narrow", "narrow doubles"]


def test_buckets_and_zeros_add_up_to_the_finite_values(everything, stats_of):
    for tag in everything.histograms:
        for stats in stats_of(f"histograms/{tag}"):
            counted = sum((stats.log_buckets or stats.linear_buckets or {}).values())
            assert counted + stats.zeros == stats.finite


def test_what_a_tiny_queue_drops_is_counted_in_the_file(tmp_path, capture_reader):
    with tap.Run(tmp_path / "run", queue_bytes=50_000, flush_ms=1000) as run:
        for step in range(20):
            run.tensor("x", np.zeros(10_000, np.uint8), step=step)
    report = run.report()
    assert report["dropped"] > 0
    captures = capture_reader.captures(tmp_path / "run")
    assert captures[-1].body["offered"] == 20
    assert captures[-1].body["dropped"] == report["dropped"]
    losses = [capture.body["dropped"] for capture in captures if capture.kind == "loss"]
    assert losses[-1] == report["dropped"] and losses == sorted(losses)
    assert len([c for c in captures if c.kind == "tensor"]) == 20 - report["dropped"]


def test_the_reader_refuses_a_flipped_bit(everything, capture_reader, tmp_path):
    (path,) = capture_reader.capture_files(everything.log_directory / "failed")
    data = bytearray(path.read_bytes())
    for at in (3, 20, len(data) - 3):
        damaged = bytearray(data)
        damaged[at] ^= 4
        (tmp_path / "captures.x.tap").write_bytes(damaged)
        with pytest.raises(AssertionError):
            capture_reader.captures(tmp_path)
