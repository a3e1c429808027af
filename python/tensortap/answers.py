"""Answers: what reading a run gives. Columns are NumPy arrays over memory of the C++ core; nothing is copied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

# Of the dtypes that NumPy does not have itself; ml_dtypes has them under these names.
_EXTENDED = ("bfloat16", "float8_", "int4", "uint4")
_PHASES = np.array(["", "train", "val", "predict"])


class Scalars:
    """The points of a scalar series: arrays `step`, `wall_time` (seconds since 1970) and `value`, of equal length.

    non_finite:       the points whose value is NaN or infinite, as Scalars of their own.
    total_points:     how many there were before max_points thinned them.
    replaced_points:  how many were left out because a later attempt replaced them; raw=True shows them.
    """

    def __init__(self, columns: tuple[np.ndarray, ...], more: dict[str, Any] | None = None) -> None:
        self.step, self.wall_time, self.value = columns
        if more is not None:
            self.non_finite = Scalars(more["non_finite"])
            self.total_points = more["total_points"]
            self.replaced_points = more["replaced_points"]

    def to_dict(self) -> dict[str, np.ndarray]:
        """The columns by name: pandas.DataFrame(points.to_dict())."""
        return {"step": self.step, "wall_time": self.wall_time, "value": self.value}

    def __len__(self) -> int:
        return len(self.step)

    def __repr__(self) -> str:
        return f"<Scalars: {len(self)} points{_span(self.step)}>"


class Stats:
    """Statistics of a tensor over steps: one column for each, as an attribute (s.mean) or by name (s["mean"]).

    Columns: step, wall_time, phase, sequence, count, min, max, mean, std, l1, l2, zeros, nan, inf, positive_inf,
    negative_inf, negatives, subnormals, and p1, p5, p25, p50, p75, p95, p99, which `percentiles` has by number.
    As in a data frame, len() counts rows, and iterating gives the names of the columns.
    """

    def __init__(self, columns: dict[str, Any]) -> None:
        self.percentiles: dict[int, np.ndarray] = columns.pop("percentiles")
        columns["phase"] = _PHASES[columns["phase"]]
        columns["inf"] = columns["positive_inf"] + columns["negative_inf"]
        self._columns = columns | {f"p{percent}": values for percent, values in self.percentiles.items()}

    def to_dict(self) -> dict[str, np.ndarray]:
        """The columns by name: pandas.DataFrame(stats.to_dict())."""
        return dict(self._columns)

    def keys(self) -> list[str]:
        return list(self._columns)

    def items(self) -> list[tuple[str, np.ndarray]]:
        return list(self._columns.items())

    def __getitem__(self, name: str) -> Any:
        if name == "percentiles":
            return self.percentiles
        return self._columns[name]

    def __getattr__(self, name: str) -> np.ndarray:
        columns = self.__dict__.get("_columns", {})
        if name not in columns:
            raise AttributeError(f"statistics have no column {name!r}; they have {', '.join(columns)}")
        return columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns or name == "percentiles"

    def __len__(self) -> int:
        return len(self._columns["step"])

    def __repr__(self) -> str:
        return f"<Stats: {len(self)} captures{_span(self.step)}; columns {', '.join(self._columns)}>"


@dataclass(frozen=True, eq=False, repr=False)
class Histogram:
    """The distribution of a tensor at a step: `count[i]` of its values lie between `left[i]` and `right[i]`."""

    step: int
    wall_time: float
    left: np.ndarray
    right: np.ndarray
    count: np.ndarray

    def __repr__(self) -> str:
        return f"<Histogram at step {self.step}: {self.count.sum():.0f} values in {len(self.count)} buckets>"


@dataclass(frozen=True, eq=False, repr=False)
class Predictions:
    """What a network said about samples, with their labels (`y_true` is None when none were recorded)."""

    step: int
    wall_time: float
    ids: np.ndarray
    y_true: np.ndarray | None
    y_pred: np.ndarray

    def __len__(self) -> int:
        return len(self.y_pred)

    def __repr__(self) -> str:
        labels = "without labels" if self.y_true is None else "with labels"
        return f"<Predictions at step {self.step}: {len(self)} samples {labels}>"


class Picture(bytes):
    """An encoded image (PNG, JPEG or GIF), with its `width` and `height`."""

    width: int
    height: int

    def _repr_png_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\x89PNG") else None

    def _repr_jpeg_(self) -> bytes | None:
        return bytes(self) if self.startswith(b"\xff\xd8") else None

    def __repr__(self) -> str:
        return f"<Picture: {self.width} x {self.height}, {len(self)} bytes>"

    __str__ = __repr__


class Sound(bytes):
    """An encoded sound, mostly WAV, with its `rate` in Hz (0: unknown) and `content_type`."""

    rate: float
    content_type: str

    def __repr__(self) -> str:
        return f"<Sound: {self.content_type}, {self.rate:g} Hz, {len(self)} bytes>"

    __str__ = __repr__


class Graph(bytes):
    """A serialised graph; `form` is "graph_def", "meta_graph_def", "keras_model" (JSON), "run_metadata" or "other"."""

    form: str

    def __repr__(self) -> str:
        return f"<Graph: {self.form}, {len(self)} bytes>"

    __str__ = __repr__


def tensor(parts: tuple[str, list[int], Any] | None) -> np.ndarray | None:
    """(dtype name, shape, elements) as an array over the same memory; strings are an object array of bytes."""
    if parts is None:
        return None
    name, shape, elements = parts
    if name == "string":
        array = np.empty(len(elements), object)
        array[:] = elements
        return array.reshape(shape)
    dtype = _extended_dtype(name) if name.startswith(_EXTENDED) else np.dtype(name)
    return elements.view(dtype).reshape(shape)


def _extended_dtype(name: str) -> np.dtype:
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError(f"arrays of {name} need the package ml_dtypes: pip install ml_dtypes") from error
    return np.dtype(getattr(ml_dtypes, name))


def _span(steps: np.ndarray) -> str:
    return f", steps {steps[0]} to {steps[-1]}" if len(steps) else ""
