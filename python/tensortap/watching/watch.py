"""Watch: joins the hooks on one model with the taps of one run."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from tensortap.hooks import inputs, layer, loss, optimizer, patch, step
from tensortap.rules import Capture
from tensortap.run import Run
from tensortap.watching import keras_values, passing, tensorflow_op
from tensortap.watching import layers as watched_layers
from tensortap.watching.metric_taps import MetricTaps
from tensortap.watching.notes import Notes
from tensortap.watching.run_taps import RunTaps
from tensortap.watching.tensorflow_op import tf
from tensortap.watching.variable_taps import VariableTaps

logger = logging.getLogger("tensortap")


class Watch:
    """While attached, what the model puts out in its train, test and predict steps is recorded.

    Nothing of the model is changed but methods of single objects, which detach() gives back.
    """

    pass_class = passing.Pass

    def __init__(
        self,
        run: Run,
        rules: Mapping[str, Capture | None],
        notes: Notes,
        *,
        metrics: bool,
        jit: str,
        gated: bool,
        graph: bool,
    ) -> None:
        self.rules = rules
        self.model: Any = None
        self.keeps_jit = jit == "keep"  # where the model is compiled by XLA
        self.graph: Any = None  # of a training step, once one was traced
        self.taps = RunTaps(run, rules.values(), times_steps=metrics)
        self.variables = VariableTaps(self.taps, rules)
        self._metrics = MetricTaps(self.taps) if metrics else None
        self._notes = notes
        self._gated = gated
        self._wants_graph = graph
        self._undo: list[patch.Undo] = []
        self._hooked: set[int] = set()

    # --- attaching

    def attach(self, model: Any) -> None:
        """Puts the hooks in place. NoMatchError when a glob means nothing in a built model; nothing is changed then."""
        self.model = model
        self.taps.mute(False)
        try:
            self._hook_parts()
            for phase in step.STEPS:
                self._undo.append(step.install(self, model, phase))
            if self._metrics is not None and hasattr(model, "compute_loss"):
                self._undo.append(loss.install(self, model))
            rule = self.rules.get("input_gradients")
            if rule is not None:
                self._undo.append(inputs.install(self, model, rule))
        except BaseException:
            self.detach()
            raise

    def detach(self) -> None:
        while self._undo:
            with self.guard("the end of recording"):
                self._undo.pop()()
        self._hooked.clear()
        self.variables.forget()
        self.taps.mute(True)
        self.model = None

    def close(self) -> None:
        """Graphs that still hold taps record nothing from now on."""
        self.detach()
        self.taps.close()

    def prepare(self, data: Any) -> bool:
        """A step function is about to be traced: parts made since attach() are hooked too."""
        if self.model is None:
            return False
        self._build(data)
        with self.guard("new layers"):
            self._hook_parts()
        return True

    def _build(self, data: Any) -> None:
        """Builds the model now rather than by its first call, so that the first step is recorded as all others."""
        if self.model.built or not hasattr(self.model, "_symbolic_build"):
            return
        try:
            self.model._symbolic_build(data_batch=data)
        except Exception as error:  # no call() of its own, as where a train_step calls nothing but the model's parts
            logger.debug("not built before its first step: %s", error)

    def _hook_parts(self) -> None:
        self._hook_layers()
        self.variables.choose(self.model)
        for one in keras_values.optimizers_of(self.model):
            if id(one) not in self._hooked:
                self._hooked.add(id(one))
                self._undo.append(optimizer.install(self, one))

    def _hook_layers(self) -> None:
        outputs = self._chosen("activations")
        gradients = self._chosen("activation_gradients")
        for key, (one, path) in {**gradients, **outputs}.items():
            if key in self._hooked:
                continue
            self._hooked.add(key)
            self._hook_layer(
                one,
                path,
                self.rules["activations"] if key in outputs else None,
                self.rules["activation_gradients"] if key in gradients else None,
            )

    def _hook_layer(self, one: Any, path: str, outputs: Any, gradients: Any) -> None:
        self._undo.append(layer.install(self, one, path, outputs=outputs, gradients=gradients))

    def _chosen(self, kind: str) -> dict[int, tuple[Any, str]]:
        rule = self.rules.get(kind)
        return {} if rule is None else watched_layers.chosen_layers(self.model, rule)

    # --- a step

    def step_tensor(self) -> Any:
        """The updates finished so far."""
        return keras_values.step_of(self.model)

    def begin_pass(self, phase: str, *, begins: bool = True) -> passing.Pass | None:
        """`begins`: a batch begins here, and did not in another graph."""
        this_pass = None
        with self.guard("the beginning of a step"):
            step_tensor = self.step_tensor()
            replica, suffix = tensorflow_op.replica()
            is_open = tf.constant(True)
            if begins:
                is_open = tensorflow_op.begin(step_tensor, self.taps.number, phase, replica)
                # Taps inside of loops, branches and functions wait for nothing but their inputs, and for the step.
                with tf.control_dependencies([is_open]):
                    step_tensor = tf.identity(step_tensor)
            this_pass = self.pass_class(
                self,
                phase,
                step_tensor,
                suffix,
                is_open if self._gated else None,
                gathers=phase == "train" or tf.executing_eagerly(),
                replica_number=replica,
            )
            if phase == "train" and begins:
                self.variables.emit_states(this_pass)
            if phase == "train" and self._wants_graph and not tf.executing_eagerly():
                self._wants_graph = False
                self.graph = tf.compat.v1.get_default_graph()
        return this_pass

    def end_pass(self, this_pass: passing.Pass, result: Any) -> None:
        with self.guard("the metrics of a step"):
            if self._metrics is not None and this_pass.phase == "train":
                self._metrics.see_result(this_pass, result)
        with self.guard("the end of a step"):
            this_pass.emit()

    def emit_weights_outside(self, this_pass: passing.Pass) -> None:
        """Weights and slots of a step whose inside is compiled by XLA."""
        if this_pass.phase != "train":
            return
        with self.guard("weights"):
            this_pass.enter()
            for one in keras_values.optimizers_of(self.model):
                self.variables.emit_weights(this_pass, one)

    # --- for hooks

    def add_tensor(self, this_pass: passing.Pass, tag: str, tensor: Any, rule: Capture) -> None:
        this_pass.add(self.taps.tensor(this_pass, tag, rule), tensor)

    def see_learning_rate(self, this_pass: passing.Pass, one: Any) -> None:
        if self._metrics is not None and one is getattr(self.model, "optimizer", None):
            self._metrics.see_learning_rate(this_pass, one)

    def tag_of(self, tap: int) -> str:
        return self.taps.tag_of(tap)

    def note_once(self, note: str) -> None:
        self._notes.once(note)

    def guard(self, what: str) -> AbstractContextManager[None]:
        return self._notes.guard(what)
