"""Whatever holds numbers in Python is recorded as what it is: NumPy, buffers, DLPack, lists."""

from __future__ import annotations

import array
import ctypes

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tensortap as tap

EXTENDED = [
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e4m3b11fnuz,
    ml_dtypes.float8_e5m2fnuz,
]
SMALL_INTEGERS = [ml_dtypes.int4, ml_dtypes.uint4]
PLAIN = ["?", "b", "h", "i", "l", "q", "B", "H", "I", "L", "Q", "e", "f", "d", "F", "D"]


def assert_same(found: np.ndarray, wanted) -> None:
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (3, 3.0),
        (-2.5, -2.5),
        (True, 1.0),
        (False, 0.0),
        (np.float32(1.5), 1.5),
        (np.float16(0.5), 0.5),
        (np.float64(0.1), 0.1),
        (np.int8(-3), -3.0),
        (np.uint64(2**63), 2.0**63),
        (np.bool_(True), 1.0),
        (np.array(2.5), 2.5),
        (np.array([2.5]), 2.5),
        (np.array([[7]], np.int16), 7.0),
        (ml_dtypes.bfloat16(1.5), 1.5),
        (ml_dtypes.float8_e4m3fn(0.5), 0.5),
        (np.array(1.5, ml_dtypes.bfloat16), 1.5),
        (np.array([3], ml_dtypes.int4), 3.0),
        (np.float64("nan"), float("nan")),
        (float("inf"), float("inf")),
        (2**60 + 1, float(2**60)),
    ],
)
def test_one_number_of_any_kind_is_a_scalar(run, reader, value, wanted):
    run.scalar("x", value, step=0)
    run.flush()
    np.testing.assert_equal(reader.scalars(run.path)["x"][0].value, wanted)


class WithFloat:
    def __float__(self) -> float:
        return 4.25


def test_anything_that_float_takes_is_a_scalar(run, reader):
    from decimal import Decimal
    from fractions import Fraction

    for step, value in enumerate([WithFloat(), Decimal("4.25"), Fraction(17, 4)]):
        run.scalar("x", value, step=step)
    run.flush()
    assert [point.value for point in reader.scalars(run.path)["x"]] == [4.25] * 3


@pytest.mark.parametrize("code", PLAIN)
def test_arrays_of_every_numpy_dtype_come_back(run, read_back, code):
    random = np.random.default_rng(3)
    values = random.integers(0, 2, (3, 4)) if code == "?" else random.standard_normal((3, 4)) * 50
    values = values.astype(code) if code not in "BHILQ" else np.abs(values).astype(code)
    run.tensor("x", values, step=0)
    assert_same(read_back(run, "x")[0], values)


@pytest.mark.parametrize("dtype", EXTENDED + SMALL_INTEGERS)
def test_arrays_of_every_ml_dtype_come_back(run, read_back, dtype):
    values = (np.arange(12) % 7).reshape(3, 4).astype(dtype)
    run.tensor("x", values, step=0)
    run.tensor("x", values.T, step=1)
    run.tensor("x", values[1, 2], step=2)
    found = read_back(run, "x")
    assert_same(found[0], values)
    assert_same(found[1], values.T)
    assert_same(found[2], values[1, 2])


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.T,
        lambda x: x[::2, ::3],
        lambda x: x[::-1],
        lambda x: x[:, ::-1, np.newaxis],
        lambda x: np.broadcast_to(x[0], (4, 8)),
        lambda x: np.asfortranarray(x),
        lambda x: np.lib.stride_tricks.sliding_window_view(x, (2, 2)),
        lambda x: x[1:1],
        lambda x: x[..., 0],
        lambda x: x.real,
        lambda x: x.astype(np.complex64).imag,
    ],
)
def test_arrays_with_gaps_or_backwards_come_back_in_order(run, read_back, make):
    values = make(np.arange(48, dtype=np.float32).reshape(6, 8))
    run.tensor("x", values, step=0)
    assert_same(read_back(run, "x")[0], values)


@pytest.mark.parametrize("code", [">f4", ">i2", ">c8", ">u8", ">f2"])
def test_foreign_byte_order_is_turned_round(run, read_back, code):
    values = np.array([[1, 2.5, 300]], code)
    run.tensor("x", values, step=0)
    assert_same(read_back(run, "x")[0], values.astype(values.dtype.newbyteorder("=")))


def test_misaligned_memory_is_read_all_the_same(run, read_back):
    values = np.frombuffer(bytearray(b"x" + np.arange(5.0).tobytes()), np.float64, offset=1)
    run.tensor("x", values, step=0)
    run.histogram("h", values, step=0)
    run.histogram("h", np.frombuffer(bytearray(b"x" + bytes(80_000)), np.float64, offset=1), step=1)
    assert_same(read_back(run, "x")[0], np.arange(5.0))
    stats = read_back(run, "h", "stats")
    assert stats[0].sum == 10 and stats[1].zeros == 10_000


def test_fields_of_records_come_back(run, read_back):
    records = np.zeros(5, [("a", np.int8), ("b", np.float32)])
    records["b"] = np.arange(5)
    run.tensor("x", records["b"], step=0)
    assert_same(read_back(run, "x")[0], records["b"])


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 3), (1,), (1, 1, 1), (2,) * 12])
def test_shapes_without_or_with_few_elements_come_back(run, read_back, shape):
    run.tensor("x", np.ones(shape, np.float32), step=0)
    run.histogram("h", np.ones(shape, np.float32), step=0)
    assert_same(read_back(run, "x")[0], np.ones(shape, np.float32))
    (stats,) = read_back(run, "h", "stats")
    assert stats.shape == list(shape) and stats.count == int(np.prod(shape))


