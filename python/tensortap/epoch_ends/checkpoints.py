"""Checkpoints: a model's weights at the end of each epoch, under the number that its outputs have."""

from __future__ import annotations

import logging
import os
import re
import time
from pathlib import Path
from typing import Any

from tensortap.run import Run
from tensortap.watching import graph_mode
from tensortap.watching.notes import Notes

logger = logging.getLogger("tensortap")
_NAME = re.compile(r"epoch_(\d+)(?:\.weights)?\.h5")


class Checkpoints:
    """Files epoch_<N>.weights.h5, each there as a whole or not at all. model.load_weights() reads them.

    In graph mode tf_keras can write only its older format, which it knows by another ending: epoch_<N>.h5.

    choice:  True: in <run>/checkpoints; a directory; False: none.
    mode:    of the run. In a directory of the user's that has such files the numbers go on when the run is resumed;
             otherwise a numbered sibling is taken. Those of a run that is overwritten are deleted.
    """

    def __init__(self, choice: Any, notes: Notes, *, mode: str) -> None:
        self._directory: Path | None = None
        self._is_wanted = choice is not None and choice is not False
        self._notes = notes
        if self._is_wanted and choice is not True:
            self._directory = _chosen_directory(choice, goes_on=mode in ("resume", "join"))
        self._deletes = mode == "overwrite" and self._directory is None

    @property
    def is_wanted(self) -> bool:
        return self._is_wanted

    def last_epoch(self, run: Run) -> int:
        """The greatest number that is there already; -1: none."""
        if not self._is_wanted:
            return -1
        directory = self._directory or Path(run.path) / "checkpoints"
        if self._deletes:
            self._deletes = False
            for path in _files(directory):
                path.unlink()
        return max(_numbers(directory), default=-1)

    def save(self, run: Run, model: Any, number: int, step: int) -> None:
        if not self._is_wanted:
            return
        began = time.perf_counter()
        with self._notes.guard(f"the checkpoint of epoch {number}"):
            directory = self._directory or Path(run.path) / "checkpoints"
            directory.mkdir(parents=True, exist_ok=True)
            ending = "h5" if graph_mode.is_on() else "weights.h5"  # by which Keras decides how to write
            path = directory / f"epoch_{number}.{ending}"
            partial = directory / f".epoch_{number}.{os.getpid()}.{ending}"
            try:
                model.save_weights(str(partial))
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)
            run.scalar("tensortap/checkpoints_seconds", time.perf_counter() - began, step=step)


def _chosen_directory(choice: Any, *, goes_on: bool) -> Path:
    try:
        text = os.fspath(choice)
    except TypeError:
        raise TypeError(f"checkpoints is True, False or a directory; not {choice!r}") from None
    if not text:
        raise ValueError("the directory of checkpoints must not be empty")
    wanted = directory = Path(text).expanduser()
    if directory.exists() and not directory.is_dir():
        raise NotADirectoryError(f"cannot save checkpoints: {directory} is not a directory")
    number = 1
    while not goes_on and _numbers(directory):
        number += 1
        directory = wanted.with_name(f"{wanted.name}-{number}")
    if directory != wanted:
        logger.warning("%s holds checkpoints already; saving to %s", wanted, directory)
    return directory


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.iterdir() if _NAME.fullmatch(path.name)] if directory.is_dir() else []


def _numbers(directory: Path) -> list[int]:
    return [int(_NAME.fullmatch(path.name)[1]) for path in _files(directory)]
