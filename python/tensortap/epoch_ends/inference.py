"""Inference: runs a model on samples beside its training, and leaves it as it was."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tensortap.arrays import mapped
from tensortap.hooks import patch
from tensortap.watching import graph_mode, traced_functions
from tensortap.watching.keras_values import plain, uses_xla, value_of
from tensortap.watching.tensorflow_op import tf


class Inference:
    """The outputs of one model at a time, as its predict() gives them.

    It has a function of its own, compiled as the model's are. No taps are in there, whoever records the model, and the
    functions that Keras made stay as they are.
    """

    def __init__(self) -> None:
        self._made_for: tuple[Any, ...] = ()
        self._function: Any = None

    def outputs(self, model: Any, x: Any) -> Any:
        """What the model makes of one batch: a structure of NumPy arrays."""
        if graph_mode.is_on():
            return model.predict_on_batch(x)
        made_for = (model, model.run_eagerly, _is_compiled(model), getattr(model, "_compile_config", None))
        if self._function is None or any(a is not b for a, b in zip(made_for, self._made_for, strict=True)):
            self._function, self._made_for = _make_function(model), made_for
        return tf.nest.map_structure(_to_numpy, self._function(to_tensors(model, x)))

    def forget_all_but(self, model: Any) -> None:
        if self._made_for and self._made_for[0] is not model:
            self.release()

    def release(self) -> None:
        """Holds on to no model any more."""
        self._made_for, self._function = (), None


def _make_function(model: Any) -> Any:
    step = step_of_inference(model)
    if model.run_eagerly:
        return step
    # Keras 3 converts no Python; the layers of tf_keras do if whoever calls them does.
    options = {"jit_compile": True} if _is_compiled(model) else {}
    return tf.function(step, reduce_retracing=True, autograph=patch.is_legacy(model), **options)


def step_of_inference(model: Any) -> Any:
    """x -> outputs, by the model's own predict_step without anybody around it."""
    step = patch.method_of(model, "predict_step")
    python_step = getattr(step, "python_function", None)  # inside of a tf.function of the user's
    if python_step is not None:
        step = functools.partial(type(model).predict_step.python_function, model)

    def infer(x: Any) -> Any:
        return step((x,))

    # TensorFlow warns of one function that is traced often; those of several models are not one.
    infer.__code__ = infer.__code__.replace()
    return infer


def to_tensors(model: Any, x: Any) -> Any:
    """As Keras' own loops hand inputs to a model: float64 arrays as its float type."""
    library = sys.modules["tf_keras" if patch.is_legacy(model) else "keras"]

    def to_tensor(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype == np.float64:
            leaf = leaf.astype(library.backend.floatx())
        return tf.convert_to_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf

    return mapped(to_tensor, x)


@contextmanager
def undisturbed(model: Any) -> Iterator[None]:
    """What a pass changes even without training is as before: seeds of random layers, states of recurrent ones."""
    before = [] if graph_mode.is_on() else [(variable, _value(variable)) for variable in _states(model)]
    try:
        yield
    finally:
        for variable, value in before:
            if not np.array_equal(_value(variable), value):
                plain(variable).assign(value)


def _states(model: Any) -> list[Any]:
    weights = {id(variable) for variable in model.weights}
    seeds = [variable for variable in model.variables if id(variable) not in weights]  # only Keras 3 has these
    recurrent = [layer for layer in model._flatten_layers() if getattr(layer, "stateful", False) is True]
    states = [tf.nest.flatten(getattr(layer, "states", None)) for layer in recurrent]
    return [*seeds, *(state for several in states for state in several if hasattr(plain(state), "assign"))]


def _value(variable: Any) -> Any:
    return value_of(variable).numpy()


def _is_compiled(model: Any) -> bool:
    return traced_functions.is_compiled(model) or uses_xla(model)


def _to_numpy(tensor: Any) -> Any:
    return tensor.numpy() if hasattr(tensor, "numpy") else tensor
