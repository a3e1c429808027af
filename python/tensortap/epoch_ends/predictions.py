"""Predictions: a model's outputs for the user's samples, with their labels, at the ends of epochs."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from tensortap.arrays import joined, leaves, samples_in
from tensortap.epoch_ends.inference import Inference, undisturbed
from tensortap.epoch_ends.output_names import known_names, labels_by_name, outputs_by_name
from tensortap.rules import When
from tensortap.run import Run
from tensortap.samples import Set
from tensortap.watching.notes import Notes
from tensortap.watching.plan import PlannedCapture, extents, item_bytes


class Predictions:
    """The sets that a recorder was given. Never more than one set's outputs are in memory."""

    def __init__(self, sets: Mapping[str, Set], epochs: int, batch_size: int, notes: Notes) -> None:
        if not isinstance(batch_size, int) or batch_size < 1:
            raise ValueError(f"predictions_batch_size must be an integer above 0, not {batch_size!r}")
        self.sets = sets
        self._epochs = epochs
        self._batch_size = batch_size
        self._notes = notes
        self._labels_seen: dict[str, int] = {}
        for name, one in sets.items():
            if any(_dtype(leaf).kind in "SUO" for leaf in leaves(one.y) if one.y is not None):
                raise TypeError(f"predictions {name!r}: labels are numbers; give the classes numbers first")

    def check(self, model: Any) -> None:
        """ValueError when labels do not fit the model's outputs, as far as these are known already."""
        names, others = known_names(model)
        for name, one in self.sets.items():
            if names:
                labels_by_name(one.y, names, others, f"predictions {name!r}")

    def record(self, run: Run, model: Any, inference: Inference, epoch_index: int, step: int) -> None:
        """At the end of an epoch, the so-manieth that was recorded."""
        if not self.sets or epoch_index % self._epochs:
            return
        began = time.perf_counter()
        with undisturbed(model):
            for name, one in self.sets.items():
                with self._notes.guard(f"predictions {name!r}"):
                    self._record_set(run, model, inference, name, one, step)
        run.scalar("tensortap/predictions_seconds", time.perf_counter() - began, step=step)

    def _record_set(self, run: Run, model: Any, inference: Inference, name: str, one: Set, step: int) -> None:
        outputs, labels, count = self._run(model, inference, one)
        also = [str(other) for other in getattr(model, "output_names", None) or []]
        by_name = labels_by_name(labels, list(outputs), also, f"predictions {name!r}")
        self._compare_order(name, one, labels)
        ids = np.arange(count) if one.ids is None else one.ids
        for output, values in outputs.items():
            values.setflags(write=False)  # ours alone: recorded without a copy
            run.predictions(
                f"{name}/{output}" if output else name,
                y_pred=values,
                y_true=by_name.get(output),
                ids=ids,
                step=step,
                phase="train" if name.partition("/")[0] == "train" else "val",
            )

    def _run(self, model: Any, inference: Inference, one: Set) -> tuple[dict[str, Any], Any, int]:
        """(outputs by name, labels, samples)"""
        gathered: dict[str, _Rows] = {}
        labels: list[Any] = []
        count = 0
        for x, y in one.batches(self._batch_size):
            batch = outputs_by_name(model, inference.outputs(model, x))
            for output, values in batch.items():
                gathered.setdefault(output, _Rows(None if one.ids is None else len(one.ids))).add(values)
            count += len(next(iter(batch.values())))
            if y is not None:
                labels.append(y)
        if not gathered:
            raise ValueError("the data set is empty")
        whole = joined(labels) if labels else one.y
        if whole is not None and samples_in(whole, "y") != count:
            raise ValueError(f"there are {count} outputs and {samples_in(whole, 'y')} labels")
        return {output: rows.array() for output, rows in gathered.items()}, whole, count

    def _compare_order(self, name: str, one: Set, labels: Any) -> None:
        """Positions are ids only as long as the samples come in the same order."""
        if one.ids is not None or labels is None:
            return
        seen = 0
        for leaf in leaves(labels):
            seen = zlib.crc32(np.ascontiguousarray(leaf).view(np.uint8), seen)
        if self._labels_seen.setdefault(name, seen) != seen:
            self._notes.once(
                f"predictions {name!r} come in another order than before, so that their ids, which are positions, mean "
                "other samples: do not shuffle that data set, or use tap.sample(data, count=...)"
            )

    def planned(self, model: Any) -> list[PlannedCapture]:
        outputs = getattr(model, "outputs", None) or [None]
        names = known_names(model)[0] or [""]
        return [
            _planned(f"predictions/{name}/{output}" if output else f"predictions/{name}", one, tensor, self._epochs)
            for name, one in self.sets.items()
            for output, tensor in zip(names, outputs, strict=False)
        ]


class _Rows:
    """Batches of one output put into one array, which is made once where the number of samples is known."""

    def __init__(self, count: int | None) -> None:
        self._count = count
        self._filled = 0
        self._array: Any = None
        self._batches: list[Any] = []

    def add(self, values: Any) -> None:
        values = np.asarray(values)
        if self._count is None:
            self._batches.append(values)
            return
        if self._array is None:
            self._array = np.empty((self._count, *values.shape[1:]), values.dtype)
        if values.shape[1:] != self._array.shape[1:]:
            raise ValueError(
                f"outputs of one sample have shapes {list(self._array.shape[1:])} and {list(values.shape[1:])}"
            )
        self._array[self._filled : self._filled + len(values)] = values
        self._filled += len(values)

    def array(self) -> Any:
        if self._count is None:
            return self._batches[0].copy() if len(self._batches) == 1 else np.concatenate(self._batches)
        if self._filled != self._count:
            raise ValueError(f"the model gave {self._filled} outputs for {self._count} samples")
        return self._array


def _planned(tag: str, one: Set, tensor: Any, epochs: int) -> PlannedCapture:
    count = None if one.ids is None else len(one.ids)
    shape = None if tensor is None else (count, *extents(tensor)[1:])
    dtype = "?" if tensor is None else str(getattr(tensor.dtype, "name", tensor.dtype))
    planned = PlannedCapture(tag, shape, dtype, When(epochs=epochs), "predictions")
    if shape is not None and None not in shape:
        labels = [] if one.y is None else leaves(one.y)
        planned.bytes = int(np.prod(shape, dtype=np.int64)) * item_bytes(dtype) + 8 * count
        planned.bytes += sum(int(np.prod(leaf.shape)) * _dtype(leaf).itemsize for leaf in labels)
    return planned


def _dtype(leaf: Any) -> np.dtype:
    return np.dtype(leaf.dtype)
