"""TracedFunctions: a model's compiled step functions, changed for ones with taps in them and back."""

from __future__ import annotations

import weakref
from typing import Any

_NAMES = ("train_function", "test_function", "predict_function", "train_tf_function")
# What decides whether a function that was made earlier is still the right one.
_SETTINGS = ("optimizer", "run_eagerly", "steps_per_execution", "_jit_setting", "distribute_strategy", "train_step")

_missing = object()


class TracedFunctions:
    """A step function is traced once and then used again, so that taps need functions of their own.

    Those without taps come back when recording ends; those with taps are kept for the next time, where nothing that
    they depend on has changed: fit in a loop does not trace again.
    """

    _kept: weakref.WeakKeyDictionary[Any, dict[int, tuple[Any, ...]]] = weakref.WeakKeyDictionary()

    def __init__(self, model: Any, owner: Any) -> None:
        self.model = model
        self._owner = owner
        self._plain = _functions(model)
        self._plain_settings = _settings(model)
        self._jit = model.jit_compile
        self._keeps_off_jit = bool(self._jit)

    @classmethod
    def swap_in(cls, model: Any, owner: Any) -> TracedFunctions:
        swapped = cls(model, owner)
        if swapped._keeps_off_jit:
            # XLA compiles inside of our step, or not at all: see hooks/step.py.
            model.jit_compile = False
        kept = cls._kept.get(owner, {}).get(id(model))
        functions = {}
        if kept is not None and kept[0]() is model and _same(kept[1], _settings(model)):
            functions = kept[2]
        _set(model, functions)
        return swapped

    def swap_out(self) -> None:
        settings = _settings(self.model)
        kept = self._kept.setdefault(self._owner, {})
        kept[id(self.model)] = (weakref.ref(self.model), settings, _functions(self.model))
        if self._keeps_off_jit and not self.model.jit_compile:
            self.model.jit_compile = self._jit
        _set(self.model, self._plain if _same(self._plain_settings, _settings(self.model)) else {})


def _functions(model: Any) -> dict[str, Any]:
    return {name: getattr(model, name) for name in _NAMES if hasattr(model, name)}


def _set(model: Any, functions: dict[str, Any]) -> None:
    for name in _NAMES:
        if hasattr(model, name):
            setattr(model, name, functions.get(name))


def _settings(model: Any) -> tuple[Any, ...]:
    optimizer = getattr(model, "optimizer", None)
    steps = getattr(model, "steps_per_execution", None)
    steps = int(steps) if isinstance(steps, int) else None
    return (optimizer, model.run_eagerly, steps, getattr(model, "loss", None), type(model).train_step)


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b or (isinstance(a, (int, bool)) and a == b) for a, b in zip(one, other, strict=True))
