"""VariableTaps: the weights, gradients, updates and slots of a model's variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tensortap.hooks.patch import is_legacy
from tensortap.rules import Capture, What
from tensortap.run import Run
from tensortap.watching import graph_mode, passing
from tensortap.watching import layers as watched_layers
from tensortap.watching.keras_values import plain, slots_of, value_of
from tensortap.watching.run_taps import RunTaps

_KINDS = ("gradients", "weights", "updates")


class VariableTaps:
    """Which variables of a model the rules mean, and the taps on them."""

    def __init__(self, taps: RunTaps, rules: Mapping[str, Capture | None]) -> None:
        self._taps = taps
        self._rules = {kind: _without_samples(rule) for kind, rule in rules.items()}
        self._model: Any = None
        self._paths: dict[str, dict[int, str]] = {}
        self._chosen_from = 0  # so many variables
        self.records_epochs_at_begin = False  # what a rule of epochs means by "weights"; else at their end

    def choose(self, model: Any) -> None:
        """NoMatchError when a glob means none."""
        self._model = model
        self._paths = {}
        self._chosen_from = 0
        if not getattr(model, "built", True) and is_legacy(model):
            return  # there are none yet, and tf_keras raises when asked
        trainable, everything = list(model.trainable_variables), list(model.variables)
        self._chosen_from = len(everything)
        for kind in _KINDS:
            rule = self._rules.get(kind)
            if rule is not None:
                # Only what is trained has gradients and updates.
                by_glob = everything if kind == "weights" else trainable
                self._paths[kind] = watched_layers.chosen_variables(model, rule, trainable, by_glob)

    def choose_again(self) -> None:
        """Of a model that was not built before its first step: now it has all its variables."""
        if getattr(self._model, "built", True) and len(self._model.variables) != self._chosen_from:
            self.choose(self._model)

    def forget(self) -> None:
        self._model = None
        self._paths = {}

    def wants(self, kind: str) -> bool:
        return self._rules.get(kind) is not None

    def see_gradients(
        self, this_pass: passing.Pass, prefix: str, variables: Sequence[Any], grads: Sequence[Any]
    ) -> None:
        self._see(this_pass, "gradients", prefix, variables, grads)

    def see_update(self, this_pass: passing.Pass, variable: Any, before: Any, after: Any) -> None:
        path = self._path("updates", variable)
        if path is not None:
            tap = self._taps.update(this_pass, f"updates/{path}", f"update_ratio/{path}", self._rules["updates"])
            this_pass.add(tap, before, after)

    def emit_weights(self, this_pass: passing.Pass, optimizer: Any) -> Any:
        """Records weights and slots at once, before they change; the op, or None.

        Inside of XLA nothing can be recorded at once. There they were seen outside, before: see hooks/step.py. Only
        those of a model that is not built before its first step are returned out of the step with all else.
        """
        if this_pass.in_jit:
            if not this_pass.saw_weights:
                self._see_weights(this_pass, this_pass, optimizer)
            return None
        early = this_pass.at_once()
        self._see_weights(this_pass, early, optimizer)
        this_pass.saw_weights = bool(self._paths)
        return early.emit()

    def _see_weights(self, this_pass: passing.Pass, target: passing.Pass, optimizer: Any) -> None:
        rule = self._rules.get("weights")
        if rule is not None and self._is_of_batches(rule) and _first_time(this_pass, "weights"):
            self._see_values(target, [v for v in self._chosen_weights() if id(v) not in this_pass.states])
        rule = self._rules.get("slots")
        if rule is not None and optimizer is not None and _first_time(this_pass, ("slots", id(optimizer))):
            for variable, path in self._slots(optimizer, rule):
                target.add(self._taps.tensor(target, f"slots/{path}", rule), value_of(variable))

    def emit_states(self, this_pass: passing.Pass) -> None:
        """Records what a step changes without an optimizer, such as moving averages, at its beginning."""
        rule = self._rules.get("weights")
        if rule is None or not self._is_of_batches(rule):
            return
        trained = {id(variable) for variable in self._model.trainable_variables} if self._paths else set()
        states = [variable for variable in self._chosen_weights() if id(variable) not in trained]
        this_pass.states = {id(variable) for variable in states}
        early = this_pass.at_once()
        self._see_values(early, states)
        early.emit()

    def _is_of_batches(self, rule: Capture) -> bool:
        return self.records_epochs_at_begin or not rule.when.epochs

    def _chosen_weights(self) -> list[Any]:
        paths = self._paths.get("weights")
        return [variable for variable in self._model.variables if id(variable) in paths] if paths else []

    def _see_values(self, target: passing.Pass, variables: list[Any]) -> None:
        self._see(target, "weights", "weights", variables, [value_of(variable) for variable in variables])

    def record_weights(self, run: Run, step: int) -> None:
        """The weights as they are, from Python: at the end of an epoch."""
        rule = self._rules["weights"]
        for variable in self._model.variables:
            path = self._path("weights", variable)
            if path is None:
                continue
            if rule.what.stats:
                run.histogram(f"weights/{path}", graph_mode.value(variable), step, phase="train")
            if rule.what.values:
                run.tensor(f"weights/{path}", graph_mode.value(variable), step, phase="train")

    def _see(
        self, this_pass: passing.Pass, kind: str, prefix: str, variables: Sequence[Any], values: Sequence[Any]
    ) -> None:
        for variable, value in zip(variables, values, strict=True):
            path = self._path(kind, variable)
            if path is not None:
                for tensor in passing.recordable(value):
                    this_pass.add(self._taps.tensor(this_pass, f"{prefix}/{path}", self._rules[kind]), tensor)

    def _slots(self, optimizer: Any, rule: Capture) -> list[tuple[Any, str]]:
        slots = slots_of(optimizer)
        paths = watched_layers.chosen_variables(self._model, rule, slots, slots)
        return [(v, paths[id(v)]) for v in slots if id(v) in paths]

    def _path(self, kind: str, variable: Any) -> str | None:
        """The path of a chosen variable; None for another. Under a strategy a replica sees a part of a variable."""
        paths = self._paths.get(kind, {})
        if id(variable) in paths:
            return paths[id(variable)]
        for known in self._model.variables:
            if plain(known) is variable:
                return paths.get(id(known))
        return None


def _first_time(this_pass: passing.Pass, what: Any) -> bool:
    """A step may apply several optimizers, or one of them several times."""
    is_first = what not in this_pass.seen
    this_pass.seen.add(what)
    return is_first


def _without_samples(rule: Capture | None) -> Capture | None:
    """A variable has no samples; of a rule for both only the rest counts."""
    if rule is None or not rule.what.first_samples:
        return rule
    return Capture(rule.globs, rule.when, What(rule.what.stats, rule.what.values), rule.containers)
