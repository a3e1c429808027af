"""Hook on a model's step functions: where a batch begins and ends, in which phase; with or without XLA."""

from __future__ import annotations

from typing import Any

from tensortap import passing
from tensortap.hooks import patch
from tensortap.tensorflow_op import tf

STEPS = {"train": "train_step", "val": "test_step", "predict": "predict_step"}


class StepHook:
    """One step function of one model, with all who watch it.

    They share it because XLA has to: a function that XLA compiles cannot hold our ops. So what the watches see inside
    is returned out of the compiled function, and recorded beside it.
    """

    def __init__(self, phase: str) -> None:
        self._phase = phase
        self.watches: list[Any] = []
        self.remove: patch.Undo = lambda: None

    def __call__(self, call: Any, data: Any) -> Any:
        watches = [watch for watch in self.watches if watch.prepare(data)]
        passes = [one for watch in watches if (one := watch.begin_pass(self._phase)) is not None]
        if not passes:
            return call(data)
        jit = any(one.watch.keeps_jit for one in passes) and not tf.executing_eagerly()
        if jit:
            result = self._call_compiled(call, data, passes)
        else:
            with passing.running(passes):
                result = call(data)
        for one in passes:
            one.watch.end_pass(one, result)
        return result

    def _call_compiled(self, call: Any, data: Any, passes: list[passing.Pass]) -> Any:
        for one in passes:
            one.watch.emit_weights_outside(one)
        losses: list[Any] = []

        def step(inner_data: Any) -> Any:
            losses.clear()
            with passing.running(passes, in_jit=True):
                result = call(inner_data)
            losses.extend(one.loss for one in passes)
            return result, [one.tensors for one in passes], [loss for loss in losses if loss is not None]

        compiled = tf.function(step, jit_compile=True, autograph=False)
        result, tensors, seen_losses = compiled(data)
        seen = iter(seen_losses)
        for one, outside, loss in zip(passes, tensors, losses, strict=True):
            one.tensors = list(outside)
            one.loss = None if loss is None else next(seen)
            one.leave_jit()
        return result


def install(watch: Any, model: Any, phase: str) -> patch.Undo:
    hook = patch.find(model, STEPS[phase], StepHook)
    if hook is None:
        hook = StepHook(phase)
        hook.remove = patch.install(model, STEPS[phase], hook)
    hook.watches.append(watch)

    def undo() -> None:
        if watch in hook.watches:
            hook.watches.remove(watch)
        if not hook.watches:
            hook.remove()

    return undo
