"""FeatureMaps: what layers make of a few inputs of the user's, as images, at the ends of epochs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tensortap.epoch_ends.inference import step_of_inference, to_tensors, undisturbed
from tensortap.hooks import patch
from tensortap.rules import Images
from tensortap.run import Run
from tensortap.samples import Set, is_batches, to_inputs
from tensortap.watching import graph_mode, passing
from tensortap.watching import layers as watched_layers
from tensortap.watching.notes import Notes

# Datasets of these kinds notice that somebody has looked into them: their order changes, or what they keep.
_NOTICE = ("Shuffle", "Random", "Sample", "FlatMap", "Interleave", "Generator", "Cache", "Snapshot", "Save")


class FeatureMaps:
    """One pass without training through the model as it is, and only through it: shared and nested layers included."""

    def __init__(self, rule: Images | None, notes: Notes) -> None:
        self._rule = rule
        self._notes = notes
        self._given: Set | None = None
        self._inputs: Any = None
        if rule is not None and rule.inputs is not None:
            self._given = to_inputs(rule.inputs)

    def check(self, model: Any) -> None:
        """NoMatchError when a glob means no layer of a built model."""
        if self._rule is not None:
            watched_layers.chosen_layers(model, self._rule.capture)

    def choose_inputs(self, sets: Iterable[Set], fit_data: dict[str, Any]) -> None:
        """Takes the first samples of the first source that there is; once for each fit."""
        if self._rule is None:
            return
        with self._notes.guard("the inputs of feature maps"):
            source = self._given or next(iter(sets), None)
            for data in fit_data.values():
                if source is None and _is_unnoticed(data):
                    source = to_inputs(data)
            if source is not None:
                self._inputs = source.first_inputs(self._rule.samples)

    def record(self, run: Run, model: Any, epoch_index: int, step: int) -> None:
        """At the end of an epoch, the so-manieth that was recorded."""
        if self._rule is None or epoch_index % self._rule.epochs:
            return
        if self._inputs is None:
            self._notes.once("feature maps are not recorded: give the inputs for them, tap.images(inputs=x[:4])")
            return
        began = time.perf_counter()
        with self._notes.guard("feature maps"), self._noting_no_match():
            for tag, values in self._run(model).items():
                with self._notes.guard(tag):
                    run.feature_maps(tag, values, step, samples=self._rule.samples)
        run.scalar("tensortap/images_seconds", time.perf_counter() - began, step=step)

    @contextmanager
    def _noting_no_match(self) -> Iterator[None]:
        """A model that fit has built is known too late for the user's mistakes to raise."""
        try:
            yield
        except watched_layers.NoMatchError as error:
            self._notes.once(f"feature maps are not recorded: {error}")

    def _run(self, model: Any) -> dict[str, Any]:
        """tag -> the values that each call of each layer gave."""
        layers = watched_layers.chosen_layers(model, self._rule.capture).values()
        if graph_mode.is_on():
            values = graph_mode.layer_values(model, layers, self._inputs, self._notes)
            return {f"feature_maps/{name}": value for name, value in values.items()}
        seen: dict[str, Any] = {}
        undos = []
        try:
            for layer, path in layers:
                undos.append(_install(layer, path, seen))
            with undisturbed(model):
                step_of_inference(model)(to_tensors(model, self._inputs))
        finally:
            for undo in undos:
                undo()
        return seen

    def describe(self, model: Any) -> str:
        """For a plan; empty when there are none."""
        if self._rule is None:
            return ""
        layers = watched_layers.chosen_layers(model, self._rule.capture)
        often = "each epoch" if self._rule.epochs == 1 else f"each {self._rule.epochs} epochs"
        return (
            f"feature maps of {len(layers)} layers, {self._rule.samples} samples, at the end of {often}: one more pass"
        )


def _install(layer: Any, path: str, seen: dict[str, Any]) -> patch.Undo:
    calls: Counter[str] = Counter()

    def around(call: Any, *args: Any, **kwargs: Any) -> Any:
        result = call(*args, **kwargs)
        name = f"feature_maps/{path}" + (f"#{calls[path]}" if calls[path] else "")
        calls[path] += 1
        for index, tensor in enumerate(passing.recordable(result)):
            if hasattr(tensor, "numpy"):  # not inside of a function
                seen[f"{name}:{index}" if index else name] = tensor
        return result

    is_quantised = getattr(layer, "quantization_mode", None) is not None
    return patch.install(layer, "quantized_call" if is_quantised else "call", around)


def _is_unnoticed(data: Any) -> bool:
    """Whether this can be looked into without the training noticing. Generators and PyDatasets may draw numbers."""
    if not is_batches(data):
        return True
    pending, is_safe = [data], hasattr(data, "element_spec")
    while pending and is_safe:
        one = pending.pop()
        is_safe = hasattr(one, "_inputs") and not any(word in type(one).__name__ for word in _NOTICE)
        pending += one._inputs() if is_safe else []
    return is_safe
