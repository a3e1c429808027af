"""What the runs of a log directory hold, read by tap.open and written as JSON for the tests of the page."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import tensortap as tap

STATISTICS = ("count", "zeros", "nan", "min", "max", "mean", "std", "l2")


def number(value: Any) -> Any:
    """JSON has no NaN: as the API says it."""
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def numbers(values: np.ndarray) -> list[Any]:
    return [number(value) for value in values]


def statistics_of(rows: Any) -> dict[str, list[Any]]:
    return {"step": rows.step.tolist(), **{name: numbers(rows[name]) for name in STATISTICS}}


def truth_of(run: tap.RunReader) -> dict[str, Any]:
    tags = {kind: run.tags(kind=kind) for kind in run.kinds()}
    scalars = {tag: run.scalars(tag) for tag in tags.get("scalars", [])}
    stats = {tag: run.stats(tag) for tag in tags.get("stats", [])}
    return {
        "state": run.state,
        "tags": tags,
        "scalars": {tag: {"step": s.step.tolist(), "value": numbers(s.value)} for tag, s in scalars.items()},
        "stats": {tag: statistics_of(rows) for tag, rows in stats.items()},
        "hparams": run.hparams(),
    }


def write_truth(directory: Path, file: Path) -> None:
    runs = tap.open(directory, cache=False)
    file.write_text(json.dumps({name: truth_of(run) for name, run in runs.items()}, allow_nan=False))
