"""TracedFunctions: a model's compiled step functions, changed for ones with taps in them and back."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable
from typing import Any

from tensortap.hooks import patch, trainer
from tensortap.watching.keras_values import uses_xla

_MAKERS = {
    "train_function": "make_train_function",
    "test_function": "make_test_function",
    "predict_function": "make_predict_function",
}
_NAMES = (*_MAKERS, "train_tf_function")  # the last one is tf_keras' alone
# id(model) -> while anybody records it. The model holds it, by a patch; nothing here holds the model.
_recorded: weakref.WeakValueDictionary[int, TracedFunctions] = weakref.WeakValueDictionary()
_numbers = itertools.count()


class KeptFunctions:
    """The functions with taps that a recorder has for the next time: fit in a loop does not trace again.

    They hold on to their models, as all functions that Keras makes do.
    """

    def __init__(self) -> None:
        self.number = next(_numbers)
        self._entries: dict[tuple[int, frozenset[int]], tuple[dict[str, Any], TracedFunctions]] = {}

    def put(self, keepers: frozenset[int], functions: dict[str, Any], source: TracedFunctions) -> None:
        self._entries[id(source.model), keepers] = (functions, source)

    def get(self, keepers: frozenset[int], asking: TracedFunctions) -> dict[str, Any]:
        """None of them where anything that they depend on has changed."""
        functions, source = self._entries.pop((id(asking.model), keepers), ({}, None))
        return functions if source is not None and source.is_like(asking) else {}

    def clear(self) -> None:
        self._entries.clear()


class TracedFunctions:
    """The step functions of one model, while anybody records it.

    A step function is traced once and then used again, so that taps need functions of their own; so does each set of
    recorders. Those without taps come back when the last recorder leaves.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._keepers: list[KeptFunctions] = []
        self._remember()
        self._undo = patch.install(model, "compile", self._around_compile)

    def _remember(self) -> None:
        """The model as it is without recorders. XLA compiles inside of our step, or not at all: see hooks/step.py."""
        self._plain = _functions(self.model)
        self._settings = _settings(self.model)
        self._jit_setting = vars(self.model).get("_jit_compile")  # None: not decided yet
        self.jit = uses_xla(self.model)
        if self.jit:
            self.model.jit_compile = False

    def _around_compile(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        result = call(*args, **kwargs)
        self._remember()
        return result

    def join(self, keeper: KeptFunctions) -> None:
        self._change([*self._keepers, keeper])

    def leave(self, keeper: KeptFunctions) -> None:
        keepers = [one for one in self._keepers if one is not keeper]
        if keepers:
            self._change(keepers)
            return
        self._put_away()
        _recorded.pop(id(self.model), None)
        self._undo()
        if self.jit and not self.model.jit_compile:
            self.model.jit_compile = True
        if self._jit_setting is None and "_jit_compile" in vars(self.model):
            self.model._jit_compile = None
        _set(self.model, self._plain if _same(self._settings, _settings(self.model)) else {})

    def is_like(self, later: TracedFunctions) -> bool:
        """Whether functions that were traced for this one are right for a later one too."""
        # A function that was there before us and is there no more was thrown away on purpose.
        kept = all(function is None or later._plain.get(name) is function for name, function in self._plain.items())
        return kept and self.jit == later.jit and _same(self._settings, later._settings)

    def _change(self, keepers: list[KeptFunctions]) -> None:
        self._put_away()
        self._keepers = keepers
        newest, numbers = _identified(keepers)
        _set(self.model, newest.get(numbers, self))

    def _put_away(self) -> None:
        functions = _functions(self.model)
        is_current = _same(self._settings, _settings(self.model))
        if self._keepers and is_current and any(function is not None for function in functions.values()):
            newest, numbers = _identified(self._keepers)
            newest.put(numbers, functions, self)


def record(model: Any, keeper: KeptFunctions) -> TracedFunctions:
    """From now on the model's functions are traced with the taps of this recorder, and of those that are there."""
    functions = _recorded.get(id(model))
    if functions is None:
        functions = _recorded[id(model)] = TracedFunctions(model)
    functions.join(keeper)
    return functions


def is_compiled(model: Any) -> bool:
    """Whether XLA compiles the steps of a model that is recorded."""
    functions = _recorded.get(id(model))
    return functions is not None and functions.jit


def _identified(keepers: Iterable[KeptFunctions]) -> tuple[KeptFunctions, frozenset[int]]:
    return max(keepers, key=lambda one: one.number), frozenset(one.number for one in keepers)


def _functions(model: Any) -> dict[str, Any]:
    return {name: getattr(model, name) for name in _NAMES if hasattr(model, name)}


def _set(model: Any, functions: dict[str, Any]) -> None:
    for name, before in _functions(model).items():
        setattr(model, name, functions.get(name))
        if before is not None and functions.get(name) is None and name in _MAKERS and trainer.is_running(model):
            getattr(model, _MAKERS[name])(force=True)  # the loop that runs will call it again


def _settings(model: Any) -> tuple[Any, ...]:
    """What decides whether a function that was made earlier is still the right one."""
    steps = getattr(model, "steps_per_execution", None)
    steps = steps if isinstance(steps, int) else None  # a variable in tf_keras, which the functions read
    # Each compile() makes a new one of these, in both Keras.
    compiled = getattr(model, "_compile_config", None)
    return (compiled, getattr(model, "optimizer", None), model.run_eagerly, steps, type(model).train_step)


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(
        a is b or (isinstance(a, int) and a == b) for a, b in zip(one, other, strict=True)
    )
