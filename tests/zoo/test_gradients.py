"""Gradients with respect to the outputs of layers and to the inputs of a model: those of an eager tape."""

from __future__ import annotations

from dataclasses import replace

import keras
import numpy as np
import pytest
import tensorflow as tf
from zoo import proof
from zoo.collection import SPECIMENS
from zoo.modes import EAGER, GRAPH, JIT
from zoo.replay import Replay
from zoo.training import train

import tensortap as tap

KINDS = {"gradients": False, "weights": False, "updates": False, "slots": False, "metrics": False}


@pytest.fixture
def record(reader, tmp_path, train_plainly):
    """(specimen, mode, **choices) -> (truth, recording); training is shown to be as without a recorder."""

    def recorded(specimen, mode, **choices):
        mode = replace(mode, recorder={**KINDS, **choices})
        plain = train_plainly(specimen, mode)
        training = train(specimen, mode, tmp_path / "run")
        assert training.notes == []
        proof.assert_same_training(plain, training, 0 if mode.is_undisturbed else mode.tolerance)
        recording = proof.Recording.read(reader, tmp_path / "run")
        proof.assert_sequences(recording)
        proof.assert_stats(recording)
        return plain if mode.is_undisturbed else training, recording

    return recorded


def assert_gradients(recording, truth, mode, tags, find, masks=None):
    """find(replay, tag) -> the gradient, or None; `tags` are all there are."""
    assert set(recording.everything) == set(tags)
    for index in range(len(truth.steps) - 1):
        replay = Replay(truth, index, {name: mask[index] for name, mask in (masks or {}).items()})
        for tag in tags:
            capture = recording.tensors[tag][index]
            assert capture.step == truth.steps[index], tag
            proof.assert_same(capture.body, find(replay, tag), f"{tag}, batch {index}", mode.tolerance)
    assert {len(captures) for captures in recording.tensors.values()} == {len(truth.steps) - 1}


def of_output(replay, tag):
    layer, call, output = proof.split_tag(tag)
    return replay.output_gradients[layer][call][output]


# What no loss depends on has no gradient: states that nobody uses, and a softmax of which Keras takes only the inputs.
UNUSED = {"recurrent": {"lstm:2", "both:2", "both/backward_gru:1"}, "cnn": {"out"}}


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("mlp", GRAPH),
        ("mlp", EAGER),
        ("cnn", GRAPH),
        ("cnn", JIT),
        ("shared", GRAPH),
        ("recurrent", GRAPH),
        ("own_step", GRAPH),
        ("legacy_sequential", GRAPH),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_gradients_of_activations_are_those_of_a_tape(record, name, mode):
    truth, recording = record(SPECIMENS[name], mode, activations=False, activation_gradients=True)
    used = set(SPECIMENS[name].activations) - UNUSED.get(name, set())
    assert_gradients(recording, truth, mode, {f"activation_gradients/{tag}" for tag in used}, of_output)


INPUTS = {
    "mlp": ["input"],
    "cnn": ["input"],
    "own_step": ["input"],
    "dicts": ["input", "input:1"],
    "legacy_mlp": ["input"],
}


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("mlp", GRAPH),
        ("mlp", EAGER),
        ("cnn", JIT),
        ("own_step", GRAPH),
        ("dicts", GRAPH),
        ("legacy_mlp", GRAPH),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_gradients_of_inputs_are_those_of_a_tape(record, name, mode):
    specimen = SPECIMENS[name]
    truth, recording = record(specimen, mode, activations=specimen.is_legacy, input_gradients=True)
    masks = None
    if specimen.is_legacy:
        masks = proof.dropout_masks(recording, truth.model)
        for tag in [tag for tag in recording.everything if tag.startswith("activations/")]:
            del recording.everything[tag], recording.tensors[tag]

    def of_input(replay, tag):
        _, _, index = proof.split_tag(tag)
        return replay.input_gradients[index]

    tags = {f"input_gradients/{path}" for path in INPUTS[name]}
    assert_gradients(recording, truth, mode, tags, of_input, masks)


def test_inputs_that_are_no_floats_have_no_gradients(record):
    _, recording = record(SPECIMENS["transformer"], GRAPH, activations="out", input_gradients=True)
    assert set(recording.everything) == {"activations/out"}
    assert recording.tensors["activations/out"][0].body.dtype == tf.float32.as_numpy_dtype


class Jacobian(keras.layers.Layer):
    """Differentiates a layer on the way forward; TensorFlow makes functions on the side for that."""

    def __init__(self, **options):
        super().__init__(**options)
        self.inner = keras.layers.Dense(4, "tanh", name="inner")

    def build(self, shape):
        self.inner.build(shape)

    def call(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = self.inner(x)
        return y + tf.reduce_sum(tape.batch_jacobian(y, x), -1)


def test_gradients_on_the_way_forward_do_not_stop_the_recording(tmp_path):
    inputs = keras.Input((4,), batch_size=4)
    model = keras.Model(inputs, Jacobian(name="jacobian")(inputs))
    model.compile("sgd", "mse", run_eagerly=True)
    with tap.keras.Recorder(tmp_path / "run", every=1, activation_gradients=True) as recorder:
        model.fit(np.ones((8, 4)), np.ones((8, 4)), batch_size=4, verbose=0, callbacks=[recorder])
    run = tap.open(tmp_path)["run"]
    for tag in ("activations/jacobian/inner", "activation_gradients/jacobian/inner", "gradients/jacobian/inner/kernel"):
        assert run.steps(tag).tolist() == [0, 1]
