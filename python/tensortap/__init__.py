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
from tensortap.tapping import tap as tap  # by name: not in __all__

if TYPE_CHECKING:
    from tensortap.reading import Runs

# Without open and tap: `from tensortap import *` must not hide Python's own, nor what people call this package.
__all__ = [
    "Run",
    "__version__",
    "capture",
    "epochs",
    "every_op",
    "first",
    "images",
    "new_run",
    "sample",
    "sinks",
    "steps",
    "watch",
]


def __getattr__(name: str) -> Any:
    """tap.keras and tap.tf1 are imported, and TensorFlow with them, when they are first used."""
    if name in ("keras", "tf1"):
        return importlib.import_module(f"tensortap.{name}")
    raise AttributeError(f"module 'tensortap' has no attribute {name!r}")


def watch(
    run: Run,
    model: Any,
    optimizer: Any = None,
    *,
    activations: Any = True,
    gradients: Any = True,
    weights: Any = True,
    updates: Any = False,
    slots: Any = False,
    activation_gradients: Any = False,
    input_gradients: Any = False,
    what: Any = "stats",
    every: Any = 1,
) -> Any:
    """Records what a model puts out in a training loop of your own, eager or in a tf.function:

        with tap.Run("runs/b") as run, tap.watch(run, model, optimizer=opt):
            for x, y in data:
                loss = train_step(x, y)
                run.scalar("loss", loss)

    model:      a Keras model or layer, or a tf.Module.
    optimizer:  whose updates are the steps; one or several. Without it steps are those of run.step, or are counted.
    every:      a number of batches, tap.steps(...) or tap.epochs(...), which follow run.epoch.

    The rest is as in tap.keras.Recorder. Calls with training=True, or under a tf.GradientTape, are of the phase train,
    all others of val. A tf.function that was traced before is named in a warning: there are no taps in it.
    """
    from tensortap.loops.watched_loop import WatchedLoop  # imports TensorFlow

    choices = {
        "activations": activations,
        "gradients": gradients,
        "weights": weights,
        "updates": updates,
        "slots": slots,
        "activation_gradients": activation_gradients,
        "input_gradients": input_gradients,
    }
    return WatchedLoop(run, model, optimizer, choices, what, every)


def every_op(run: Run, pattern: str = "", *, what: Any = "stats", every: Any = 1) -> Any:
    """Records the outputs of every op whose name matches, in all functions that this thread traces from now on.

        with tap.every_op(run, "MatMul|Relu"):
            train_step(x, y)

    pattern:      a regular expression that is found anywhere in the op's name; "": all.
    what, every:  as in tap.tap. Tags are ops/<function>/<op>; close() ends it, as does the end of `with`.
    """
    from tensortap.loops.every_op import EveryOp  # imports TensorFlow

    return EveryOp(run, pattern, what, every)


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
