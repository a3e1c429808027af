"""Hook on calls of tf.functions: tells of those that were traced before anybody could put taps into them."""

from __future__ import annotations

import weakref
from typing import Any

from tensortap.hooks import patch
from tensortap.watching import nested_functions


def install(watch: Any) -> patch.Undo:
    """watch.see_function(function, concrete functions) is called after a call, whenever there are new ones.

    It says whether that function has none of its taps; then watch.count_step() comes after each further call.
    """
    seen: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
    untapped: weakref.WeakSet[Any] = weakref.WeakSet()

    def called(function: Any) -> None:
        count = function.experimental_get_tracing_count()
        if seen.get(function) != count:
            seen[function] = count
            cache = getattr(function, "_function_cache", None)
            if watch.see_function(function, [] if cache is None else list(cache.values())):
                untapped.add(function)
        if function in untapped:
            watch.count_step()

    return patch.once(nested_functions.observe(called))
