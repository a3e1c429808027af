"""Watch: joins the hooks on one model with the taps of one run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tensortap import _record, passing, tensorflow_op, watched_layers
from tensortap.hooks import inputs, layer, loss, optimizer, patch, step
from tensortap.rules import Capture, What, When
from tensortap.run import Run
from tensortap.tensorflow_op import tf

logger = logging.getLogger("tensortap")

KINDS = (
    "activations",
    "gradients",
    "weights",
    "updates",
    "slots",
    "activation_gradients",
    "input_gradients",
)
_EVERY_BATCH = Capture(None, When(), What())


class Watch:
    """While attached, what the model puts out in its train, test and predict steps is recorded.

    Nothing of the model is changed but methods of single objects, which detach() gives back.
    """

    def __init__(
        self, run: Run, rules: Mapping[str, Capture | None], *, metrics: bool, jit: str, gated: bool, graph: bool
    ) -> None:
        self.run = run
        self.rules = rules
        self.keeps_jit = False
        self.graph: Any = None  # of the first training step that was traced
        self.notes: list[str] = []
        self.applying_with_gradient: list[Any] = []
        self.applying: list[Any] = []
        self._metrics = metrics
        self._jit = jit
        self._gated = gated
        self._wants_graph = graph
        self._core = _record.TapWatch(run)
        self._channels = {"train": run, "val": run.sub("val"), "predict": run.sub("predict")}
        self._scalars = run.sub("train")
        if metrics:
            self._core.time_steps(self._scalars, "step_seconds")
        self._schedules: dict[When, int] = {When(): 0}
        self._taps: dict[tuple[Any, ...], int] = {}
        self._tags: dict[int, str] = {}
        self._variable_paths: dict[str, dict[int, str]] = {}
        self.model: Any = None
        self._undo: list[Callable[[], None]] = []
        self._hooked: set[int] = set()

    # --- attaching

    def attach(self, model: Any) -> None:
        """Puts the hooks in place. NoMatchError when a glob means nothing in a built model; nothing is changed then."""
        self.model = model
        try:
            self._hook_layers()
            self._choose_variables()
            self._hook_optimizers()
            for phase in step.STEPS:
                self._undo.append(step.install(self, model, phase))
            if self._metrics and hasattr(model, "compute_loss"):
                self._undo.append(loss.install(self, model))
            rule = self.rules.get("input_gradients")
            if rule is not None:
                self._undo.append(inputs.install(self, model, rule))
        except BaseException:
            self.detach()
            raise
        self.keeps_jit = bool(model.jit_compile) and self._jit == "keep" and not self._is_distributed()

    def detach(self) -> None:
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()
        self._hooked.clear()
        self.model = None

    def close(self) -> None:
        """Graphs that still hold taps record nothing from now on."""
        self.detach()
        self._core.close()

    def prepare(self, data: Any) -> bool:
        """A step function is about to be traced: parts made since attach() are hooked too."""
        if self.model is None:
            return False
        with self.guard("a model that is not built yet"):
            # Built now rather than by its first call, so that the first step is recorded as all others.
            if not self.model.built and hasattr(self.model, "_symbolic_build"):
                self.model._symbolic_build(data_batch=data)
        with self.guard("new layers"):
            self._hook_layers()
            self._choose_variables()
            self._hook_optimizers()
        return True

    def _hook_layers(self) -> None:
        outputs = self._chosen("activations")
        gradients = self._chosen("activation_gradients")
        for key, (one, path) in {**gradients, **outputs}.items():
            if key in self._hooked:
                continue
            self._hooked.add(key)
            undo = layer.install(
                self,
                one,
                path,
                outputs=self.rules["activations"] if key in outputs else None,
                gradients=self.rules["activation_gradients"] if key in gradients else None,
            )
            self._undo.append(undo)

    def _chosen(self, kind: str) -> dict[int, tuple[Any, str]]:
        rule = self.rules.get(kind)
        return {} if rule is None else watched_layers.chosen_layers(self.model, rule)

    def _hook_optimizers(self) -> None:
        for one in self.optimizers():
            if id(one) not in self._hooked:
                self._hooked.add(id(one))
                self._undo.append(optimizer.install(self, one))

    def optimizers(self) -> list[Any]:
        """The model's own, and those that a custom train_step keeps as attributes."""
        own = getattr(self.model, "optimizer", None)
        others = [
            value
            for value in list(vars(self.model).values())
            if hasattr(value, "apply_gradients") and hasattr(value, "iterations") and value is not own
        ]
        inner = getattr(own, "inner_optimizer", None)
        return [one for one in [own, *others] if one is not None and one is not inner]

    def _choose_variables(self) -> None:
        if not self.model.built:
            return  # there are none yet, and tf_keras raises when asked
        trainable, everything = list(self.model.trainable_variables), list(self.model.variables)
        for kind in ("gradients", "weights", "updates"):
            rule = self.rules.get(kind)
            if rule is not None:
                self._variable_paths[kind] = watched_layers.chosen_variables(self.model, rule, trainable, everything)

    def _is_distributed(self) -> bool:
        return self.model.distribute_strategy.num_replicas_in_sync > 1

    # --- a step

    def begin_pass(self, phase: str) -> passing.Pass | None:
        this_pass = None
        with self.guard("the beginning of a step"):
            step_tensor = self._step()
            replica, suffix = _replica()
            is_open = tensorflow_op.begin(step_tensor, self._core.number, phase, replica)
            gathers = phase == "train" or tf.executing_eagerly()
            this_pass = passing.Pass(
                self, phase, step_tensor, suffix, is_open if self._gated else None, gathers=gathers
            )
            this_pass.replica_number = replica
            if phase == "train" and self._wants_graph and self.graph is None and not tf.executing_eagerly():
                self.graph = tf.compat.v1.get_default_graph()
        return this_pass

    def end_pass(self, this_pass: passing.Pass, result: Any) -> None:
        with self.guard("the end of a step"):
            if self._metrics and this_pass.phase == "train" and not this_pass.replica:
                self._add_metrics(this_pass, result)
            this_pass.emit()

    def _step(self) -> Any:
        for one in self.optimizers():
            return tf.cast(tf.convert_to_tensor(_plain(one.iterations)), tf.int64)
        return tf.constant(0, tf.int64)

    def _add_metrics(self, this_pass: passing.Pass, result: Any) -> None:
        # What Keras returns are means over the epoch so far. Of the loss there is better.
        scalars = dict(_flat_logs(result)) if isinstance(result, Mapping) else {}
        if this_pass.loss is not None:
            scalars["loss"] = this_pass.loss
        for name, value in scalars.items():
            self.add_scalar(this_pass, name, value)

    def add_scalar(self, this_pass: passing.Pass, name: str, value: Any) -> None:
        tensor = tf.convert_to_tensor(_plain(value))
        if tensor.shape.rank == 0 and (tensor.dtype.is_floating or tensor.dtype.is_integer):
            this_pass.add(self._tap(this_pass, name, _EVERY_BATCH, kind="scalar", channel=self._scalars), tensor)

    def add_learning_rate(self, this_pass: passing.Pass, one: Any) -> None:
        if self._metrics and not this_pass.replica and one is getattr(self.model, "optimizer", None):
            self.add_scalar(this_pass, "learning_rate", one.learning_rate)

    # --- tensors

    def wants(self, kind: str) -> bool:
        return self.rules.get(kind) is not None

    def add_tensor(self, this_pass: passing.Pass, tag: str, tensor: Any, rule: Capture) -> None:
        this_pass.add(self._tap(this_pass, tag, rule), tensor)

    def add_variables(
        self, this_pass: passing.Pass, kind: str, prefix: str, variables: Sequence[Any], values: Sequence[Any]
    ) -> None:
        for variable, value in zip(variables, values, strict=True):
            path = self._path(kind, variable)
            if path is not None:
                for tensor in passing.recordable(value):
                    self.add_tensor(this_pass, f"{prefix}/{path}", tensor, self._for_variables(kind))

    def emit_weights(self, this_pass: passing.Pass, one: Any, variables: Sequence[Any]) -> Any:
        """Records weights and slots at once, before they change; the op, or None."""
        if this_pass._in_jit:
            return None
        early = passing.Pass(self, this_pass.phase, this_pass.step, this_pass.replica, this_pass._is_open, gathers=True)
        early.replica_number = this_pass.replica_number
        early.enter()
        rule = self.rules.get("weights")
        if rule is not None and not rule.when.epochs:
            chosen = [v for v in self.model.variables if id(v) in self._variable_paths["weights"]]
            self.add_variables(early, "weights", "weights", chosen, [self.value_of(v) for v in chosen])
        rule = self.rules.get("slots")
        if rule is not None:
            for variable, path in self._slots(one, rule):
                self.add_tensor(early, f"slots/{path}", self.value_of(variable), rule)
        return early.emit()

    def record_weights_now(self, step: int) -> None:
        """The weights as they are, from Python: at the end of an epoch."""
        rule = self._for_variables("weights")
        for variable in self.model.variables:
            path = self._path("weights", variable)
            if path is None:
                continue
            if rule.what.stats:
                self.run.histogram(f"weights/{path}", _plain(variable), step, phase="train")
            if rule.what.values:
                self.run.tensor(f"weights/{path}", _plain(variable), step, phase="train")

    def emit_weights_outside(self, this_pass: passing.Pass) -> None:
        """As emit_weights(), for a step whose inside is compiled by XLA."""
        if this_pass.phase != "train":
            return
        with self.guard("weights"):
            for one in self.optimizers()[:1]:
                this_pass.enter()
                self.emit_weights(this_pass, one, [])

    def add_update(self, this_pass: passing.Pass, variable: Any, before: Any, after: Any) -> None:
        path = self._path("updates", variable)
        if path is not None:
            rule = self._for_variables("updates")
            tap = self._tap(this_pass, f"updates/{path}", rule, kind="update", ratio=f"update_ratio/{path}")
            this_pass.add(tap, before, after)

    @staticmethod
    def value_of(variable: Any) -> Any:
        value = _plain(variable)
        return value.read_value() if hasattr(value, "read_value") else tf.convert_to_tensor(value)

    def _slots(self, one: Any, rule: Capture) -> list[tuple[Any, str]]:
        inner = getattr(one, "inner_optimizer", one)
        variables = inner.variables() if callable(inner.variables) else inner.variables
        slots = [v for v in variables if len(v.shape) > 0]
        paths = watched_layers.chosen_variables(self.model, rule, slots, slots)
        return [(v, paths[id(v)]) for v in slots if id(v) in paths]

    def _path(self, kind: str, variable: Any) -> str | None:
        """The path of a chosen variable; None for another. Under a strategy a replica sees a part of a variable."""
        paths = self._variable_paths.get(kind, {})
        if id(variable) in paths:
            return paths[id(variable)]
        for known in self.model.variables:
            if _plain(known) is variable:
                return paths.get(id(known))
        return None

    def _for_variables(self, kind: str) -> Capture:
        """A variable has no samples; of a rule for both only the rest counts."""
        rule = self.rules[kind]
        if not rule.what.first_samples:
            return rule
        return Capture(rule.globs, rule.when, What(rule.what.stats, rule.what.values), rule.containers)

    def _tap(
        self, this_pass: passing.Pass, tag: str, rule: Capture, *, kind: str = "tensor", ratio: str = "", channel: Any = None
    ) -> int:
        """The number of a tap; the same one whenever a function is traced again."""
        tag += this_pass.replica
        key = (tag, this_pass.phase, kind)
        if key not in self._taps:
            number = self._core.add_tap(
                channel or self._channels[this_pass.phase],
                tag,
                kind=kind,
                phase=this_pass.phase,
                schedule=self._schedule(rule.when),
                replica=this_pass.replica_number,
                stats=rule.what.stats,
                values=rule.what.values,
                first_samples=rule.what.first_samples,
                ratio_tag=ratio + this_pass.replica if ratio else "",
            )
            self._taps[key] = number
            self._tags[number] = tag
        return self._taps[key]

    def _schedule(self, when: When) -> int:
        if when not in self._schedules:
            self._schedules[when] = self._core.add_schedule(when.every, list(when.steps), when.epochs)
        return self._schedules[when]

    def tag_of(self, tap: int) -> str:
        return self._tags.get(tap, "?")

    # --- what goes wrong, and when

    def begin_epoch(self, phase: str) -> None:
        self._core.begin_epoch(phase)

    @contextmanager
    def muted(self) -> Iterator[None]:
        self._core.mute(True)
        try:
            yield
        finally:
            self._core.mute(False)

    @contextmanager
    def guard(self, what: str) -> Iterator[None]:
        """Recording must never end a training: what fails in between is noted, and costs itself alone."""
        try:
            yield
        except watched_layers.NoMatchError:
            raise  # the user's mistake, found before the first step
        except Exception as error:
            self.note_once(f"{what} could not be recorded: {type(error).__name__}: {error}")
            logger.debug("while recording %s", what, exc_info=True)

    def note_once(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)
            logger.warning("%s: %s", self.run.path, note)


def _plain(variable: Any) -> Any:
    """TensorFlow's variable out of Keras'."""
    value = getattr(variable, "value", None)
    return variable if value is None or callable(value) else value


def _replica() -> tuple[int, str]:
    context = tf.distribute.get_replica_context()
    if context is None or context.num_replicas_in_sync <= 1:
        return 0, ""
    number = tf.get_static_value(context.replica_id_in_sync_group)
    if number is None:
        raise RuntimeError("the number of the replica is not known while its function is traced")
    return int(number), f"@{int(number)}"


def _flat_logs(logs: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in logs.items():
        if isinstance(value, Mapping):
            yield from _flat_logs(value, f"{prefix}{name}/")
        else:
            yield f"{prefix}{name}", value


__all__ = ["KINDS", "Watch", "patch"]
