"""Fetched values: what a session gave, recorded as scalars, statistics and tensors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tensortap.rules import What
from tensortap.run import Run
from tensortap.watching.notes import Notes


def record_values(channel: Run, values: Mapping[str, Any], step: int, *, what: What, phase: str, notes: Notes) -> None:
    """Numbers become scalars; all else what the rule says. What cannot be recorded is noted."""
    for tag, value in values.items():
        with notes.guard(tag):
            array = np.asarray(value)
            if array.ndim == 0:
                channel.scalar(tag, array, step=step)
                continue
            if what.stats:
                channel.histogram(tag, array, step, phase=phase)
            if what.values:
                channel.tensor(tag, array[: what.first_samples or None], step, phase=phase)
