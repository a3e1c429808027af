"""tap.sinks: where else captures go, besides the run's directory.

    tap.Run("runs/a", sinks=[tap.sinks.csv("out/a"), tap.sinks.sqlite("out/a.db")])

Each writes while the training runs; docs/sinks.md says what is in its files. Nothing is opened before the run is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Sink:
    """What was asked for; the recorder makes the sink itself."""

    kind: str
    target: str
    options: dict[str, str] = field(default_factory=dict)


def csv(directory: str | os.PathLike[str], *, mode: str = "new") -> Sink:
    """Tables: metrics.csv (epoch,step,loss,...), steps.csv, stats.csv, predictions.csv (id,label,class_0,...),
    weights.csv (layer,parameter,index,value).

    mode: "new" takes a numbered sibling of a directory that has such files; "append" goes on in them; "overwrite"
          deletes them first.
    """
    return Sink("csv", _path(directory), {"mode": mode})


def npy(directory: str | os.PathLike[str], *, pattern: str = "", mode: str = "new") -> Sink:
    """One file for each tensor (epoch_3_activations_dense.npy) and for each set of predictions
    (epoch_3_predictions.npy, epoch_3_labels.npy).

    pattern: the names, out of {epoch}, {step}, {name}, {tag}, {phase}, {sequence}: "epoch_{epoch}.npy".
    mode:    as in tap.sinks.csv.
    """
    return Sink("npy", _path(directory), _given(pattern=pattern, mode=mode))


def png(directory: str | os.PathLike[str], *, pattern: str = "", mode: str = "new") -> Sink:
    """One file for each image, and for each prediction that is a map.

    pattern: the names, out of {epoch}, {step}, {name}, {tag}, {phase}, {sequence}, {index}, {id}.
    mode:    as in tap.sinks.csv.
    """
    return Sink("png", _path(directory), _given(pattern=pattern, mode=mode))


def print(*, samples: int = 10) -> Sink:
    """Lines on the standard output: metrics of each epoch (or each second, without epochs), and of each set of
    predictions so many samples with label and output."""
    return Sink("print", "", {"samples": str(samples)})


def sqlite(path: str | os.PathLike[str]) -> Sink:
    """An SQLite database, made if need be; several runs may share one. docs/database.md has the tables."""
    return Sink("sqlite", _path(path))


def postgresql(url: str) -> Sink:
    """A PostgreSQL database: "postgresql://user@host/database". docs/database.md has the tables."""
    return Sink("postgresql", url)


def to_sinks(sinks: Iterable[Any]) -> list[Sink]:
    """What an option `sinks` means: several, or one."""
    several = [sinks] if isinstance(sinks, Sink) else list(sinks)
    for one in several:
        if not isinstance(one, Sink):
            raise TypeError(f"sinks are tap.sinks.csv(...), tap.sinks.npy(...) and so on; not {one!r}")
    return several


def _path(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    return str(Path(text).expanduser()) if text else text


def _given(**options: str) -> dict[str, str]:
    return {name: value for name, value in options.items() if value}
