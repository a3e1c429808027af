"""Reading: the runs of a log directory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tensortap import _read
from tensortap.run_reader import RunReader
from tensortap.selections import names, step_bounds

NotFoundError = _read.NotFoundError


class Runs(Mapping):
    """The runs below a directory, by name: what tap.open gives.

    list(runs) has their names; runs["a"] is a RunReader. A sub-run can be asked for by its own name too
    (runs["a/train"]). What other programs write meanwhile is read by refresh().
    """

    def __init__(self, directory: _read.Directory) -> None:
        self._directory = directory

    @property
    def path(self) -> str:
        return self._directory.path

    def refresh(self) -> bool:
        """Reads what was added since; True if anything was. Runs and readers already at hand show it too."""
        return self._directory.refresh()

    def table(self, name: str, runs: str = "**", tags: str = "**", steps: Any = None, raw: bool = False) -> _read.Table:
        """The values of many runs as rows, for whatever takes an Arrow stream: pyarrow.table(runs.table("scalars")).

        name:         scalars, stats, histograms, tensors, predictions, images, audio, text, hparams, runs or tags.
        runs, tags:   globs; `*` stops at `/`, `**` does not.
        steps, raw:   as in RunReader.
        """
        return _read.open_table(self._directory, name, runs, tags, *step_bounds(steps), bool(raw))

    def info(self) -> list[dict[str, Any]]:
        """State, sizes, times and counts of every run."""
        return [self[name].info() for name in self]

    def health(self) -> list[dict[str, Any]]:
        """What is known about each file: its size, records, damage and where, how it ends."""
        return self._directory.health()

    def __getitem__(self, name: str) -> RunReader:
        return RunReader(self._directory.run(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._directory.run_names())

    def __len__(self) -> int:
        return len(self._directory.run_names())

    def __repr__(self) -> str:
        found = list(self)
        count = "1 run" if len(found) == 1 else f"{len(found)} runs"
        return f"<{count} in {self.path!r}{': ' if found else ''}{names(found)}>"


def open_runs(
    path: str | os.PathLike[str], cache: bool | str | os.PathLike[str], follow_links: bool, threads: int | None
) -> Runs:
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be above 0, or None for one per processor; not {threads}")
    directory = os.fsdecode(path)
    if not directory:
        raise ValueError("the path of a log directory must not be empty")
    if cache is True:
        cache_directory = _read.usual_cache_directory()
    else:
        cache_directory = "" if cache is False else str(Path(os.fsdecode(cache)).expanduser())
    # Absolute: refresh() must find it again when the program has changed its directory.
    absolute = str(Path(directory).expanduser().absolute())
    return Runs(_read.open_directory(absolute, cache_directory, bool(follow_links), threads or 0))
