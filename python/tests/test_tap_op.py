"""The tap op: it fires exactly once where it is executed, records what it was given, and never fails a step."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from tensortap import _record
from tensortap.watching import tensorflow_op

LIBRARY = Path(_record.__file__).with_name("tensortap_op.so")
STEP = tf.constant(0, tf.int64)


class Taps:
    """A watch with taps that all record values at every batch."""

    def __init__(self, run) -> None:
        self.run = run
        self.watch = _record.TapWatch(run)
        self.numbers: dict[str, int] = {}

    def number(self, tag: str, **options) -> int:
        if tag not in self.numbers:
            options = {"stats": False, "values": True, **options}
            self.numbers[tag] = self.watch.add_tap(self.run, tag, phase="train", **options)
        return self.numbers[tag]

    def begin(self, step=STEP):
        return tensorflow_op.begin(step, self.watch.number, "train", 0)

    def tap(self, tag: str, tensor, step=STEP, **options):
        tensorflow_op.tap(step, [tensor], [self.number(tag, **options)])
        return tensor


@pytest.fixture
def taps(run) -> Taps:
    return Taps(run)


@pytest.fixture
def values_of(run, read_back):
    """tag -> the recorded arrays, in their order."""

    def read(tag: str) -> list:
        return [body.tolist() for body in read_back(run, tag)]

    return read


# --- once


def test_eagerly_each_call_records_once(taps, values_of):
    assert bool(taps.begin()) is True
    for value in (1.0, 2.0, 3.0):
        taps.tap("x", tf.constant(value))
    assert values_of("x") == [1.0, 2.0, 3.0]


def test_a_function_records_once_per_call_also_what_nobody_needs_and_what_looks_the_same(taps, values_of):
    @tf.function
    def inner(x):
        return taps.tap("inner", x + 1)

    @tf.function
    def function(x, step):
        taps.begin(step)
        taps.tap("dead", x * 100, step)  # nobody uses it
        taps.tap("twin", x * 2, step)
        taps.tap("twin", x * 2, step)  # the optimizer of graphs could make one of them
        taps.tap("constant", tf.constant(7.0), step)
        return inner(inner(x))

    for index in range(3):
        assert float(function(tf.constant(float(index)), tf.constant(index, tf.int64))) == index + 2
    assert values_of("dead") == [0.0, 100.0, 200.0]
    assert values_of("twin") == [0.0, 0.0, 2.0, 2.0, 4.0, 4.0]
    assert values_of("constant") == [7.0, 7.0, 7.0]
    assert values_of("inner") == [1.0, 2.0, 2.0, 3.0, 3.0, 4.0]


def test_loops_record_each_turn_and_branches_only_the_one_that_is_taken(taps, values_of):
    @tf.function
    def function(x):
        taps.begin()
        _, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, taps.tap("while", x + 1)), [0, x])
        x = tf.cond(x > 2, lambda: taps.tap("taken", x), lambda: taps.tap("not taken", x))
        for i in tf.range(2):
            x = taps.tap("for", x + tf.cast(i, tf.float32))
        return tf.reduce_sum(tf.map_fn(lambda y: taps.tap("map", y * x), tf.constant([1.0, 2.0])))

    function(tf.constant(0.0))
    assert values_of("while") == [1.0, 2.0, 3.0]
    assert values_of("taken") == [3.0]
    assert values_of("not taken") == []
    assert values_of("for") == [3.0, 4.0]
    assert sorted(values_of("map")) == [4.0, 8.0]


def test_a_dataset_records_each_element(taps, values_of):
    taps.begin()
    data = tf.data.Dataset.range(4).map(lambda x: taps.tap("x", x * 10), num_parallel_calls=2)
    assert [int(x) for x in data] == [0, 10, 20, 30]
    assert sorted(values_of("x")) == [0, 10, 20, 30]


def test_gradients_flow_past_a_tap(taps, values_of):
    taps.begin()
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = taps.tap("x", x * x) * 2
    assert float(tape.gradient(y, x)) == 12.0


def test_several_taps_of_one_op_each_get_their_tensor(taps, run, read_back, values_of):
    taps.begin()
    update = taps.watch.add_tap(run, "update", kind="update", phase="train", ratio_tag="ratio")
    scalar = taps.watch.add_tap(run, "scalar", kind="scalar", phase="train")
    before, after = tf.constant([3.0, 4.0]), tf.constant([3.0, 4.5])
    tensors = [tf.constant([1, 2]), before, after, tf.constant(0.25)]
    tensorflow_op.tap(tf.constant(5, tf.int64), tensors, [taps.number("x"), update, update, scalar])
    assert values_of("x") == [[1, 2]]
    (stats,) = read_back(run, "update", "stats")
    assert (stats.min, stats.max) == (0.0, 0.5)


# --- never fails


@pytest.mark.parametrize("kind", ["eager", "graph"])
def test_unknown_numbers_record_nothing_and_fail_nothing(kind, taps, values_of):
    def body(x):
        tensorflow_op.begin(STEP, 2**62, "train", 0)
        tensorflow_op.begin(STEP, -1, "train", 10**6)
        taps.begin()
        tensorflow_op.tap(STEP, [x, x + 1, x + 2], [2**62, taps.number("x"), 0])
        return x

    assert float((tf.function(body) if kind == "graph" else body)(tf.constant(1.0))) == 1.0
    assert values_of("x") == [2.0]


def test_more_tensors_than_taps_or_the_reverse_record_what_fits(taps, values_of):
    taps.begin()
    x = tf.constant(1.0)
    tensorflow_op.tap(STEP, [x, x + 1], [taps.number("x")])
    tensorflow_op.tap(STEP, [x + 2], [taps.number("x"), taps.number("y")])
    assert values_of("x") == [1.0, 3.0]
    assert values_of("y") == []


def test_a_closed_watch_records_nothing_in_graphs_that_still_hold_its_taps(taps, values_of):
    @tf.function
    def function(x):
        is_open = taps.begin()
        return taps.tap("x", x), is_open

    assert bool(function(tf.constant(1.0))[1]) is True
    taps.watch.close()
    assert bool(function(tf.constant(2.0))[1]) is False
    assert bool(tf.function(lambda x: taps.begin())(tf.constant(3.0))) is False, "made after it was closed"
    assert values_of("x") == [1.0]


def test_a_watch_that_python_forgot_records_nothing(taps, values_of):
    number, tap = taps.watch.number, taps.number("x")

    @tf.function
    def function(x):
        is_open = tensorflow_op.begin(STEP, number, "train", 0)
        tensorflow_op.tap(STEP, [x], [tap])
        return is_open

    assert bool(function(tf.constant(1.0))) is True
    taps.watch = None
    assert bool(function(tf.constant(2.0))) is False
    assert values_of("x") == [1.0]


def test_a_closed_run_records_nothing_and_fails_nothing(taps, run, values_of):
    taps.begin()
    taps.tap("x", tf.constant(1.0))
    run.close()
    taps.begin()
    taps.tap("x", tf.constant(2.0))


def test_muted_and_before_the_first_batch_the_gates_are_shut(taps, values_of):
    taps.tap("x", tf.constant(1.0))
    taps.watch.mute(True)
    assert bool(taps.begin()) is False
    taps.tap("x", tf.constant(2.0))
    taps.watch.mute(False)
    taps.begin()
    taps.tap("x", tf.constant(3.0))
    assert values_of("x") == [3.0]


# --- what it is given

RECORDED = [
    *(tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.bool, tf.complex64, tf.complex128),
    *(tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64),
    *(getattr(tf.dtypes.experimental, name) for name in ("int4", "uint4", "float8_e5m2", "float8_e4m3fn")),
    *(getattr(tf.dtypes.experimental, f"float8_{name}") for name in ("e4m3fnuz", "e4m3b11fnuz", "e5m2fnuz")),
]
# Fewer bits than a file of ours could hold; of newer TensorFlows only.
TINY = [getattr(tf.dtypes.experimental, name, None) for name in ("int2", "uint2", "float4_e2m1fn")]


def every_dtype() -> set[tf.DType]:
    found = [getattr(module, name) for module in (tf, tf.dtypes.experimental) for name in dir(module)]
    return {one for one in found if isinstance(one, tf.DType)}


@pytest.mark.parametrize("dtype", RECORDED, ids=lambda dtype: dtype.name)
def test_every_numeric_dtype_is_recorded_as_it_is(dtype, taps, run, read_run):
    array = np.array([[0, 1], [1, 0]]).astype(dtype.as_numpy_dtype)
    taps.begin()
    taps.tap("x", tf.constant(array), stats=True)
    read = read_run(run)
    assert np.array_equal(read.tensor("x").astype(np.complex128), array.astype(np.complex128))
    assert read.tensor("x").dtype == array.dtype
    assert read.stats("x").max[0] == 1.0
    assert run.report()["dropped"] == 0


def test_what_has_no_numbers_is_counted_and_fails_nothing(taps, run, values_of):
    floats = tf.constant([1.0, 2.0])
    odd = [tf.constant(["a", "b"]), tf.Variable(1.0).handle, tf.data.Dataset.range(2)._variant_tensor]
    odd += [tf.quantization.quantize(floats, 0.0, 2.0, dtype)[0] for dtype in (tf.qint8, tf.quint8, tf.qint32)]
    odd += [
        tf.bitcast(tf.constant([1], plain), dtype) for plain, dtype in ((tf.int16, tf.qint16), (tf.uint16, tf.quint16))
    ]
    odd += [tf.constant(np.ones(2, dtype.as_numpy_dtype)) for dtype in TINY if dtype is not None]
    assert {tensor.dtype for tensor in odd} | set(RECORDED) == every_dtype()
    taps.begin()
    for index, tensor in enumerate(odd):
        taps.tap(f"odd{index}", tensor)
    taps.tap("x", floats)
    assert values_of("x") == [[1.0, 2.0]]
    assert run.report()["dropped"] == len(odd)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,) * 8, (5,)], ids=str)
def test_shapes_without_elements_without_dimensions_and_with_many(shape, taps, run, read_run):
    taps.begin()
    taps.tap("x", tf.ones(shape), stats=True)
    read = read_run(run)
    assert read.tensor("x").shape == shape
    assert read.stats("x").count[0] == int(np.prod(shape))


def test_a_variable_that_is_updated_in_place_afterwards_does_not_change_what_was_recorded(taps, run, read_run):
    variable = tf.Variable(tf.zeros(4096))

    @tf.function
    def function(step):
        taps.begin(step)
        value = variable.read_value()
        taps.tap("x", value, step)
        with tf.control_dependencies([value]):
            variable.assign_add(tf.ones(4096))
            variable.scatter_update(tf.IndexedSlices([-1.0], [0]))

    for step in range(200):
        function(tf.constant(step, tf.int64))
    read = read_run(run)
    assert list(read.steps("x")) == list(range(200))
    for step in range(200):
        recorded = read.tensor("x", step)
        assert (recorded[1:] == step).all()
        assert recorded[0] == (0 if step == 0 else -1)


def test_an_eager_tensor_is_held_and_not_copied_until_it_is_written(taps, run, read_run):
    taps.begin()
    for index in range(20):
        tensor = tf.fill([1 << 16], float(index))
        taps.tap("x", tensor, tf.constant(index, tf.int64))
        del tensor
    read = read_run(run)
    assert all((read.tensor("x", index) == index).all() for index in range(20))


# --- the library


def test_the_library_needs_no_tensorflow_to_be_linked():
    needed = subprocess.run(["readelf", "-d", str(LIBRARY)], capture_output=True, text=True, check=True).stdout
    libraries = [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line]
    assert libraries
    assert [name for name in libraries if "tensorflow" in name.lower()] == []


def test_the_library_loads_where_there_is_no_tensorflow(run_program):
    program = """
        import ctypes, sys
        library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
        print("tensorflow" in open("/proc/self/maps").read())
    """
    ended = run_program(program, LIBRARY)
    assert (ended.returncode, ended.stdout.strip()) == (0, "False"), ended.stderr


def test_a_second_copy_of_the_library_leaves_the_first_one_working(taps, values_of, tmp_path):
    tensorflow_op.load()
    copied = tmp_path / "tensortap_op.so"
    shutil.copy(LIBRARY, copied)
    library = LIBRARY.resolve().parent
    for name in library.glob("libtensortap*"):  # what it needs beside it
        shutil.copy(name, tmp_path)
    tf.load_op_library(str(copied))
    ctypes.CDLL(str(copied))
    taps.begin()

    @tf.function
    def function(x):
        taps.begin()
        return taps.tap("x", x)  # a kernel that is made now

    assert float(function(tf.constant(4.0))) == 4.0
    assert values_of("x") == [4.0]
    assert str(tmp_path) in Path("/proc/self/maps").read_text()
