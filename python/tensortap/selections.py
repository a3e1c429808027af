"""Selections: the steps and the slices that readers ask for, as the C++ core takes them."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

Bounds = tuple["int | None", "int | None"]
_LEAST, _GREATEST = -(2**63), 2**63 - 1


def step_bounds(steps: Any) -> Bounds:
    """(first, last), both included, None for an open end.

    `steps` is None (all), one step, or a range of them as Python has it: slice(100, 200) and range(100, 200) are the
    steps 100 to 199. The numbers are steps, not positions: negative ones do not count from the end.
    """
    if steps is None:
        return None, None
    if isinstance(steps, (slice, range)):
        if steps.step not in (None, 1):
            raise ValueError(f"steps={steps!r}: only whole ranges can be asked for; thin the answer instead")
        first, stop = (None if end is None else _index(end) for end in (steps.start, steps.stop))
        if stop is not None and stop <= _LEAST:
            return _GREATEST, _LEAST  # nothing
        return _clipped(first), None if stop is None else _clipped(stop - 1)
    step = _index(steps)
    if step != _clipped(step):
        return _GREATEST, _LEAST
    return step, step


def one_step(step: Any) -> int | None:
    """A step out of anything that is an integer; None stands for the last one."""
    if step is None:
        return None
    value = _index(step)
    if value != _clipped(value):
        raise ValueError(f"step does not fit 64 bits: {value}")
    return value


def limit(count: Any, name: str) -> int:
    """How many at most; 0 stands for None, all of them."""
    if count is None:
        return 0
    value = _index(count, f"{name} must be an integer, not {count!r}")
    if not 0 < value <= _GREATEST:
        raise ValueError(f"{name} must be above 0, not {value}")
    return value


def slice_tuples(slices: Any) -> tuple[list[tuple[int, int | None, int]], tuple[Any, ...]]:
    """np.s_[0, :10] as (from, to, stride) of each dimension, and the index that drops the dimensions of integers."""
    parts = slices if isinstance(slices, tuple) else () if slices is None else (slices,)
    tuples: list[tuple[int, int | None, int]] = []
    for part in parts:
        if isinstance(part, slice):
            stride = 1 if part.step is None else _index(part.step)
            if stride < 1:
                raise ValueError(f"slices={slices!r}: strides must be above 0; reverse the array afterwards")
            tuples.append((0 if part.start is None else _index(part.start), _optional(part.stop), stride))
        else:
            index = _index(part, f"slices={slices!r} must be made of integers and slices, as np.s_[0, :10]")
            tuples.append((index, None if index == -1 else index + 1, 1))
    return tuples, tuple(slice(None) if isinstance(part, slice) else 0 for part in parts)


def _index(value: Any, message: str | None = None) -> int:
    try:
        return operator.index(value)
    except TypeError:
        message = message or f"steps are given as an integer, a slice or a range, not {value!r}"
        raise ValueError(message) from None


def _optional(value: Any) -> int | None:
    return None if value is None else _index(value)


def _clipped(step: int | None) -> int | None:
    return None if step is None else min(max(step, _LEAST), _GREATEST)


def names(items: Iterable[str], most: int = 8) -> str:
    """Some names, for a repr."""
    items = list(items)
    return ", ".join(items[:most]) + (", ..." if len(items) > most else "")
