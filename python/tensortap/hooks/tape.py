"""Hook on tf.GradientTape: which tapes are open, and when one is asked for gradients.

While anybody watches, three methods of the class have frames around them.
"""

from __future__ import annotations

import functools
import threading
import weakref
from typing import Any

from tensortap.hooks import patch
from tensortap.watching.tensorflow_op import tf

_lock = threading.Lock()
_watches: list[Any] = []
_plain: dict[str, Any] = {}
_local = threading.local()


def install(watch: Any) -> patch.Undo:
    """watch.around_gradient(tape, call, target, sources) is called around each tape.gradient(...)."""
    with _lock:
        _watches.append(watch)
        if len(_watches) == 1:
            for name, frame in _FRAMES.items():
                _plain[name] = tf.GradientTape.__dict__[name]
                setattr(tf.GradientTape, name, functools.wraps(_plain[name])(frame))
    return patch.once(functools.partial(_remove, watch))


def _remove(watch: Any) -> None:
    with _lock:
        _watches.remove(watch)
        if not _watches:
            for name, method in _plain.items():
                setattr(tf.GradientTape, name, method)


def innermost() -> Any:
    """The tape that was opened last of those that are open on this thread; None: there is none."""
    for reference in reversed(getattr(_local, "tapes", [])):
        tape = reference()
        if tape is not None:
            return tape
    return None


def _enter(self: Any) -> Any:
    _local.__dict__.setdefault("tapes", []).append(weakref.ref(self))
    return _plain["__enter__"](self)


def _exit(self: Any, *args: Any) -> Any:
    _local.tapes = [one for one in getattr(_local, "tapes", []) if one() not in (None, self)]
    return _plain["__exit__"](self, *args)


def _gradient(self: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
    def call() -> Any:
        return _plain["gradient"](self, target, sources, *args, **kwargs)

    for watch in tuple(_watches):
        call = functools.partial(watch.around_gradient, self, call, sources)
    return call()


_FRAMES = {"__enter__": _enter, "__exit__": _exit, "gradient": _gradient}
