"""LoopWatch: a watch for loops that the user writes: no step function tells where a batch begins and ends.

A batch begins with the first call of the model under a new tf.GradientTape, or with any call without a tape; it ends
with the optimizer's update. What one call of the model puts out is recorded by one op behind it.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from tensortap.hooks import function_call, inputs, layer, module_call, optimizer, patch, tape
from tensortap.rules import Capture
from tensortap.run import Run
from tensortap.watching import keras_values, nested_functions, passing, tensorflow_op
from tensortap.watching.notes import Notes
from tensortap.watching.tensorflow_op import tf
from tensortap.watching.watch import Watch


class LoopPass(passing.Pass):
    """One batch in one graph. The model may be called several times in it."""

    def enter(self, *, in_jit: bool = False) -> None:
        calls, seen = dict(self._calls), set(self.seen)
        super().enter(in_jit=in_jit)
        self._calls.update(calls)
        self.seen |= seen


class LoopWatch(Watch):
    """While attached, what the model puts out is recorded, in whatever function or loop it runs."""

    pass_class = LoopPass

    def __init__(
        self, run: Run, rules: Mapping[str, Capture | None], optimizers: Sequence[Any], notes: Notes, *, gated: bool
    ) -> None:
        super().__init__(run, rules, notes, metrics=False, jit="off", gated=gated, graph=False)
        self.taps.follow_epochs()
        self.variables.records_epochs_at_begin = True
        self._run = run
        self._optimizers = list(optimizers)
        self._local = threading.local()
        self._built_with = -1  # so many variables

    # --- attaching

    def attach(self, model: Any) -> None:
        self.model = model
        self.taps.mute(False)
        try:
            self._hook_parts()
            self._frame(model)
            self._undo.append(tape.install(self))
            self._undo.append(function_call.install(self))
            rule = self.rules.get("input_gradients")
            if rule is not None and hasattr(model, "call"):
                self._undo.append(inputs.install(self, model, rule))
        except BaseException:
            self.detach()
            raise

    def _frame(self, part: Any) -> None:
        """The outermost of the calls that are framed is one pass of the model."""
        if hasattr(part, "call"):
            self._undo.append(patch.install(part, "call", self._around_call))
        elif module_call.can_be_called(part):
            self._undo.append(module_call.install(part, self._around_call))

    def _hook_layer(self, one: Any, path: str, outputs: Any, gradients: Any) -> None:
        self._frame(one)
        if hasattr(one, "call"):
            super()._hook_layer(one, path, outputs, gradients)
        else:
            around = layer.around_output(self, one, path, outputs=outputs, gradients=gradients)
            self._undo.append(module_call.install(one, around))

    def _hook_parts(self) -> None:
        self._hook_layers()
        self.variables.choose(self.model)
        self._built_with = len(self.model.variables) if getattr(self.model, "built", True) else -1
        for one in self._optimizers:
            if id(one) not in self._hooked:
                self._hooked.add(id(one))
                for name in ("apply", "apply_gradients"):
                    if hasattr(one, name):
                        self._undo.append(patch.install(one, name, self._around_update))
                        break
                self._undo.append(optimizer.install(self, one))

    def _hook_new_parts(self) -> None:
        """A model that was not built when it was attached is built by its first call."""
        if self._built_with > 0 and tf.executing_eagerly():
            return  # not at each step again
        if self._built_with == -1 or self._built_with != len(self.model.variables):
            with self.guard("new layers"):
                self._hook_parts()

    # --- batches

    def step_tensor(self) -> Any:
        counts = [one.iterations for one in self._optimizers if getattr(one, "iterations", None) is not None]
        counts = [tf.cast(tf.convert_to_tensor(keras_values.plain(one)), tf.int64) for one in counts]
        if not counts:
            return tf.constant(tensorflow_op.UNKNOWN_STEP, tf.int64)  # the run knows it
        return tf.reduce_max(tf.stack(counts)) if len(counts) > 1 else counts[0]

    def _around_call(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        if passing.is_running(self) or nested_functions.is_hidden() or _is_side_graph():
            return call(*args, **kwargs)
        if tensorflow_op.in_xla():
            self.note_once(
                f"{self._name()} is not recorded where XLA compiles its caller; jit_compile=False records it"
            )
            return call(*args, **kwargs)
        self._hook_new_parts()
        this_pass = self._pass(kwargs.get("training"))
        return self._run_pass(this_pass, call, *args, **kwargs)

    def _around_update(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        if passing.is_running(self) or tensorflow_op.in_xla():
            return call(*args, **kwargs)
        return self._run_pass(self._joined_pass(), call, *args, **kwargs)

    def around_gradient(self, one: Any, call: Any, sources: Any) -> Any:
        """Gradients of a tape: those of activations belong to the pass that was under it; see hooks/tape.py."""
        if passing.is_running(self) or tensorflow_op.in_xla():
            return call()
        this_pass = _passes(one).get(self)
        if this_pass is None or not this_pass.is_current():
            if not self._watches_any(sources):
                return call()
            this_pass = self._joined_pass(one)

        def seen() -> Any:
            gradients = call()
            if not self._optimizers:  # nothing tells of an update
                with self.guard("gradients and weights"):
                    self._see_gradients(this_pass, sources, gradients)
            return gradients

        return self._run_pass(this_pass, seen)

    def _run_pass(self, this_pass: Any, call: Any, *args: Any, **kwargs: Any) -> Any:
        if this_pass is None:
            return call(*args, **kwargs)
        with passing.running([this_pass]):
            result = call(*args, **kwargs)
        with self.guard("the end of a call"):
            this_pass.emit()
        return result

    def _pass(self, training: Any) -> Any:
        """The pass of the batch whose call of the model begins now, which may be a further one of the same batch."""
        under = tape.innermost()
        batch = getattr(self._local, "batch", None)
        is_same = batch is not None and under is not None and batch.is_under(under)
        if is_same and batch.this_pass.is_current():
            return batch.this_pass
        phase = "train" if _trains(training, under is not None) else "val"
        return self._begin(batch.phase if is_same else phase, under, begins=not is_same)

    def _joined_pass(self, under: Any = None) -> Any:
        """The pass of the last batch that trained, wherever it began: where gradients or an update belong to.

        A function that has begun it shows only by the batches that were counted; then what is seen eagerly has a pass
        of its own. If there was none, the model's variables were used without a call of it: the batch begins here.
        """
        batch = getattr(self._local, "trained", None)
        if batch is None:
            return self._begin("train", under, begins=True)
        is_current = batch.this_pass.is_current()
        if not tf.executing_eagerly():
            return batch.this_pass if is_current else self._begin("train", under, begins=False)
        if batch.count != self.taps.batches("train"):
            return self._begin("train", under, begins=False)
        is_another = under is not None and not batch.is_under(under)
        return batch.this_pass if is_current and not is_another else self._begin("train", under, begins=is_another)

    def _begin(self, phase: str, under: Any, *, begins: bool) -> Any:
        this_pass = self.begin_pass(phase, begins=begins)
        if this_pass is None:
            return None
        this_pass.enter()
        batch = _Batch(under, this_pass, self.taps.batches("train"))
        self._local.batch = batch
        if phase == "train":
            self._local.trained = batch
        if under is not None:
            _passes(under)[self] = this_pass
        return this_pass

    def _see_gradients(self, this_pass: Any, sources: Any, gradients: Any) -> None:
        variables = tf.nest.flatten(sources)
        values = tf.nest.flatten(gradients) if gradients is not None else []
        there = [(value, one) for value, one in zip(values, variables, strict=False) if value is not None]
        watched = [one for _, one in there]
        this_pass.applying = watched
        if self.variables.wants("gradients"):
            self.variables.see_gradients(this_pass, "gradients", watched, [value for value, _ in there])
        if this_pass.phase == "train":
            self.variables.emit_weights(this_pass, None)

    def _watches_any(self, sources: Any) -> bool:
        known = {id(keras_values.plain(one)) for one in self.model.variables}
        return any(id(keras_values.plain(one)) in known for one in tf.nest.flatten(sources))

    # --- functions that were traced without us

    def see_old_graph(self, function: Any, graphs: Sequence[Any]) -> bool:
        """A tf.function runs a graph that was there before us. True: one with the model in it."""
        with self.guard("functions that were traced before"):
            known = {one.ref() for one in map(keras_values.plain, self.model.variables) if hasattr(one, "ref")}
            if any(variable.ref() in known for graph in graphs for variable in graph.variables):
                name = getattr(function.python_function, "__name__", "a function")
                self.note_once(
                    f"{name} was traced before tap.watch, so nothing that runs in it is recorded. Trace it again "
                    f"after tap.watch: {name} = tf.function({name}.python_function)"
                )
                return True
        return False

    def count_step(self) -> None:
        """For run.scalar() without a step, behind a function that has no taps to tell of it."""
        if tf.executing_eagerly() and self._optimizers:
            with self.guard("the step"):
                self._run.step = max(int(self.step_tensor()) - 1, 0)

    def _name(self) -> str:
        return getattr(self.model, "name", type(self.model).__name__)


class _Batch:
    """What runs on one thread."""

    def __init__(self, under: Any, this_pass: Any, count: int) -> None:
        self._tape = None if under is None else weakref.ref(under)
        self.this_pass = this_pass
        self.phase = this_pass.phase
        self.count = count  # of the batches that have trained by now

    def is_under(self, one: Any) -> bool:
        return self._tape is not None and self._tape() is one


def _passes(one: Any) -> dict[Any, Any]:
    return one.__dict__.setdefault("_tensortap_passes", {})


def _trains(training: Any, has_tape: bool) -> bool:
    """`training` as the model was called with; who says nothing trains if there is a tape."""
    if isinstance(training, (bool, int)):
        return bool(training)
    return has_tape


def _is_side_graph() -> bool:
    """Keras calls layers on the side, to learn of their shapes."""
    return not tf.executing_eagerly() and passing.is_side_graph(tf.compat.v1.get_default_graph())
