"""Trains on two replicas and proves what was recorded of each; a program, because devices are set before anything runs.

replicas.py DIRECTORY MODEL...
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))

import capture_reader
import keras
import numpy as np
import tensorflow as tf
from zoo import proof
from zoo.collection import SPECIMENS
from zoo.modes import GRAPH
from zoo.replay import observed_layers
from zoo.specimen import BATCH
from zoo.training import build, path_of, put_state, recorder_for, resized, state_of

REPLICAS = 2
STEPS = 3
EACH = BATCH // REPLICAS
KINDS = ("activations", "gradients", "weights", "updates", "slots")


def train(specimen, strategy, run=None):
    """(model, x, y, states); a batch is divided among the replicas, in order."""
    keras.backend.clear_session(free_memory=False)
    with strategy.scope():
        model, x, y = build(specimen, GRAPH)
    x, y = (tf.nest.map_structure(lambda array: resized(array, STEPS * BATCH), data) for data in (x, y))
    states = [state_of(model)]
    recorder = None if run is None else recorder_for(GRAPH, run)
    for step in range(STEPS):  # a fit for each batch, to see the state in between
        batch = tf.nest.map_structure(lambda array, at=step * BATCH: array[at : at + BATCH], (x, y))
        callbacks = [] if recorder is None else [recorder]
        model.fit(*batch, batch_size=BATCH, shuffle=False, verbose=0, callbacks=callbacks)
        states.append(state_of(model))
    if recorder is not None:
        assert recorder.notes == [], recorder.notes
        recorder.close()
    return model, x, y, states


def prove(name, strategy, directory):
    specimen = SPECIMENS[name]
    *_, plain = train(specimen, strategy)
    _, x, y, states = train(specimen, strategy, directory / name)
    for path, value in plain[-1].items():
        proof.assert_same(states[-1][path], value, path)
    recording = proof.Recording.read(capture_reader, directory / name)
    proof.assert_sequences(recording)
    proof.assert_stats(recording)
    assert_tags(recording, specimen)
    twin, *_ = build(specimen, GRAPH)
    for step in range(STEPS):
        for replica in range(REPLICAS):
            first = step * BATCH + replica * EACH
            part = tf.nest.map_structure(lambda array, at=first: tf.constant(array[at : at + EACH]), (x, y))
            assert_replica(recording, specimen, twin, states[step], part, step, replica)


def assert_tags(recording, specimen):
    both = [f"@{replica}" for replica in range(REPLICAS)]
    assert recording.tags("activations") == {tag + at for tag in specimen.activations for at in both}
    for kind in ("gradients", "weights", "updates"):
        assert recording.tags(kind) == {path + at for path in specimen.variables for at in both}, kind
    assert {tag.partition("/")[0] for tag in recording.everything} == set(KINDS)
    assert {tuple(recording.steps(tag)) for tag in recording.tensors if "slots" not in tag} == {tuple(range(STEPS))}


def assert_replica(recording, specimen, twin, state, part, step, replica):
    """What one replica computed of its part of the batch. Keras' loss is a share: optimizers add up the gradients."""
    put_state(twin, state)
    x, y = part
    masks = {name: each[step] for name, each in proof.dropout_masks(recording, twin, f"@{replica}").items()}
    with observed_layers(masks) as outputs, tf.GradientTape() as tape:
        if hasattr(twin, "objective"):
            loss = twin.objective(x, y)
        else:
            loss = twin.compute_loss(x=x, y=y, y_pred=twin(x, training=True)) / REPLICAS
    gradients = tape.gradient(loss, twin.trainable_variables)
    gradients = {path_of(v): g.numpy() for v, g in zip(twin.trainable_variables, gradients, strict=True)}

    def assert_recorded(tag, expected, tolerance):
        recorded = recording.values(f"{tag}@{replica}")[step]
        proof.assert_same(recorded, np.asarray(expected), f"{tag}@{replica}, step {step}", tolerance)

    for tag in specimen.activations:
        layer, call, output = proof.split_tag(tag)
        assert_recorded(f"activations/{tag}", outputs[layer][call][output], 1e-6)
    for path in specimen.variables:
        assert_recorded(f"gradients/{path}", proof.by_ending(gradients, path), 1e-6)
        assert_recorded(f"weights/{path}", proof.by_ending(state, path), 0)


def main(directory, *names):
    devices = [tf.config.LogicalDeviceConfiguration()] * REPLICAS
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], devices)
    # One for all: TensorFlow's all-reduce takes a second strategy of a process for the first.
    strategy = tf.distribute.MirroredStrategy([f"CPU:{replica}" for replica in range(REPLICAS)])
    for name in names:
        prove(name, strategy, Path(directory))
        print(f"{name}: right on {REPLICAS} replicas")


if __name__ == "__main__":
    main(*sys.argv[1:])
