"""Samples: sets of inputs with their labels and ids, of which a recorder keeps the model's outputs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from tensortap.arrays import joined, mapped, part, samples_in, tree_of

_INFINITE = -1  # tf.data's cardinality


class ArraySet:
    """Samples that are there as arrays. `y` is a tree of arrays, or None where there are no labels."""

    def __init__(self, x: Any, y: Any = None, ids: Any = None, *, name: str = "the samples") -> None:
        self.x = tree_of(x)
        self.y = None if y is None else tree_of(y)
        count = samples_in(self.x, f"{name}: x")
        labels = count if self.y is None else samples_in(self.y, f"{name}: y")
        if labels != count:
            raise ValueError(f"{name}: x has {count} samples, y has {labels}")
        if count == 0:
            raise ValueError(f"{name}: there are no samples in x")
        self.ids = np.arange(count) if ids is None else np.asarray(ids)
        if self.ids.shape != (count,):
            raise ValueError(f"{name}: ids are a list, one for each of {count} samples; got {list(self.ids.shape)}")

    def __len__(self) -> int:
        return len(self.ids)

    def batches(self, size: int) -> Iterator[tuple[Any, Any]]:
        """(x, None) of so many samples each: the labels are in `y` as a whole."""
        for begin in range(0, len(self), size):
            yield part(self.x, slice(begin, begin + size)), None

    def first_inputs(self, count: int) -> Any:
        return part(self.x, slice(0, count))


class BatchSet:
    """Samples that come in batches: a tf.data.Dataset, a Keras PyDataset, anything that can be iterated anew.

    Their labels come with them, and their ids are positions in the order of the batches.
    """

    y = None
    ids = None

    def __init__(self, source: Any, *, name: str = "the samples") -> None:
        self._source = source
        cardinality = getattr(source, "cardinality", None)
        if cardinality is not None and int(cardinality()) == _INFINITE:
            raise ValueError(f"{name}: this data set has no end; give so many batches of it: data.take(10)")
        if isinstance(source, Iterator):
            raise TypeError(
                f"{name}: a generator gives its batches once, and they are needed at each epoch; "
                "pass the function that makes it, or arrays"
            )

    def batches(self, _: int) -> Iterator[tuple[Any, Any]]:
        """(x, y) as they come; tensors stay tensors."""
        for element in self._elements():
            x, y = _unpacked(element)
            yield _tree(x), None if y is None else tree_of(y)

    def first_inputs(self, count: int) -> Any:
        for x, _ in self.batches(0):
            return mapped(lambda leaf: leaf[:count], x)
        raise ValueError("the data set is empty")

    def _elements(self) -> Iterable[Any]:
        source = self._source
        if is_indexed(source):
            return (source[index] for index in range(len(source)))
        return source() if callable(source) and not hasattr(source, "__iter__") else source


Set = ArraySet | BatchSet


def sample(x: Any, y: Any = None, count: int = 64, *, seed: int = 0, ids: Any = None) -> ArraySet:
    """Some samples drawn without replacement: the same ones for the same seed.

        tap.keras.Recorder("runs/a", predictions=tap.sample(x_val, y_val, 64, seed=0))

    x, y:   arrays, lists or dicts of them; or as x a tf.data.Dataset or PyDataset of batches (x, y), which is read
            once, now.
    count:  how many; all of them where there are fewer.
    ids:    one for each sample of x; without them the positions in x.
    """
    if (count := operator.index(count)) < 1:
        raise ValueError(f"count must be above 0, not {count}")
    generator = np.random.default_rng(seed)
    if not is_batches(x):
        everything = ArraySet(x, y, ids, name="tap.sample")
        chosen = np.sort(generator.permutation(len(everything))[:count])
        labels = None if everything.y is None else part(everything.y, chosen)
        return ArraySet(part(everything.x, chosen), labels, everything.ids[chosen])
    if y is not None:
        raise TypeError("tap.sample: the labels of a data set are in its batches; y is for arrays")
    return _reservoir(BatchSet(x, name="tap.sample"), count, generator, ids)


def _reservoir(source: BatchSet, count: int, generator: np.random.Generator, ids: Any) -> ArraySet:
    """One pass, which holds no more than `count` samples."""
    kept: dict[int, tuple[int, Any, Any]] = {}  # place -> (position, x, y)
    seen = 0
    for x, y in source.batches(0):
        size = samples_in(x, "tap.sample: x")
        places = generator.integers(0, np.arange(seen, seen + size) + 1)
        for index in range(size):
            place = seen + index if seen + index < count else int(places[index])
            if place < count:
                one = slice(index, index + 1)
                kept[place] = (seen + index, _copied(x, one), None if y is None else _copied(y, one))
        seen += size
    if not kept:
        raise ValueError("tap.sample: the data set is empty")
    chosen = sorted(kept.values(), key=lambda entry: entry[0])
    positions = np.array([position for position, _, _ in chosen])
    labels = None if chosen[0][2] is None else joined([y for _, _, y in chosen])
    return ArraySet(joined([x for _, x, _ in chosen]), labels, positions if ids is None else np.asarray(ids)[positions])


def to_sets(predictions: Any) -> dict[str, Set]:
    """What a Recorder's option `predictions` means: one set (named val), or several by their names."""
    if predictions is None or predictions is False:
        return {}
    if isinstance(predictions, Mapping):
        return {_checked_name(name): _to_set(name, one) for name, one in predictions.items()}
    return {"val": _to_set("val", predictions)}


def to_inputs(inputs: Any) -> Set:
    """Inputs alone; labels that come with them are not used."""
    return inputs if isinstance(inputs, (ArraySet, BatchSet)) else _to_set("inputs", inputs)


def _to_set(name: str, value: Any) -> Set:
    where = f"predictions {name!r}"
    if isinstance(value, (ArraySet, BatchSet)):
        return value
    if value is None or isinstance(value, (bool, int, float, str)):
        raise TypeError(f"{where}: give (x, y), x, a data set or tap.sample(...); not {value!r}")
    if is_batches(value):
        return BatchSet(value, name=where)
    x, y = _unpacked(value)
    return ArraySet(x, y, name=where)


def is_batches(value: Any) -> bool:
    """Whether this gives batches rather than being an array or a structure of arrays."""
    if isinstance(value, (Mapping, list, tuple, str)) or hasattr(value, "shape"):
        return False
    return hasattr(value, "__iter__") or is_indexed(value) or isinstance(value, Callable)


def is_indexed(value: Any) -> bool:
    """A PyDataset, or tf_keras' Sequence."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not hasattr(value, "element_spec")


def _unpacked(element: Any) -> tuple[Any, Any]:
    """(x, y) out of x, (x,), (x, y) and (x, y, weights)."""
    if not isinstance(element, tuple):
        return element, None
    if not 1 <= len(element) <= 3:
        raise ValueError(f"samples are x, (x, y) or (x, y, weights); not a tuple of {len(element)}")
    return element[0], element[1] if len(element) > 1 else None


def _tree(x: Any) -> Any:
    """As the data set has it: ragged and sparse tensors go to the model as they are."""
    if isinstance(x, Mapping):
        return {name: _tree(one) for name, one in x.items()}
    return [_tree(one) for one in x] if isinstance(x, (list, tuple)) else x


def _copied(tree: Any, which: slice) -> Any:
    return mapped(lambda leaf: np.array(leaf[which]), tree)


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise TypeError(f"sets of predictions are named by str; not {name!r}")
    return name
