"""LaterRun: a run that is opened when it is first needed, and checked at once."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

from tensortap.run import Run


class LaterRun:
    """A directory to open as a run, or a run that somebody has opened.

    What is wrong with it shows when this is made, before a training begins; nothing is on the disk yet.
    """

    def __init__(self, run: str | os.PathLike[str] | Run, mode: str, **options: Any) -> None:
        self._run = run if isinstance(run, Run) else None
        self._is_ours = self._run is None
        self._path = ""
        if self._is_ours:
            path = self._path = _checked_path(run)
            inspect.signature(Run).bind(path, mode, **options)  # a TypeError names the option that there is not
            self._open = lambda: Run(path, mode, **options)
        elif mode != "new" or set(options) - {"tensorboard"}:
            raise TypeError(f"{run!r} is open already; mode and options of a run are given when it is opened")

    @property
    def run(self) -> Run:
        if self._run is None:
            self._run = self._open()
        return self._run

    @property
    def path(self) -> str:
        """Where it is, or will be; a run that is there already makes it a sibling."""
        return self._path if self._run is None else self._run.path

    def close(self) -> None:
        """Ends the run, but not one that somebody else has opened."""
        if self._is_ours and self._run is not None:
            self._run.close()


def _checked_path(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if not text:
        raise ValueError("the directory of a run must not be empty")
    nearest = Path(text).expanduser().absolute()
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir():
        raise NotADirectoryError(f"cannot record to {text}: {nearest} is not a directory")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise PermissionError(f"cannot record to {text}: {nearest} is not writable")
    return text
