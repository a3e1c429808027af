"""Patch: functions around a method of one object, put there and taken away in any order."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

Around = Callable[..., Any]  # around(call, *args, **kwargs)
Undo = Callable[[], None]


class PatchedMethod:
    """A method of one object, with functions around it.

    In its place stands a method like any other (`bound`), because Keras, TensorFlow, pickle and inspect look at what
    they call. A copy of the object may get it too: for the copy it is the plain method.
    """

    def __init__(self, owner: Any, name: str) -> None:
        self._owner = owner
        self._name = name
        self._before = owner.__dict__.get(name)  # somebody else's patch
        self._method = getattr(owner, name)
        self._autographed = is_legacy(owner) and _is_users(self._method)
        self._arounds: list[Around] = []
        self.bound = types.MethodType(_frame(self), owner)

    def fits(self) -> bool:
        """Whether the object has now what it had before us."""
        return self._owner.__dict__.get(self._name) is self._before

    def call(self, owner: Any, *args: Any, **kwargs: Any) -> Any:
        if owner is self._owner:
            return self._call_from(tuple(self._arounds), args, kwargs)
        if getattr(self._method, "__self__", None) is not self._owner:
            return self._method(*args, **kwargs)
        return self._method.__func__(owner, *args, **kwargs)

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
        if self._arounds or self._owner.__dict__.get(self._name) is not self.bound:
            return
        if self._before is None:
            object.__delattr__(self._owner, self._name)
        else:
            object.__setattr__(self._owner, self._name, self._before)


def _frame(patched: PatchedMethod) -> Any:
    """The function of the method that stands in the object's place. It looks like the one that it stands for."""

    def frame(self: Any, *args: Any, **kwargs: Any) -> Any:
        return patched.call(self, *args, **kwargs)

    method = patched._method
    function = getattr(method, "__func__", None)
    if isinstance(function, types.FunctionType):
        functools.update_wrapper(frame, function)
    else:  # what somebody has set on the object, which is not handed the object
        functools.update_wrapper(frame, method, updated=())
        del frame.__wrapped__
        owner = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        with contextlib.suppress(TypeError, ValueError):  # nobody knows what it takes
            frame.__signature__ = inspect.Signature([owner, *inspect.signature(method).parameters.values()])
    # AutoGraph (of tf_keras; Keras 3 uses none) must not rewrite us; what we call it still may.
    frame.autograph_info__ = {"do_not_convert": True}
    frame._tensortap_patch = patched
    return frame


# Keras' step functions hold on to the one that was there when they were made, and call it whenever they are traced
# again, for a batch of another shape say. So it comes back, as long as anybody holds it.
_made: weakref.WeakValueDictionary[tuple[int, str], PatchedMethod] = weakref.WeakValueDictionary()


def find(owner: Any, name: str) -> PatchedMethod | None:
    """What stands around owner.name; None when there is nothing of ours."""
    bound = owner.__dict__.get(name)
    patched = getattr(bound, "_tensortap_patch", None)
    # functools.wraps() shows the mark also on what somebody has put around us.
    return patched if patched is not None and patched.bound is bound else None


def find_around(owner: Any, name: str, kind: type) -> Any:
    """The first of this kind that is around owner.name; None when there is none."""
    patched = find(owner, name)
    arounds = [] if patched is None else patched._arounds
    return next((around for around in arounds if isinstance(around, kind)), None)


def method_of(owner: Any, name: str) -> Any:
    """owner.name as it is without anybody around it."""
    patched = find(owner, name)
    return getattr(owner, name) if patched is None else patched._method


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
    patched = find(owner, name)
    if patched is None:
        patched = _made.get((id(owner), name))
        if patched is None or not patched.fits():
            patched = _made[id(owner), name] = PatchedMethod(owner, name)
        # Not by setattr: Keras and TensorFlow look into what is set on their objects.
        object.__setattr__(owner, name, patched.bound)
    patched.add(around)
    return once(functools.partial(patched.remove, around))
