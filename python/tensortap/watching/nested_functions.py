"""Functions inside of a step: tf.functions of the user's that a model calls while its step is traced.

tf.function keeps what it has traced and uses it again, in other steps and after recording has ended: taps must not stay
in there. So while a step is traced, each call of such a function traces anew; where that would cost too much (without a
graph), or where no tap can be (under XLA), what is inside is not recorded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from tensortap.watching.tensorflow_op import tf

_Function = type(tf.function(lambda: None))
_plain = {name: getattr(_Function, name) for name in ("__call__", "get_concrete_function")}
_lock = threading.Lock()
_users = 0
_local = threading.local()
_observers: list[Callable[[Any], AbstractContextManager[None]]] = []


@contextmanager
def renewed() -> Iterator[None]:
    """On this thread, functions called in between are traced for their caller alone."""
    _enter()
    before = getattr(_local, "is_active", False)
    _local.is_active = True
    try:
        yield
    finally:
        _local.is_active = before
        _leave()


def observe(calling: Callable[[Any], AbstractContextManager[None]]) -> Callable[[], None]:
    """calling(function) is around each call of a tf.function that is the user's own; until the undo that comes back."""
    _enter()
    _observers.append(calling)

    def undo() -> None:
        _observers.remove(calling)
        _leave()

    return undo


def is_hidden() -> bool:
    """Whether what runs now ends up in a function that outlives the step: nothing of it may be recorded."""
    return getattr(_local, "is_hidden", False)


def _call(function: Any, *args: Any, **kwargs: Any) -> Any:
    plain = _plain["__call__"]
    if not getattr(_local, "is_active", False) or is_hidden():
        with ExitStack() as around:
            for calling in () if is_hidden() else tuple(_observers):
                around.enter_context(calling(function))
            return plain(function, *args, **kwargs)
    if not tf.executing_eagerly() and not getattr(function, "_jit_compile", None):
        return plain(function._clone(None), *args, **kwargs)
    return _hidden(plain, function, *args, **kwargs)


def _get_concrete_function(function: Any, *args: Any, **kwargs: Any) -> Any:
    plain = _plain["get_concrete_function"]
    if not getattr(_local, "is_active", False):
        return plain(function, *args, **kwargs)
    return _hidden(plain, function, *args, **kwargs)


def _hidden(method: Any, *args: Any, **kwargs: Any) -> Any:
    before = is_hidden()
    _local.is_hidden = True
    try:
        return method(*args, **kwargs)
    finally:
        _local.is_hidden = before


def _enter() -> None:
    global _users
    with _lock:
        _users += 1
        if _users == 1:
            _Function.__call__ = _call
            _Function.get_concrete_function = _get_concrete_function


def _leave() -> None:
    global _users
    with _lock:
        _users -= 1
        if _users == 0:
            for name, method in _plain.items():
                setattr(_Function, name, method)
