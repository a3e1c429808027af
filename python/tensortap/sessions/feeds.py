"""Feeds: what a session.run is given and asked for, and what tensors need of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tensortap.watching.tensorflow_op import tf

_NEEDS_A_VALUE = "Placeholder"  # not PlaceholderWithDefault


def fed_names(feed_dict: Mapping[Any, Any] | None) -> frozenset[str]:
    """The names of the tensors that a feed_dict gives values to."""
    names: set[str] = set()
    for key in feed_dict or ():
        if isinstance(key, str):
            names.add(key if ":" in key else f"{key}:0")
            continue
        parts = key if isinstance(key, (tuple, list)) else (key,)
        for one in parts:
            # A sparse tensor is fed as its three parts.
            inner = [getattr(one, name, None) for name in ("indices", "values", "dense_shape", "flat_values")]
            names |= {part.name for part in [*inner, one] if isinstance(getattr(part, "name", None), str)}
    return frozenset(names)


def fetched_ops(fetches: Any) -> set[str]:
    """The names of the ops that a session.run was asked for, in whatever structure."""
    names = [one if isinstance(one, str) else getattr(one, "name", "") for one in tf.nest.flatten(fetches)]
    return {str(name).partition(":")[0] for name in names if name}


def missing(tensors: Iterable[Any], fed: frozenset[str]) -> list[str]:
    """The placeholders without which these tensors cannot be computed, and that are not fed."""
    found: set[str] = set()
    seen: set[str] = set()
    pending = list(tensors)
    while pending:
        tensor = pending.pop()
        if tensor.name in fed or tensor.name in seen:
            continue
        seen.add(tensor.name)
        op = tensor.op
        if op.type == _NEEDS_A_VALUE:
            found.add(tensor.name)
        pending += op.inputs
        pending += [output for control in op.control_inputs for output in control.outputs[:1]]
    return sorted(found)


def in_batches(feed_dict: Mapping[Any, Any], batch_size: int, graph: Any) -> Iterator[dict[Any, Any]]:
    """The same feeds, so many samples at a time. What has a first dimension that the graph leaves open is split."""
    split = {key: value for key, value in feed_dict.items() if _has_samples(key, value, graph)}
    counts = {len(value) for value in split.values()}
    if len(counts) != 1:
        raise ValueError(
            f"batch_size splits what is fed by its first dimension, which must be the same; got {sorted(counts)}"
        )
    for begin in range(0, counts.pop(), batch_size):
        yield {**feed_dict, **{key: value[begin : begin + batch_size] for key, value in split.items()}}


def _has_samples(key: Any, value: Any, graph: Any) -> bool:
    tensor = graph.get_tensor_by_name(key if ":" in key else f"{key}:0") if isinstance(key, str) else key
    shape = getattr(tensor, "shape", None)
    if shape is None or shape.rank == 0 or np.ndim(value) == 0:
        return False
    return shape.rank is None or tf.compat.v1.dimension_value(shape[0]) is None
