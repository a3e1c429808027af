"""Hook on a model's step functions: where a batch begins and ends, in which phase; with or without XLA."""

from __future__ import annotations

import functools
from typing import Any

from tensortap.hooks import patch
from tensortap.watching import passing, traced_functions
from tensortap.watching.tensorflow_op import in_xla, tf

STEPS = {"train": "train_step", "val": "test_step", "predict": "predict_step"}


class StepHook:
    """One step function of one model, with all who watch it.

    They share it because XLA has to: a function that XLA compiles cannot hold our ops. So what the watches see inside
    is returned out of the compiled function, and recorded beside it.
    """

    def __init__(self, model: Any, phase: str) -> None:
        self._model = model
        self._phase = phase
        self.watches: list[Any] = []
        self.remove: patch.Undo = lambda: None

    def __call__(self, call: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        passes = self._begin(data)
        if not passes:
            return call(data, *args, **kwargs)
        call = _without_function(self._model, STEPS[self._phase]) or call
        if self._is_compiled(passes):
            result = _call_compiled(call, passes, data, *args, **kwargs)
        else:
            with passing.running(passes):
                result = call(data, *args, **kwargs)
        for one in passes:
            one.watch.end_pass(one, result)
        return result

    def _begin(self, data: Any) -> list[passing.Pass]:
        if in_xla():
            for watch in self.watches:
                watch.note_once(
                    f"{STEPS[self._phase]} is not recorded: it is called inside of a function that XLA compiles"
                )
            return []
        watches = [watch for watch in self.watches if watch.prepare(data)]
        return [one for watch in watches if (one := watch.begin_pass(self._phase)) is not None]

    def _is_compiled(self, passes: list[passing.Pass]) -> bool:
        return (
            traced_functions.is_compiled(self._model)
            and all(one.watch.keeps_jit for one in passes)
            and not tf.executing_eagerly()
            and self._model.distribute_strategy.num_replicas_in_sync == 1
        )


def _without_function(model: Any, name: str) -> Any:
    """The step inside of a tf.function that its maker put around it: Keras has one around each step anyway.

    None where there is none; or where somebody has put something else in its place.
    """
    function = getattr(type(model), name, None)
    python_step = getattr(function, "python_function", None)
    if python_step is None or not hasattr(patch.method_of(model, name), "python_function"):
        return None
    if not tf.executing_eagerly() and getattr(function, "_autograph", True):
        python_step = tf.autograph.to_graph(python_step)
    return functools.partial(python_step, model)


def _call_compiled(call: Any, passes: list[passing.Pass], *args: Any, **kwargs: Any) -> Any:
    for one in passes:
        one.watch.emit_weights_outside(one)
    losses: list[Any] = []

    def step(*inner_args: Any, **inner_kwargs: Any) -> Any:
        losses.clear()
        with passing.running(passes, in_jit=True):
            result = call(*inner_args, **inner_kwargs)
        losses.extend(one.loss for one in passes)
        return result, [one.tensors for one in passes], [loss for loss in losses if loss is not None]

    compiled = tf.function(step, jit_compile=True, autograph=False)
    result, tensors, seen_losses = compiled(*args, **kwargs)
    seen = iter(seen_losses)
    for one, outside, loss in zip(passes, tensors, losses, strict=True):
        one.tensors = list(outside)
        one.loss = None if loss is None else next(seen)
        one.leave_jit()
    return result


def install(watch: Any, model: Any, phase: str) -> patch.Undo:
    hook = patch.find_around(model, STEPS[phase], StepHook)
    if hook is None:
        hook = StepHook(model, phase)
        hook.remove = patch.install(model, STEPS[phase], hook)
    hook.watches.append(watch)

    def undo() -> None:
        hook.watches.remove(watch)
        if not hook.watches:
            hook.remove()

    return patch.once(undo)
