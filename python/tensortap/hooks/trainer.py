"""Hook on fit, evaluate and predict: tells who was attached within them that they ended, however they did.

Keras calls no callback when fit raises or is interrupted. So these three methods of Keras' trainer get a frame around
them; it does nothing unless a recorder attaches itself inside. The frame of fit also knows what fit was given.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from tensortap.hooks import patch

_METHODS = ("fit", "evaluate", "predict")
_scopes = threading.local()
_lock = threading.Lock()
_users: Counter[tuple[type, str]] = Counter()
_running: Counter[int] = Counter()  # id(model) -> how many of the three, on whatever threads

Ended = Callable[["BaseException | None"], None]


class _Scope(list[Ended]):
    """One of the three while it runs: who wants to know of its end, and what it was called with."""

    def __init__(self, method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self.call = (method, args, kwargs)


def install(model_class: type) -> patch.Undo:
    """Around the methods of the classes that define them; once, however many ask for it."""
    found = [(base, name) for name in _METHODS for base in model_class.__mro__ if name in base.__dict__]
    places = list({name: (base, name) for base, name in reversed(found)}.values())  # the first class of each
    with _lock:
        for owner, name in places:
            _users[owner, name] += 1
            # functools.wraps() shows the mark also through what somebody has put around us.
            if not hasattr(owner.__dict__[name], "_tensortap_framed"):
                setattr(owner, name, _framed(owner.__dict__[name]))
    return patch.once(functools.partial(_remove, places))


def on_end(ended: Ended) -> bool:
    """Calls ended(error or None) when the innermost of the three ends on this thread; False when there is none."""
    stack = getattr(_scopes, "stack", None)
    if not stack:
        return False
    stack[-1].append(ended)
    return True


def fit_data() -> dict[str, Any]:
    """validation_data and x of the fit that runs on this thread; nothing outside of one."""
    stack = getattr(_scopes, "stack", None)
    method, args, kwargs = stack[-1].call if stack else (None, (), {})
    if getattr(method, "__name__", "") != "fit":
        return {}
    try:
        given = inspect.signature(method).bind_partial(None, *args, **kwargs).arguments
    except TypeError:  # Keras is about to say so
        return {}
    return {name: given[name] for name in ("validation_data", "x") if given.get(name) is not None}


def is_running(model: Any) -> bool:
    """Whether this model is inside of one of the three, on whatever thread."""
    return _running[id(model)] > 0


def _remove(places: list[tuple[type, str]]) -> None:
    with _lock:
        for owner, name in places:
            _users[owner, name] -= 1
            method = owner.__dict__.get(name)
            # A frame that somebody has put something around stays where it is, and does nothing.
            if not _users[owner, name] and getattr(method, "_tensortap_frame", None) is method:
                setattr(owner, name, method._tensortap_framed)


def _framed(method: Any) -> Any:
    @functools.wraps(method)
    def frame(self: Any, *args: Any, **kwargs: Any) -> Any:
        scope = _enter(self, _Scope(method, args, kwargs))
        error: BaseException | None = None
        try:
            return method(self, *args, **kwargs)
        except BaseException as raised:
            error = raised
            raise
        finally:
            _leave(self)
            with contextlib.ExitStack() as ends:  # all of them, whatever one of them raises
                for ended in scope:
                    ends.callback(ended, error)
            del error

    frame._tensortap_framed = method
    frame._tensortap_frame = frame
    return frame


def _enter(model: Any, scope: _Scope) -> _Scope:
    stack = _scopes.__dict__.setdefault("stack", [])
    stack.append(scope)
    with _lock:
        _running[id(model)] += 1
    return scope


def _leave(model: Any) -> None:
    _scopes.stack.pop()
    with _lock:
        _running[id(model)] -= 1
        if not _running[id(model)]:
            del _running[id(model)]
