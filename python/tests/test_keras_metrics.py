"""Metrics and graphs: the numbers of each batch at its step, and the graphs without any trace of recording."""

from __future__ import annotations

import json
import time

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras
from tensorboard.backend.event_processing.plugin_event_multiplexer import EventMultiplexer
from tensorboard.compat.proto import graph_pb2
from tensorboard.plugins.graph import graph_util, keras_util

import tensortap as tap

NO_TENSORS = {"activations": False, "gradients": False, "weights": False}


def batch_losses(model, data, epochs: int) -> list[float]:
    """What each batch's loss is before the model learns from it."""
    losses = []
    for _ in range(epochs):
        for begin in range(0, len(data["x"]), data["batch_size"]):
            x, y = (data[name][begin : begin + data["batch_size"]] for name in "xy")
            losses.append(float(np.mean((np.asarray(model(x)) - y) ** 2)))
            model.train_on_batch(x, y)
    return losses


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_the_loss_is_each_batchs_own_and_the_epochs_are_kerass(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode, metrics=["mae"])
    recorder = tap.keras.Recorder(tmp_path / "run", **NO_TENSORS)
    history = model.fit(**data, epochs=3, validation_data=(data["x"], data["y"]), callbacks=[recorder]).history
    read = read_run(recorder)
    loss = read.scalars("train/loss")
    assert list(loss.step) == [0, 1, 2, 3, 4, 5]
    assert np.allclose(loss.value, batch_losses(build_model(mode), data, 3), atol=1e-6)
    for name, tag in {"loss": "train/epoch_loss", "mae": "train/epoch_mae", "val_loss": "val/loss"}.items():
        assert list(read.scalars(tag).step) == [2, 4, 6]
        assert np.allclose(read.scalars(tag).value, history[name])
    # Of a metric Keras has the mean over the epoch so far; at its last batch that is the epoch's.
    assert list(read.scalars("train/mae").step) == [0, 1, 2, 3, 4, 5]
    assert np.allclose(read.scalars("train/mae").value[1::2], history["mae"])
    assert np.allclose(read.scalars("val/mae").value, history["val_mae"])
    assert list(read.scalars("train/epoch").value) == [0, 1, 2]
    assert list(read.scalars("train/epoch").step) == [0, 2, 4]


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_the_learning_rate_of_a_schedule_is_that_of_each_step(mode, build_model, data, read_run, tmp_path):
    library = tf_keras if mode == "tf_keras" else keras
    schedule = library.optimizers.schedules.PiecewiseConstantDecay([1, 3], [0.5, 0.25, 0.125])
    model = build_model(mode, optimizer=library.optimizers.SGD(schedule))
    recorder = tap.keras.Recorder(tmp_path / "run", **NO_TENSORS)
    model.fit(**data, epochs=3, callbacks=[recorder])
    assert list(read_run(recorder).scalars("train/learning_rate").value) == [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]


def test_a_learning_rate_that_a_callback_sets_shows_at_the_next_batch(build_model, data, read_run, tmp_path):
    setting = keras.callbacks.LearningRateScheduler(lambda epoch: 0.5 / 2**epoch)
    recorder = tap.keras.Recorder(tmp_path / "run", **NO_TENSORS)
    build_model().fit(**data, epochs=2, callbacks=[recorder, setting])
    assert list(read_run(recorder).scalars("train/learning_rate").value) == [0.5, 0.5, 0.25, 0.25]


def test_the_seconds_of_a_step_are_measured_within_epochs(build_model, data, read_run, tmp_path):
    slow = keras.callbacks.LambdaCallback(
        on_train_batch_end=lambda batch, logs: time.sleep(0.02), on_epoch_end=lambda epoch, logs: time.sleep(0.5)
    )
    recorder = tap.keras.Recorder(tmp_path / "run", **NO_TENSORS)
    data |= {"batch_size": 2}
    begin = time.perf_counter()
    build_model().fit(**data, epochs=2, callbacks=[recorder, slow])
    whole = time.perf_counter() - begin
    seconds = read_run(recorder).scalars("train/step_seconds")
    assert list(seconds.step) == [0, 1, 2, 4, 5, 6], "from one batch to the next of the same epoch"
    assert seconds.value.min() >= 0.02
    assert seconds.value.sum() < whole - 1.0, "what is between epochs is no step"


