"""Hook on calls of tf.functions: tells of those that were traced before anybody could put taps into them."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tensortap.hooks import patch
from tensortap.watching import nested_functions


def install(watch: Any) -> patch.Undo:
    """watch.see_old_graph(function, its graphs) when one runs that was there before; it says whether they matter.

    If they do, watch.count_step() comes after each such call.
    """
    old_graphs: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()
    matters: weakref.WeakKeyDictionary[Any, bool] = weakref.WeakKeyDictionary()

    @contextmanager
    def calling(function: Any) -> Iterator[None]:
        if function not in old_graphs:
            cache = getattr(function, "_function_cache", None)
            old_graphs[function] = [] if cache is None else [one.graph for one in cache.values()]
        if not old_graphs[function]:
            yield
            return
        traces = function.experimental_get_tracing_count()
        yield
        if function.experimental_get_tracing_count() != traces:
            return  # traced for this call
        if function not in matters:
            matters[function] = watch.see_old_graph(function, old_graphs[function])
        if matters[function]:
            watch.count_step()

    return patch.once(nested_functions.observe(calling))
