"""The TensorFlow values inside what Keras 3 and tf_keras have: variables, optimizers, logs."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from tensortap.hooks.patch import is_legacy
from tensortap.watching.tensorflow_op import tf


def plain(variable: Any) -> Any:
    """TensorFlow's variable out of Keras'; anything else as it is."""
    value = getattr(variable, "value", None)
    return variable if value is None or callable(value) else value


def value_of(variable: Any) -> Any:
    """The value as it is when this is executed."""
    value = plain(variable)
    return value.read_value() if hasattr(value, "read_value") else tf.convert_to_tensor(value)


def uses_xla(model: Any) -> bool:
    """Whether XLA compiles its steps. Keras decides that when it is first asked; this leaves it undecided."""
    setting = vars(model).get("_jit_compile")
    uses = bool(model.jit_compile)
    if setting is None and "_jit_compile" in vars(model):
        model._jit_compile = None
    return uses


def optimizers_of(model: Any) -> list[Any]:
    """The model's own, and those that a custom train_step keeps as attributes."""
    own = getattr(model, "optimizer", None)
    others = [
        value
        for value in list(vars(model).values())
        if hasattr(value, "apply_gradients") and hasattr(value, "iterations") and value is not own
    ]
    inner = getattr(own, "inner_optimizer", None)
    return [one for one in [own, *others] if one is not None and one is not inner]


def slots_of(optimizer: Any) -> list[Any]:
    """The variables that an optimizer has for each of the model's; none before it is built."""
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    variables = inner.variables() if callable(inner.variables) else inner.variables
    return [variable for variable in variables if len(variable.shape) > 0]


def learning_rate_of(optimizer: Any) -> Any:
    """That of the update that comes next. tf_keras itself tells only that of the update before."""
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    schedule = getattr(inner, "_learning_rate", None)
    if is_legacy(inner) and callable(schedule):
        return schedule(optimizer.iterations)
    return optimizer.learning_rate


def step_of(model: Any) -> Any:
    """A tensor: the optimizer updates finished so far; 0 for a model that has no optimizer.

    Of several optimizers the one that did most counts: Keras gives every model one, which a train_step may never use.
    """
    counts = [tf.cast(tf.convert_to_tensor(plain(one.iterations)), tf.int64) for one in optimizers_of(model)]
    return functools.reduce(tf.maximum, counts) if counts else tf.constant(0, tf.int64)


def flat_logs(logs: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """("name", value) of nested logs, as models with several outputs may have."""
    for name, value in logs.items():
        if isinstance(value, Mapping):
            yield from flat_logs(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", value