def test_python_numbers_and_lists_are_tensors(run, read_back):
    for step, value in enumerate([1.5, 3, True, [1, 2], [[1.0], [2.0]], (1, 2.5), [], [True, False]]):
        run.tensor("x", value, step=step)
    found = read_back(run, "x")
    assert [array.tolist() for array in found] == [
        1.5,
        3,
        True,
        [1, 2],
        [[1.0], [2.0]],
        [1, 2.5],
        [],
        [True, False],
    ]
    assert [str(array.dtype) for array in found[:3]] == ["float64", "int64", "bool"]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (array.array("f", [1.5, 2.5]), np.array([1.5, 2.5], np.float32)),
        (array.array("q", [-1, 2**40]), np.array([-1, 2**40], np.int64)),
        (bytearray(b"\x01\x02\xff"), np.array([1, 2, 255], np.uint8)),
        (memoryview(b"\x01\x02\xff"), np.array([1, 2, 255], np.uint8)),
        (memoryview(array.array("d", [1, 2, 3, 4]))[::2], np.array([1.0, 3.0])),
        ((ctypes.c_int * 3)(1, 2, 3), np.array([1, 2, 3], np.int32)),
    ],
)
def test_anything_with_the_buffer_protocol_is_a_tensor(run, read_back, value, wanted):
    run.tensor("x", value, step=0)
    assert_same(read_back(run, "x")[0], wanted)


def test_bytes_are_a_tensor_of_bytes_as_other_buffers_are(run, read_back):
    run.tensor("x", b"\x01\x02\x00", step=0)
    assert_same(read_back(run, "x")[0], np.array([1, 2, 0], np.uint8))


class OnlyDlpack:
    """An array of a library that this package has never heard of."""

    def __init__(self, values: np.ndarray):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


class OnlyArray:
    def __init__(self, values: np.ndarray):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values


@pytest.mark.parametrize("wrap", [OnlyDlpack, OnlyArray])
def test_arrays_of_other_libraries_are_tensors(run, read_back, wrap):
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    run.tensor("x", wrap(values), step=0)
    run.tensor("x", wrap(values[:, ::-1]), step=1)
    run.scalar("s", wrap(np.array([2.5])), step=0)
    found = read_back(run, "x")
    assert_same(found[0], values)
    assert_same(found[1], values[:, ::-1])


def test_an_array_of_another_library_may_change_after_the_call(tmp_path, read_back):
    values = np.arange(6, dtype=np.float32)
    with tap.Run(tmp_path / "run", flush_ms=10_000) as run:
        run.tensor("x", OnlyDlpack(values), step=0)
        run.tensor("x", OnlyArray(values), step=1)
        values[:] = -1
        assert [found.tolist() for found in read_back(run, "x")] == [[0, 1, 2, 3, 4, 5]] * 2


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "run.text"),
        (["a", "b"], "run.text"),
        (np.array(["a"]), "run.text"),
        (np.array([object()]), "run.text"),
        (None, "run.text"),
        ({"a": 1}, "run.text"),
        (np.array(["2026-01-01"], "datetime64[D]"), "datetime64"),
        (np.zeros(2, np.longdouble), "float64"),
        (np.zeros(2, [("a", "f4")]), "float64"),
    ],
)
def test_what_holds_no_numbers_is_refused_with_what_to_do(run, value, words):
    for call in (run.tensor, run.histogram):
        with pytest.raises(TypeError, match=words):
            call("x", value, step=0)
    assert run.report()["offered"] == 0


def test_a_ragged_list_is_refused(run):
    with pytest.raises(ValueError, match="inhomogeneous"):
        run.tensor("x", [[1], [2, 3]], step=0)


def test_texts_come_as_str_bytes_lists_and_arrays(run):
    for step, text in enumerate(["a", b"b", ["c", "d"], np.array([["e"], ["f"]]), np.array("g"), [b"h"]]):
        run.text("x", text, step=step)
    assert run.report()["offered"] == 6
    with pytest.raises(TypeError, match="text must be a str"):
        run.text("x", 3, step=0)
    with pytest.raises(TypeError, match="text must be a str"):
        run.text("x", ["a", None], step=0)


dtypes = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="="),
    hnp.unsigned_integer_dtypes(endianness="="),
    hnp.floating_dtypes(endianness="=", sizes=(16, 32, 64)),
    hnp.complex_number_dtypes(endianness="=", sizes=(64, 128)),
)
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(arrays, st.booleans(), st.booleans()), min_size=1, max_size=4))
def test_any_array_comes_back_bit_for_bit(tmp_path_factory, reader, values):
    path = tmp_path_factory.mktemp("round") / "run"
    wanted = []
    with tap.Run(path) as run:
        for step, (value, turned, frozen) in enumerate(values):
            view = value.T if turned else value
            if frozen:
                value.flags.writeable = view.flags.writeable = False
            wanted.append(view)
            run.tensor("größe", view, step=step)
    found = [capture.body for capture in reader.of_tag(path, "größe", "tensor")]
    assert len(found) == len(wanted)
    for got, given_ in zip(found, wanted, strict=True):
        assert_same(got, given_)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_slice_of_an_ml_dtype_comes_back_bit_for_bit(tmp_path_factory, reader, data):
    dtype = np.dtype(data.draw(st.sampled_from(EXTENDED)))
    raw = data.draw(hnp.arrays(np.dtype(f"u{dtype.itemsize}"), hnp.array_shapes(max_dims=3, max_side=5)))
    values = raw.view(dtype)[data.draw(hnp.basic_indices(raw.shape, allow_ellipsis=False))]
    path = tmp_path_factory.mktemp("round") / "run"
    with tap.Run(path) as run:
        run.tensor("x", values, step=0)
    assert_same(reader.of_tag(path, "x", "tensor")[0].body, values)
