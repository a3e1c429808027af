"""Hook on fit, evaluate and predict: tells who was attached within them that they ended, however they did.

Keras calls no callback when fit raises or is interrupted. So these three methods of Keras' trainer get a frame around
them, once in a process; it does nothing unless a recorder attaches itself inside.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

_METHODS = ("fit", "evaluate", "predict")
_scopes = threading.local()

Ended = Callable[["BaseException | None"], None]


def install(model_class: type) -> None:
    """Around the class that defines the methods; a second time does nothing."""
    for name in _METHODS:
        owner = next((base for base in model_class.__mro__ if name in base.__dict__), None)
        if owner is None or hasattr(owner.__dict__[name], "_tensortap_frame"):
            continue
        setattr(owner, name, _framed(owner.__dict__[name]))


def on_end(ended: Ended) -> bool:
    """Calls ended(error or None) when the innermost of the three ends on this thread; False when there is none."""
    stack = getattr(_scopes, "stack", None)
    if not stack:
        return False
    stack[-1].append(ended)
    return True


def _framed(method: Any) -> Any:
    @functools.wraps(method)
    def frame(*args: Any, **kwargs: Any) -> Any:
        stack = _scopes.__dict__.setdefault("stack", [])
        scope: list[Ended] = []
        stack.append(scope)
        error: BaseException | None = None
        try:
            return method(*args, **kwargs)
        except BaseException as raised:
            error = raised
            raise
        finally:
            stack.remove(scope)
            for ended in scope:
                ended(error)
            del error

    frame._tensortap_frame = True
    return frame
