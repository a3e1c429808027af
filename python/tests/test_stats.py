"""The statistics of any array are NumPy's, for every dtype, shape and stride."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tensortap import _record, carriers

EXTENDED_FLOATS = [
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e4m3b11fnuz,
    ml_dtypes.float8_e5m2fnuz,
]
FLOATS = [np.float16, np.float32, np.float64, *EXTENDED_FLOATS]
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
PERCENTS = [1, 5, 25, 50, 75, 95, 99]
shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=9)


def stats_of(array) -> dict:
    return _record.tensor_stats(carriers.tensor(array))


def numbers(array: np.ndarray) -> np.ndarray:
    """The values that count, as doubles: of complex ones the magnitude, NaN if either part is."""
    if array.dtype.kind == "c":
        return np.where(np.isnan(array), np.nan, np.abs(array)).astype(np.float64).ravel()
    return array.astype(np.float64).ravel()


def close(found: float, wanted: float, slack: float) -> bool:
    return found == wanted or abs(found - wanted) <= slack


def check_counts(stats: dict, array: np.ndarray) -> np.ndarray:
    """Everything that is counted or compared, and so is exact. Returns the finite values."""
    wide = numbers(array)
    finite = wide[np.isfinite(wide)]
    assert stats["count"] == array.size
    assert stats["zeros"] == (wide == 0).sum()
    assert stats["nan"] == np.isnan(wide).sum()
    assert stats["positive_inf"] == np.isposinf(wide).sum()
    assert stats["negative_inf"] == np.isneginf(wide).sum()
    assert stats["negatives"] == (wide < 0).sum()
    if len(finite):
        # A magnitude is rounded to the precision of the parts, by NumPy and by us, not always the same way.
        slack = np.finfo(array.dtype).eps * finite.max() if array.dtype.kind == "c" else 0
        assert close(stats["min"], finite.min(), slack) and close(stats["max"], finite.max(), slack)
    else:
        assert stats["min"] == math.inf and stats["max"] == -math.inf
        assert all(math.isnan(stats[name]) for name in ("mean", "std"))
    return finite


def check_moments(stats: dict, finite: np.ndarray, rounding: float = 0) -> None:
    """Sums against exact ones; n roundings of a double leave this much room."""
    if not len(finite):
        return
    room = 4e-16 * (len(finite) + 8) + rounding
    size = math.fsum(np.abs(finite))
    mean = math.fsum(finite) / len(finite)
    assert close(stats["l1"], size, room * size)
    assert close(stats["mean"], mean, room * size / len(finite))
    squares = math.fsum(finite * finite)
    assert close(stats["l2"], math.sqrt(squares), room * math.sqrt(squares))
    deviation = math.sqrt(math.fsum((finite - mean) ** 2) / len(finite))
    assert close(stats["std"], deviation, 1e-9 * deviation + (1e-14 + rounding) * np.abs(finite).max())


def check_percentiles(stats: dict, finite: np.ndarray) -> None:
    """Each lies within a bucket of the value of its rank: an eighth of it, or a 32nd of the range."""
    if not len(finite):
        assert all(math.isnan(value) for value in stats["percentiles"])
        return
    ordered = np.sort(finite)
    found = stats["percentiles"]
    assert found == sorted(found)
    for percent, value in zip(PERCENTS, found, strict=True):
        rank = percent / 100 * len(ordered)
        low = ordered[min(max(math.ceil(rank) - 1, 0), len(ordered) - 1)]
        high = ordered[min(math.floor(rank), len(ordered) - 1)]
        slack = max(abs(low), abs(high)) / 8 + 1e-37
        assert min(low, high) - slack <= value <= max(low, high) + slack


def raw_arrays(dtype):
    """Any bits at all: NaN with payloads, infinities, subnormals."""
    dtype = np.dtype(dtype)
    return hnp.arrays(np.dtype(f"u{dtype.itemsize}"), shapes).map(lambda raw: raw.view(dtype))


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda dtype: np.dtype(dtype).name)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_floats_of_any_bits_are_counted_exactly(dtype, data):
    array = data.draw(raw_arrays(dtype))
    stats = stats_of(array)
    finite = check_counts(stats, array)
    smallest_normal = float(ml_dtypes.finfo(dtype).smallest_normal)
    wide = numbers(array)
    assert stats["subnormals"] == ((wide != 0) & (np.abs(wide) < smallest_normal)).sum()
    if np.dtype(dtype) != np.float64:
        check_moments(stats, finite)


@pytest.mark.parametrize("dtype", FLOATS, ids=lambda dtype: np.dtype(dtype).name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_ordinary_floats_have_numpys_moments_and_percentiles(dtype, data):
    elements = st.floats(-100, 100, width=16)
    array = data.draw(hnp.arrays(np.float64, shapes, elements=elements)).astype(dtype)
    stats = stats_of(array)
    finite = check_counts(stats, array)
    check_moments(stats, finite)
    check_percentiles(stats, finite)


@settings(max_examples=100, deadline=None)
@given(hnp.arrays(np.float64, shapes, elements=st.floats(-1e150, 1e150)))
def test_doubles_of_any_size_have_exact_sums(array):
    check_moments(stats_of(array), check_counts(stats_of(array), array))


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: np.dtype(dtype).name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_integers_have_numpys_counts_moments_and_percentiles(dtype, data):
    array = data.draw(hnp.arrays(dtype, shapes))
    stats = stats_of(array)
    finite = check_counts(stats, array)
    check_moments(stats, finite)
    check_percentiles(stats, finite)
    assert stats["subnormals"] == 0


@pytest.mark.parametrize("dtype", [np.bool_, ml_dtypes.int4, ml_dtypes.uint4], ids=lambda t: np.dtype(t).name)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_bools_and_small_integers_have_numpys_counts_and_moments(dtype, data):
    low, high = {"bool": (0, 1), "int4": (-8, 7), "uint4": (0, 15)}[np.dtype(dtype).name]
    array = data.draw(hnp.arrays(np.int8, shapes, elements=st.integers(low, high))).astype(dtype)
    stats = stats_of(array)
    check_moments(stats, check_counts(stats, array))


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_complex_numbers_count_by_magnitude(dtype, data):
    parts = st.one_of(st.floats(-(2.0**50), 2.0**50, width=32), st.sampled_from([np.nan, np.inf, -np.inf]))
    array = data.draw(hnp.arrays(dtype, shapes, elements=st.builds(complex, parts, parts)))
    stats = stats_of(array)
    finite = check_counts(stats, array)
    check_moments(stats, finite, float(np.finfo(dtype).eps))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_strides_of_any_kind_change_nothing(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64, np.int16, np.uint8, ml_dtypes.bfloat16]))
    whole = data.draw(hnp.arrays(np.int8, hnp.array_shapes(min_dims=1, max_dims=4, max_side=12))).astype(dtype)
    view = whole[data.draw(hnp.basic_indices(whole.shape))]
    view = view.T if data.draw(st.booleans()) else view
    stats, packed = stats_of(view), stats_of(view.copy())
    check_counts(stats, np.asarray(view))
    for name, value in packed.items():
        assert stats[name] == pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("size", [1, 7, 8, 15, 16, 17, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 100_003])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int32, np.uint8])
def test_sizes_around_the_width_of_vectors_and_blocks(dtype, size):
    random = np.random.default_rng(size)
    array = (random.standard_normal(size) * 40).astype(np.int16).astype(dtype)
    stats = stats_of(array)
    finite = check_counts(stats, array)
    check_moments(stats, finite)
    check_percentiles(stats, finite)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 1, 15, 16, 500, 998, 999])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_one_bad_value_anywhere_is_seen_and_spoils_nothing(dtype, at, bad):
    array = np.linspace(-1, 1, 1000).astype(dtype)
    array[at] = bad
    stats = stats_of(array)
    finite = check_counts(stats, array)
    assert stats["nan"] + stats["positive_inf"] + stats["negative_inf"] == 1
    check_moments(stats, finite)


def test_a_small_spread_around_a_large_number_is_not_lost():
    array = 1e9 + np.random.default_rng(1).standard_normal(10_000)
    stats = stats_of(array)
    assert stats["std"] == pytest.approx(array.std(), rel=1e-6)
    assert stats["mean"] == pytest.approx(array.mean(), rel=1e-15)
    for percent, value in zip(PERCENTS, stats["percentiles"], strict=True):
        assert abs(value - np.percentile(array, percent)) < 0.2


def test_percentiles_of_a_normal_distribution_are_close():
    array = np.random.default_rng(1).standard_normal(100_000).astype(np.float32)
    for percent, value in zip(PERCENTS, stats_of(array)["percentiles"], strict=True):
        assert value == pytest.approx(np.percentile(array, percent), rel=0.05, abs=0.02)


def test_an_empty_array_has_no_numbers():
    stats = stats_of(np.zeros((3, 0), np.float32))
    assert stats["count"] == stats["zeros"] == 0
    assert all(math.isnan(stats[name]) for name in ("mean", "std"))
    assert (stats["min"], stats["max"]) == (math.inf, -math.inf)
