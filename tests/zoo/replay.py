"""Replay: what one batch of a training computes, once more and eagerly, from the state before it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from zoo.training import Training, batch_of, path_of, put_state


class Replay:
    """outputs: name of a layer -> one list of arrays for each call. gradients: path of a variable -> array.

    output_gradients has the shape of outputs, input_gradients that of x; None where the loss does not depend on it.
    """

    def __init__(self, training: Training, index: int, dropped: dict[str, np.ndarray] | None = None) -> None:
        model = training.model
        self.scale = loss_scale(training, index)
        put_state(model, training.states[index])
        x, y = (tf.nest.map_structure(tf.constant, batch_of(d, index)) for d in (training.x, training.y))
        with observed_layers(dropped or {}) as self._tensors, functions_run_eagerly():
            if hasattr(model, "replay_step"):
                after = training.states[index + 1]
                pairs = model.replay_step(x, y, lambda variables: put_state(model, after, variables))
            else:
                pairs = self._gradients(model, x, y)
        self.outputs = {name: [[_values(t) for t in call] for call in calls] for name, calls in self._tensors.items()}
        # A variable that this batch did not use has no gradient: zeros in a graph, nothing without one.
        there = [(variable, gradient) for variable, gradient in pairs if gradient is not None]
        self.gradients = {path_of(variable): _values(gradient) / self.scale for variable, gradient in there}

    def _gradients(self, model: Any, x: Any, y: Any) -> list[tuple[Any, Any]]:
        inputs = tf.nest.flatten(x)
        with tf.GradientTape() as tape:
            tape.watch([tensor for tensor in inputs if tensor.dtype.is_floating])
            if hasattr(model, "objective"):
                loss = model.objective(x, y)
            else:
                loss = model.compute_loss(x=x, y=y, y_pred=model(x, training=True))
            self.loss = float(loss)
            loss *= tf.cast(self.scale, loss.dtype)
        variables = model.trainable_variables
        wanted = [inputs, self._tensors, variables]
        gradients = tape.gradient(loss, tf.nest.flatten(wanted))
        gradients = tf.nest.pack_sequence_as(wanted, [None if g is None else _Kept(g) for g in gradients])
        self.input_gradients, self.output_gradients = (
            tf.nest.map_structure(lambda kept: None if kept is None else _values(kept.gradient) / self.scale, part)
            for part in gradients[:2]
        )
        return [(v, None if kept is None else kept.gradient) for v, kept in zip(variables, gradients[2], strict=True)]


class _Kept:
    """A gradient as one leaf of a nest, also where it is IndexedSlices."""

    def __init__(self, gradient: Any) -> None:
        self.gradient = gradient


def loss_scale(training: Training, index: int) -> np.float32:
    """By what mixed precision multiplies the loss of this batch."""
    found = [v for path, v in training.states[index].items() if "dynamic_scale" in path]
    return np.float32(found[0] if found else getattr(training.model.optimizer, "initial_scale", 1))


@contextmanager
def observed_layers(dropped: dict[str, np.ndarray]) -> Iterator[dict[str, list[list[tf.Tensor]]]]:
    """Sees what every layer gives, by way of the class: nothing in common with how the recorder does it.

    Dropout of tf_keras cannot be asked for the same mask again: `dropped` gives it, by name.
    """
    seen: dict[str, list[list[tf.Tensor]]] = {}
    classes = [keras.layers.Layer, tf_keras.layers.Layer]
    originals = [layer_class.__call__ for layer_class in classes]

    def around(original: Any) -> Any:
        def call(layer: Any, *args: Any, **kwargs: Any) -> Any:
            result = args[0] * dropped[layer.name] if layer.name in dropped else original(layer, *args, **kwargs)
            if isinstance(result, (list, tuple)) and not hasattr(layer, "fit"):
                # The last output of an RNN is its state too: as outputs they are two, with a gradient each.
                result = tf.nest.map_structure(tf.identity, result)
            seen.setdefault(layer.name, []).append(tf.nest.flatten(result))
            return result

        return call

    for layer_class, original in zip(classes, originals, strict=True):
        layer_class.__call__ = around(original)
    try:
        yield seen
    finally:
        for layer_class, original in zip(classes, originals, strict=True):
            layer_class.__call__ = original


@contextmanager
def functions_run_eagerly() -> Iterator[None]:
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def _values(tensor: Any) -> np.ndarray:
    if isinstance(tensor, tf.IndexedSlices):
        tensor = tensor.values
    return np.array(tensor)
