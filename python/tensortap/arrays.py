"""Trees of arrays: one array, a list of them, or several by name, as Keras takes inputs and labels. No TensorFlow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def tree_of(value: Any) -> Any:
    """The same with arrays for leaves. A list of numbers is one array; a list of arrays is several inputs."""
    if isinstance(value, Mapping):
        return {str(name): tree_of(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)) and value and all(_is_array(one) for one in value):
        return [tree_of(one) for one in value]
    return _leaf(value)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: mapped(function, one) for name, one in tree.items()}
    if isinstance(tree, list):
        return [mapped(function, one) for one in tree]
    return function(tree)


def leaves(tree: Any) -> list[Any]:
    found: list[Any] = []
    mapped(found.append, tree)
    return found


def samples_in(tree: Any, what: str) -> int:
    """The extent of the first dimension, which all leaves share. ValueError where they do not."""
    shapes = [tuple(leaf.shape) for leaf in leaves(tree)]
    counts = {shape[0] if shape else None for shape in shapes}
    if len(counts) != 1 or None in counts:
        listed = ", ".join(str(list(shape)) for shape in shapes) or "nothing"
        raise ValueError(f"{what} must be arrays whose first dimension counts the same samples; got {listed}")
    return int(counts.pop())


def part(tree: Any, which: Any) -> Any:
    """Some samples of each leaf, as NumPy arrays: a slice, or sorted positions."""
    return mapped(lambda leaf: np.asarray(leaf[which]), tree)


def joined(parts: list[Any]) -> Any:
    """One tree out of those of several batches. ValueError where their shapes do not fit."""
    first = parts[0]
    if isinstance(first, dict):
        return {name: joined([one[name] for one in parts]) for name in first}
    if isinstance(first, list):
        return [joined([one[index] for one in parts]) for index in range(len(first))]
    return first if len(parts) == 1 else np.concatenate(parts)


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and len(value.shape) > 0


def _leaf(value: Any) -> Any:
    """Arrays on the disk stay there: np.memmap and h5py are read by the part that is asked for."""
    if type(value).__name__ in ("KerasTensor", "SymbolicTensor") or (
        type(value).__name__ == "Tensor" and hasattr(value, "graph")
    ):
        raise TypeError(f"{type(value).__name__} has no values; pass arrays")
    if type(value).__name__ in ("RaggedTensor", "SparseTensor"):
        raise TypeError(f"{type(value).__name__} cannot be split into batches here; pass a tf.data.Dataset of batches")
    if hasattr(value, "numpy"):
        value = value.numpy()
    if hasattr(value, "iloc"):  # pandas
        value = value.to_numpy()
    if hasattr(value, "shape") and hasattr(value, "__getitem__"):
        return value
    return np.asarray(value)
