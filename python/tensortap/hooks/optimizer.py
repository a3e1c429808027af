"""Hook on an optimizer: gradients as they arrive and as they are applied, weights before, updates after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensortap.hooks import patch
from tensortap.watching import passing
from tensortap.watching.keras_values import value_of
from tensortap.watching.tensorflow_op import tf


def install(watch: Any, optimizer: Any) -> patch.Undo:
    """Keras 3 applies by apply(), tf_keras by apply_gradients()."""
    if hasattr(optimizer, "apply"):
        undos = [patch.install(optimizer, "apply", _around_apply(watch, optimizer))]
    else:
        undos = [patch.install(optimizer, "apply_gradients", _around_apply_gradients(watch, optimizer))]
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    if watch.variables.wants("gradients") and clips(inner):
        undos.append(patch.install(inner, "_clip_gradients", _around_clip(watch, inner)))

    def undo() -> None:
        for one in reversed(undos):
            one()

    return patch.once(undo)


def clips(optimizer: Any) -> bool:
    """Whether gradients change between their arrival and their use."""
    return hasattr(optimizer, "_clip_gradients") and any(
        getattr(optimizer, name, None) is not None for name in ("clipnorm", "clipvalue", "global_clipnorm")
    )


def _around_apply(watch: Any, optimizer: Any) -> patch.Around:
    def around(call: Any, grads: Any, *args: Any, **kwargs: Any) -> Any:
        this_pass = passing.current(watch)
        if this_pass is None:
            return call(grads, *args, **kwargs)
        grads = list(grads)
        if args and args[0] is not None:
            args = (list(args[0]), *args[1:])
        before: list[tuple[Any, Any]] = []
        with watch.guard("gradients and weights"):
            variables = args[0] if args else kwargs.get("trainable_variables")
            variables = optimizer._trainable_variables if variables is None else variables
            grads, before = _see_before(watch, this_pass, optimizer, grads, variables)
        result = call(grads, *args, **kwargs)
        _see_after(watch, this_pass, before)
        return result

    return around


def _around_apply_gradients(watch: Any, optimizer: Any) -> patch.Around:
    def around(call: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
        this_pass = passing.current(watch)
        if this_pass is None:
            return call(grads_and_vars, *args, **kwargs)
        grads_and_vars = list(grads_and_vars)
        before: list[tuple[Any, Any]] = []
        with watch.guard("gradients and weights"):
            variables = [variable for _, variable in grads_and_vars]
            grads, before = _see_before(watch, this_pass, optimizer, [grad for grad, _ in grads_and_vars], variables)
            grads_and_vars = list(zip(grads, variables, strict=True))
        result = call(grads_and_vars, *args, **kwargs)
        _see_after(watch, this_pass, before)
        return result

    return around


def _around_clip(watch: Any, optimizer: Any) -> patch.Around:
    def around(call: Any, grads: Any) -> Any:
        clipped = call(grads)
        this_pass = passing.current(watch)
        if this_pass is not None:
            with watch.guard("the clipped gradients"):
                if len(this_pass.applying) == len(clipped):
                    watch.variables.see_gradients(this_pass, "clipped_gradients", this_pass.applying, clipped)
        return clipped

    return around


def _see_before(
    watch: Any, this_pass: passing.Pass, optimizer: Any, grads: list[Any], variables: Sequence[Any]
) -> tuple[list[Any], list[tuple[Any, Any]]]:
    """(the gradients to go on with, variables with their values before the update)"""
    watch.variables.choose_again()
    there = [(grad, variable) for grad, variable in zip(grads, variables, strict=False) if grad is not None]
    this_pass.applying = [variable for _, variable in there]
    if watch.variables.wants("gradients"):
        values = _unscaled(optimizer, [grad for grad, _ in there])
        watch.variables.see_gradients(this_pass, "gradients", this_pass.applying, values)
    watch.see_learning_rate(this_pass, optimizer)
    recorded = watch.variables.emit_weights(this_pass, optimizer)
    if recorded is not None and not tf.executing_eagerly():
        # Weights whose values are still waited for would have to be copied by the update: the tap comes first.
        with tf.control_dependencies([recorded]):
            grads = [_identity(grad) for grad in grads]
    before = []
    if watch.variables.wants("updates"):
        before = [(variable, value_of(variable)) for variable in this_pass.applying]
    return grads, before


def _see_after(watch: Any, this_pass: passing.Pass, before: list[tuple[Any, Any]]) -> None:
    if not before:
        return
    with watch.guard("updates"):
        for variable, value in before:
            watch.variables.see_update(this_pass, variable, value, value_of(variable))


def _unscaled(optimizer: Any, grads: list[Any]) -> list[Any]:
    """Gradients as they would be without the scale of the loss that mixed precision brings.

    Keras 3's optimizers take scaled gradients. Those of tf_keras want them unscaled: nothing is to be done.
    """
    scale = getattr(optimizer, "dynamic_scale", None)
    if scale is None and not getattr(optimizer, "built", True):
        scale = getattr(optimizer, "initial_scale", None)  # its first step makes the variable
    if scale is None:
        scale = getattr(optimizer, "loss_scale_factor", None)
    if scale is None:
        return grads
    scale = tf.convert_to_tensor(getattr(scale, "value", scale))
    return [_mapped(grad, lambda values: values / tf.cast(scale, values.dtype)) for grad in grads]


def _mapped(grad: Any, function: Any) -> Any:
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(function(grad.values), grad.indices, grad.dense_shape)
    return function(grad)


def _identity(grad: Any) -> Any:
    return None if grad is None else _mapped(grad, tf.identity)
