"""Tensortap records what a TensorFlow network puts out, and shows it.

    import tensortap as tap

    with tap.Run("runs/a") as run:
        run.scalar("loss", 0.5, step=0)

    tap.open("runs")["a"].scalars("loss").value

Importing this package never imports TensorFlow.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from typing import TYPE_CHECKING, Any

if sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"):
    raise ImportError(
        f"Tensortap supports Linux on x86-64 and aarch64 only, not {sys.platform} on {platform.machine()}"
    )

from tensortap import sinks
from tensortap._record import __version__
from tensortap.rules import capture, epochs, first, images, steps
from tensortap.run import Run, new_run
from tensortap.samples import sample

if TYPE_CHECKING:
    from tensortap.reading import Runs

# Without open: `from tensortap import *` must not hide Python's own.
__all__ = ["Run", "__version__", "capture", "epochs", "first", "images", "new_run", "sample", "sinks", "steps"]


def __getattr__(name: str) -> Any:
    """tap.keras and tap.tf1 are imported, and TensorFlow with them, when they are first used."""
    if name in ("keras", "tf1"):
        return importlib.import_module(f"tensortap.{name}")
    raise AttributeError(f"module 'tensortap' has no attribute {name!r}")


def open(
    path: str | os.PathLike[str],
    *,
    cache: bool | str | os.PathLike[str] = True,
    follow_links: bool = False,
    threads: int | None = None,
) -> Runs:
    """Reads a log directory, whoever wrote it: Tensortap, TensorFlow, Keras, PyTorch, TensorBoard.

    runs = tap.open("runs")
    runs["a"].scalars("train/loss").value

    path:          the directory; all runs below it are read.
    cache:         keep an index in the user's cache directory, so that the next time only what is new is read; or a
                   directory for it. Nothing is ever written to the log directory.
    follow_links:  also read what links to directories point to.
    threads:       how many read; None: one per processor.
    """
    from tensortap.reading import open_runs  # the reading half is loaded when it is first needed

    return open_runs(path, cache, follow_links, threads)