def test_a_model_with_several_outputs_has_all_its_losses(data, read_run, tmp_path):
    inputs = keras.Input((3,))
    heads = {name: keras.layers.Dense(1, name=name)(inputs) for name in ("left", "right")}
    model = keras.Model(inputs, heads)
    model.compile("sgd", {"left": "mse", "right": "mae"}, metrics={"left": ["mae"]})
    recorder = tap.keras.Recorder(tmp_path / "run", **NO_TENSORS)
    data["y"] = {"left": data["y"], "right": -data["y"]}
    history = model.fit(**data, callbacks=[recorder]).history
    read = read_run(recorder)
    for name, values in history.items():
        assert len(read.scalars(f"train/{name}")) == 2
        assert np.allclose(read.scalars(f"train/epoch_{name}").value, values)
    assert {"left_loss", "right_loss", "left_mae"} <= set(history)


def test_without_metrics_there_are_no_scalars(build_model, data, read_run, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", metrics=False, graph=False)
    build_model().fit(**data, validation_data=(data["x"], data["y"]), callbacks=[recorder])
    assert read_run(recorder).tags("scalars") == []


# --- graphs


def as_graph(definition: bytes) -> tf.compat.v1.GraphDef:
    parsed = tf.compat.v1.GraphDef()
    parsed.ParseFromString(bytes(definition))
    return parsed


@pytest.mark.parametrize("gate", ["op", "graph"])
@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_the_graph_of_the_step_is_whole_and_holds_no_tap(
    mode, gate, build_model, data, read_run, tmp_path, monkeypatch
):
    monkeypatch.setenv("TENSORTAP_GATE", gate)
    recorder = tap.keras.Recorder(tmp_path / "run", updates=True, every=1)
    model = build_model(mode)
    model.fit(**data, callbacks=[recorder])
    model.fit(**data, callbacks=[recorder])
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 1, 2, 3]
    definition = as_graph(read.graph("__run_graph__"))
    functions = definition.library.function
    nodes = [*definition.node, *(node for function in functions for node in function.node_def)]
    assert "MatMul" in {node.op for node in nodes}
    assert [node.name for node in nodes if "tensortap" in (node.op + node.name).lower()] == []
    with tf.Graph().as_default():
        tf.import_graph_def(definition, name="")  # TensorFlow checks every input and every function
    # TensorBoard's own way: what it merges with other graphs must have no two nodes or functions of one name.
    for_tensorboard = graph_pb2.GraphDef.FromString(bytes(read.graph("__run_graph__")))
    merged = graph_util.merge_graph_defs([for_tensorboard, for_tensorboard])
    assert len(merged.node) == 2 * len(definition.node)


def test_kerass_own_graph_is_there_once_and_tensorboard_draws_it(build_model, data, read_run, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model = build_model()
    for _ in range(2):
        model.fit(**data, callbacks=[recorder])
    read = read_run(recorder)
    assert [one["count"] for one in read.series() if one["tag"] == "keras"] == [1]
    config = json.loads(bytes(read.graph("keras")))
    drawn = keras_util.keras_model_to_graph_def(config)
    assert {"small/a", "small/b"} <= {node.name for node in drawn.node}


def test_tensorboard_finds_the_graph_of_the_run(build_model, data, tmp_path):
    with tap.keras.Recorder(tmp_path / "logs" / "run", every=1) as recorder:
        build_model().fit(**data, callbacks=[recorder])
    multiplexer = EventMultiplexer().AddRunsFromDirectory(str(tmp_path / "logs"))
    multiplexer.Reload()
    graph = multiplexer.Graph("run")
    assert {node.op for node in graph.node} >= {"MatMul"}
    assert not any(node.op.startswith("Tensortap") for node in graph.node)


def test_a_model_that_keras_cannot_describe_has_the_graph_of_its_step_alone(data, read_run, tmp_path):
    class Own(keras.Model):
        def __init__(self, number):
            super().__init__()
            self.head = keras.layers.Dense(number, name="head")

        def call(self, inputs):
            return self.head(inputs)

    model = Own(1)
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(tmp_path / "run")
    model.fit(**data, callbacks=[recorder])
    assert read_run(recorder).tags("graphs") == ["__run_graph__"]
    assert recorder.notes == []


def test_a_sequential_model_that_fit_builds_is_described_once_it_is_built(data, read_run, tmp_path):
    model = keras.Sequential([keras.layers.Dense(1, name="head")])
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(tmp_path / "run")
    model.fit(**data, callbacks=[recorder])
    config = json.loads(bytes(read_run(recorder).graph("keras")))
    assert config["config"]["build_input_shape"] == [4, 3]
