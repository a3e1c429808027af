"""Saving: checkpoints of a session by TensorFlow's Saver, under the numbers that the recorded outputs have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tensortap.run import Run
from tensortap.watching.tensorflow_op import tf


class Saving:
    """choice: False, True (a Saver of all variables that keeps every checkpoint), or a tf.compat.v1.train.Saver."""

    def __init__(self, choice: Any) -> None:
        if choice is not None and not isinstance(choice, bool) and not hasattr(choice, "save"):
            raise TypeError(f"checkpoints is True, False or a tf.compat.v1.train.Saver; not {choice!r}")
        self._choice = choice
        self._saver: Any = None if isinstance(choice, bool) else choice

    def begin(self) -> None:
        """While the graph can still be added to."""
        if self._choice is True:
            self._saver = tf.compat.v1.train.Saver(max_to_keep=None)

    def save(self, session: Any, run: Run, number: int) -> str | None:
        return None if self._saver is None else save(self._saver, session, run, number)


def save(saver: Any, session: Any, run: Run, number: int) -> str:
    """The path, as saver.restore() takes it: <run>/checkpoints/model-<number>."""
    directory = Path(run.path) / "checkpoints"
    directory.mkdir(parents=True, exist_ok=True)
    return saver.save(session, str(directory / "model"), global_step=number)
