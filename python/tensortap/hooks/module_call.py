"""Hook on plain tf.Modules: functions around the calls of one module.

Python finds __call__ on the class, so the class gets a frame; it does nothing for modules that nobody watches.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

from tensortap.hooks import patch

_lock = threading.Lock()
_watched: dict[int, tuple[Any, list[patch.Around]]] = {}  # id(module) -> (module, what is around its calls)
_users: dict[type, int] = {}
_running = threading.local()


def can_be_called(module: Any) -> bool:
    return _defining_class(module) is not None


def install(module: Any, around: patch.Around) -> patch.Undo:
    """Calls of module(...) go through around(call, ...), for this module alone."""
    owner = _defining_class(module)
    with _lock:
        _watched.setdefault(id(module), (module, []))[1].append(around)
        _users[owner] = _users.get(owner, 0) + 1
        if _users[owner] == 1:
            owner.__call__ = _framed(owner.__dict__["__call__"])
    return patch.once(functools.partial(_remove, module, around, owner))


def _remove(module: Any, around: patch.Around, owner: type) -> None:
    with _lock:
        arounds = _watched[id(module)][1]
        arounds.remove(around)
        if not arounds:
            del _watched[id(module)]
        _users[owner] -= 1
        framed = owner.__dict__.get("__call__")
        if not _users[owner] and hasattr(framed, "_tensortap_framed"):
            owner.__call__ = framed._tensortap_framed


def _defining_class(module: Any) -> type | None:
    return next((base for base in type(module).__mro__ if "__call__" in base.__dict__), None)


def _framed(method: Any) -> Any:
    def frame(self: Any, *args: Any, **kwargs: Any) -> Any:
        call = method.__get__(self, type(self))  # a plain function or a tf.function
        running = _running.__dict__.setdefault("modules", set())
        _, arounds = _watched.get(id(self), (None, []))
        if not arounds or id(self) in running:  # by super().__call__()
            return call(*args, **kwargs)
        running.add(id(self))
        try:
            return _through(call, tuple(arounds), args, kwargs)
        finally:
            running.discard(id(self))

    functools.update_wrapper(frame, getattr(method, "python_function", method))
    frame.autograph_info__ = {"do_not_convert": True}  # AutoGraph must not rewrite us
    frame._tensortap_framed = method
    return frame


def _through(call: Any, arounds: tuple[patch.Around, ...], args: Any, kwargs: Any) -> Any:
    if not arounds:
        return _converted(call)(*args, **kwargs)
    outer, *inner = arounds

    def further(*inner_args: Any, **inner_kwargs: Any) -> Any:
        return _through(call, tuple(inner), inner_args, inner_kwargs)

    return outer(further, *args, **kwargs)


def _converted(call: Any) -> Any:
    """What AutoGraph would have made of the call, had we not stood before it."""
    from tensortap.watching.tensorflow_op import tf

    if tf.executing_eagerly() or hasattr(call, "python_function"):
        return call
    return tf.__internal__.autograph.tf_convert(call, tf.__internal__.autograph.control_status_ctx())
