"""Patch: functions around a method of one object, put there and taken away in any order."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

Around = Callable[..., Any]  # around(call, *args, **kwargs)
Undo = Callable[[], None]


class PatchedMethod:
    """What stands in the object's place of the method while anybody is around it.

    A copy of the object gets the plain method: pickle and deepcopy know nothing of recording.
    """

    # AutoGraph (of tf_keras; Keras 3 uses none) must not rewrite us; what we call it still may.
    autograph_info__ = {"do_not_convert": True}

    def __init__(self, owner: Any, name: str) -> None:
        self._owner = owner
        self._name = name
        self._before = owner.__dict__.get(name)  # somebody else's patch
        self._method = getattr(owner, name)
        self._autographed = is_legacy(owner) and _is_users(self._method)
        self._arounds: list[Around] = []
        functools.update_wrapper(self, self._method)

    def fits(self) -> bool:
        """Whether the object has now what it had before us."""
        return self._owner.__dict__.get(self._name) is self._before

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_from(tuple(self._arounds), args, kwargs)

    def _call_from(self, arounds: tuple[Around, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not arounds:
            return self._plain()(*args, **kwargs)
        outer, *inner = arounds

        def call(*inner_args: Any, **inner_kwargs: Any) -> Any:
            return self._call_from(tuple(inner), inner_args, inner_kwargs)

        return outer(call, *args, **kwargs)

    def _plain(self) -> Any:
        if not self._autographed:
            return self._method
        autograph = sys.modules["tensorflow"].__internal__.autograph
        return autograph.tf_convert(self._method, autograph.control_status_ctx())

    def add(self, around: Around) -> None:
        self._arounds.append(around)

    def remove(self, around: Around) -> None:
        if around not in self._arounds:
            return
        self._arounds.remove(around)
        if self._arounds or self._owner.__dict__.get(self._name) is not self:
            return
        if self._before is None:
            object.__delattr__(self._owner, self._name)
        else:
            object.__setattr__(self._owner, self._name, self._before)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        copied = memo.get(id(self._owner))
        function = getattr(self._method, "__func__", None)
        return self._method if copied is None or function is None else types.MethodType(function, copied)

    def __reduce__(self) -> Any:
        return getattr, (self._owner, self._name)


# Keras' step functions hold on to the one that was there when they were made, and call it whenever they are traced
# again, for a batch of another shape say. So it comes back, as long as anybody holds it.
_made: weakref.WeakValueDictionary[tuple[int, str], PatchedMethod] = weakref.WeakValueDictionary()


def find(owner: Any, name: str, kind: type) -> Any:
    """The first of this kind that is around owner.name; None when there is none."""
    patched = owner.__dict__.get(name)
    arounds = patched._arounds if isinstance(patched, PatchedMethod) else []
    return next((around for around in arounds if isinstance(around, kind)), None)


def method_of(owner: Any, name: str) -> Any:
    """owner.name as it is without anybody around it."""
    patched = owner.__dict__.get(name)
    return patched._method if isinstance(patched, PatchedMethod) else getattr(owner, name)


def is_legacy(owner: Any) -> bool:
    """Whether this is a model, layer or optimizer of tf_keras, which is Keras 2."""
    return any(base.__module__.split(".")[0] == "tf_keras" for base in type(owner).__mro__)


def _is_users(method: Any) -> bool:
    return getattr(method, "__module__", "").split(".")[0] not in ("keras", "tf_keras")


def once(undo: Undo) -> Undo:
    """The same, which does nothing from the second time on."""
    undos = [undo]

    def undo_once() -> None:
        if undos:
            undos.pop()()

    return undo_once


def install(owner: Any, name: str, around: Around) -> Undo:
    """Calls of owner.name() go through around(call, ...), for this object alone."""
    patched = owner.__dict__.get(name)
    if not isinstance(patched, PatchedMethod):
        patched = _made.get((id(owner), name))
        if patched is None or not patched.fits():
            patched = _made[id(owner), name] = PatchedMethod(owner, name)
        # Not by setattr: Keras and TensorFlow look into what is set on their objects.
        object.__setattr__(owner, name, patched)
    patched.add(around)
    return once(functools.partial(patched.remove, around))
