"""TensorFlow's and Keras's tensors, variables and composite values are recorded as what they hold."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap

NUMERIC = [
    tf.float16,
    tf.float32,
    tf.float64,
    tf.bfloat16,
    tf.int8,
    tf.int16,
    tf.int32,
    tf.int64,
    tf.uint8,
    tf.uint16,
    tf.uint32,
    tf.uint64,
    tf.bool,
    tf.complex64,
    tf.complex128,
    tf.dtypes.experimental.float8_e5m2,
    tf.dtypes.experimental.float8_e4m3fn,
    tf.dtypes.experimental.float8_e4m3fnuz,
    tf.dtypes.experimental.float8_e4m3b11fnuz,
    tf.dtypes.experimental.float8_e5m2fnuz,
    tf.dtypes.experimental.int4,
    tf.dtypes.experimental.uint4,
]


def tensor_of(dtype: tf.DType) -> tf.Tensor:
    values = np.arange(6).reshape(2, 3) % 2 if dtype == tf.bool else np.arange(6).reshape(2, 3)
    return tf.constant(values.astype(dtype.as_numpy_dtype))


@pytest.mark.parametrize("dtype", NUMERIC, ids=lambda dtype: dtype.name)
def test_eager_tensors_of_every_dtype_come_back(run, read_back, dtype):
    value = tensor_of(dtype)
    run.tensor("x", value, step=0)
    (found,) = read_back(run, "x")
    assert found.dtype == dtype.as_numpy_dtype
    assert found.tobytes() == value.numpy().tobytes() and found.shape == (2, 3)


@pytest.mark.parametrize("dtype", NUMERIC, ids=lambda dtype: dtype.name)
def test_eager_tensors_of_every_dtype_have_statistics(run, read_back, dtype):
    value = tensor_of(dtype)
    run.histogram("x", value, step=0)
    (stats,) = read_back(run, "x", "stats")
    wanted = np.abs(value.numpy().astype(np.complex128))
    assert (stats.count, stats.zeros) == (6, int((wanted == 0).sum()))
    assert stats.sum == wanted.sum() and stats.max == wanted.max()


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1,)])
def test_tensors_without_or_with_few_elements_come_back(run, read_back, shape):
    run.tensor("x", tf.ones(shape), step=0)
    (found,) = read_back(run, "x")
    assert found.shape == shape and found.dtype == np.float32


@pytest.mark.parametrize(
    "value",
    [
        tf.constant(2.5),
        tf.constant([2.5]),
        tf.Variable(2.5),
        tf.Variable([2.5], dtype=tf.bfloat16),
        tf.constant(2.5, tf.float16),
        keras.Variable(2.5),
        keras.ops.convert_to_tensor(2.5),
    ],
    ids=lambda value: f"{type(value).__name__}-{value.dtype}",
)
def test_one_number_in_tensorflow_is_a_scalar(run, reader, value):
    run.scalar("x", value, step=0)
    run.flush()
    assert [point.value for point in reader.scalars(run.path)["x"]] == [2.5]


@pytest.mark.parametrize(
    "step",
    [
        tf.constant(7),
        tf.constant(7, tf.int64),
        tf.Variable(7),
        keras.Variable(7, dtype="int64"),
        keras.optimizers.SGD().iterations + 7,
    ],
    ids=["tensor", "int64", "variable", "keras", "iterations"],
)
def test_a_step_may_be_a_tensor_or_a_variable(run, reader, step):
    run.scalar("x", 1.0, step=step)
    run.step = step
    run.scalar("x", 1.0)
    run.flush()
    assert [point.step for point in reader.scalars(run.path)["x"]] == [7, 7]


def test_a_step_of_floats_is_refused_in_tensorflow_too(run):
    with pytest.raises(TypeError, match="step must be an integer"):
        run.scalar("x", 1.0, step=tf.constant(7.0))


@pytest.mark.parametrize(
    "variable",
    [
        lambda values: tf.Variable(values),
        lambda values: keras.Variable(values),
        lambda values: tf.compat.v1.Variable(values, use_resource=True),
    ],
    ids=["tf", "keras", "v1"],
)
def test_variables_are_recorded_as_they_are_at_the_call(tmp_path, read_back, variable):
    """A later assignment must not reach what waits in the queue."""
    values = np.arange(6, dtype=np.float32)
    with tap.Run(tmp_path / "run", flush_ms=10_000) as run:
        holder = variable(values)
        run.tensor("x", holder, step=0)
        holder.assign_add(np.ones(6, np.float32))
        run.tensor("x", holder, step=1)
        holder.assign(np.zeros(6, np.float32))
        found = read_back(run, "x")
    assert [array.tolist() for array in found] == [values.tolist(), (values + 1).tolist()]


def test_scattered_updates_do_not_reach_what_waits_either(tmp_path, read_back):
    with tap.Run(tmp_path / "run", flush_ms=10_000) as run:
        variable = tf.Variable(np.zeros((4, 2), np.float32))
        run.tensor("x", variable, step=0)
        variable.scatter_nd_update([[1]], [[9.0, 9.0]])
        variable.scatter_update(tf.IndexedSlices([[5.0, 5.0]], [2]))
        variable[3].assign([7.0, 7.0])
        (found,) = read_back(run, "x")
    assert not found.any()


def test_a_model_trains_while_its_weights_wait(tmp_path, read_back):
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    before = [weight.numpy().copy() for weight in model.weights]
    with tap.Run(tmp_path / "run", flush_ms=10_000) as run:
        for number, weight in enumerate(model.weights):
            run.tensor(f"w{number}", weight, step=0)
        model.fit(np.ones((8, 3)), np.full((8, 2), 5.0), epochs=2, verbose=0)
        for number, values in enumerate(before):
            assert np.array_equal(read_back(run, f"w{number}")[0], values)
    assert any(not np.array_equal(weight, values) for weight, values in zip(model.weights, before, strict=True))


def test_ragged_sparse_and_sliced_values_are_their_numbers(run, read_back):
    run.tensor("x", tf.ragged.constant([[1.0, 2.0], [], [3.0]]), step=0)
    run.tensor("x", tf.sparse.from_dense([[0.0, 4.0], [5.0, 0.0]]), step=1)
    run.tensor("x", tf.IndexedSlices(tf.constant([[6.0], [7.0]]), tf.constant([0, 3])), step=2)
    assert [array.tolist() for array in read_back(run, "x")] == [[1, 2, 3], [4, 5], [[6], [7]]]


def test_gradients_of_embeddings_have_statistics(run, read_back):
    table = tf.Variable(tf.ones((10, 2)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, [1, 3]) * 2.0)
    gradient = tape.gradient(loss, table)
    assert isinstance(gradient, tf.IndexedSlices)
    run.histogram("x", gradient, step=0)
    (stats,) = read_back(run, "x", "stats")
    assert stats.count == 4 and stats.mean == 2.0


@pytest.mark.parametrize("value", [tf.constant(["a", "b"]), tf.constant("a"), tf.Variable(["a"])])
def test_a_tensor_of_strings_is_refused_without_ending_the_process(run, value):
    for call in (run.tensor, run.histogram, run.image):
        with pytest.raises(TypeError, match=r"run\.text"):
            call("x", value, step=0)
    run.text("t", value, step=0)
    assert run.report()["offered"] == 1


def test_a_tensor_of_a_dtype_we_do_not_know_is_refused(run):
    value = tf.quantization.quantize(tf.constant([1.0]), -2, 2, tf.qint8).output
    for call in (run.tensor, run.histogram):
        with pytest.raises((TypeError, ValueError), match="qint8"):
            call("x", value, step=0)


def test_a_resource_or_variant_tensor_is_refused(run):
    for value in (
        tf.Variable(1.0).handle,
        tf.raw_ops.EmptyTensorList(
            element_shape=tf.constant([], tf.int32), max_num_elements=1, element_dtype=tf.float32
        ),
    ):
        with pytest.raises((TypeError, ValueError), match=r"resource|variant"):
            run.tensor("x", value, step=0)


@pytest.mark.parametrize("kind", ["audio", "pr_curve", "mesh", "text"])
def test_a_symbolic_tensor_is_refused_where_no_op_records_it(run, kind):
    @tf.function
    def traced(x):
        arguments = {"audio": (x, 8000), "pr_curve": (x, x)}.get(kind, (x,))
        getattr(run, kind)("x", *arguments, step=0)
        return x

    with pytest.raises(TypeError, match="has no value yet"):
        traced(tf.ones((2, 2)))
    assert run.report()["offered"] == 0


def test_a_symbolic_step_is_that_of_each_execution(run, read_back):
    @tf.function
    def traced(step):
        run.scalar("x", 1.0, step=step)
        run.tensor("y", variable, step=step)

    variable = tf.Variable([1.0])
    for step in (3, 7):
        traced(tf.constant(step))
        variable.assign_add([1.0])
    assert [body.tolist() for body in read_back(run, "y")] == [[1.0], [2.0]]
    assert run.report()["written"] == 4


def test_keras_inputs_and_tensors_of_v1_graphs_are_refused(run):
    with pytest.raises(TypeError, match="has no value yet"):
        run.tensor("x", keras.Input((3,)), step=0)
    with tf.Graph().as_default():
        placeholder = tf.compat.v1.placeholder(tf.float32, [2])
        with pytest.raises(TypeError, match=r"x = tap\.tap\(x, name\), and fetch x"):
            run.tensor("x", placeholder, step=0)


def test_predictions_images_and_curves_take_tensors_too(run, read_back):
    run.predictions("out", y_pred=tf.ones((2, 3)), y_true=tf.constant([1, 0]), ids=tf.constant(["a", "b"]), step=0)
    run.predictions("out", y_pred=tf.ones((2, 3)), ids=tf.constant([5, 6]), step=1)
    run.image("i", tf.zeros((2, 4, 4, 3)), step=0)
    run.audio("a", tf.zeros(8), 8000, step=0)
    run.pr_curve("p", tf.constant([True, False]), tf.constant([0.5, 0.25]), step=0)
    run.mesh("m", tf.zeros((1, 3, 3)), step=0)
    first, second = read_back(run, "predictions/out", "predictions")
    assert first.y_true.tolist() == [1, 0] and first.text_ids == ["a", "b"]
    assert second.number_ids.tolist() == [5, 6]
    assert run.report()["written"] == 6


def test_hyperparameters_take_scalars_of_any_library(run):
    run.hparams({"a": np.float32(0.5), "b": np.int64(3), "c": tf.constant(2.5), "d": None, "e": [1, 2]})
    run.flush()
    assert run.error is None
