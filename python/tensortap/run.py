"""Run: one directory of recorded outputs."""

from __future__ import annotations

import atexit
import importlib
import json
import logging
import os
import sys
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tensortap import _record, carriers
from tensortap.sinks import Sink, to_sinks

logger = logging.getLogger("tensortap")

# Runs that exit() must still close; interpreter shutdown does not call destructors in time.
_open_runs: weakref.WeakSet[Run] = weakref.WeakSet()


class Run(_record.Channel):
    """Records what a network puts out, into one directory.

        with tap.Run("runs/a") as run:
            run.scalar("loss", 0.5, step=0)
            run.histogram("weights", array, step=0)

    path:         the run's directory; it is made if need be.
    mode:         what to do if it holds a run already: "new" records to a numbered sibling (runs/a-2) and says so,
                  "resume" adds files to it, "join" is for several processes that write one run, "overwrite" deletes
                  the old run's files first.
    queue_bytes:  memory for what waits to be written.
    when_full:    "drop" (and count), or "wait" up to wait_ms and then drop.
    strict:       True raises from the recording call when something could not be recorded, instead of counting it.
    flush_ms:     the longest that a record waits before the operating system has it.
    close_ms:     the longest that close() waits for a disk that does not answer.
    tensorboard:  True: TensorBoard gets histograms too, thinned after the first 50 of a tag; "all": every one of them;
                  False: none. What Tensortap itself reads is always complete.
    resume_step:  with mode="resume": TensorBoard hides what older files hold from this step on.
    sinks:        where else everything goes: [tap.sinks.csv("out/a"), tap.sinks.sqlite("out/a.db")].

    Without step=, calls use `run.step`. Sinks that number by epochs use `run.epoch`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        mode: str = "new",
        *,
        queue_bytes: int = 256 << 20,
        when_full: str = "drop",
        wait_ms: int = 100,
        strict: bool = False,
        flush_ms: int = 200,
        close_ms: int = 10_000,
        tensorboard: bool | str = True,
        resume_step: int | None = None,
        sinks: Sequence[Sink] = (),
    ) -> None:
        options = {
            "mode": mode,
            "queue_bytes": queue_bytes,
            "when_full": "strict" if strict else when_full,
            "wait_ms": wait_ms,
            "flush_ms": flush_ms,
            "close_ms": close_ms,
            "histograms": {True: "thinned", False: "none"}.get(tensorboard, tensorboard),
            "resume_step": resume_step,
            "sinks": to_sinks(sinks),
        }
        super().__init__(_expanded(path), options)
        self._strict = strict
        self._parent = None
        _open_runs.add(self)
        for note in self.notes:
            logger.warning(note)

    def sub(self, name: str) -> Run:
        """A sub-run with files of its own below this run's directory: run.sub("val")."""
        child = Run.__new__(Run)
        _record.Channel.__init__(child, self, name)
        child._strict = self._strict
        child._parent = self  # a sub-run keeps its run open
        return child

    def histogram(self, tag: str, values: Any, step: int | None = None, *, phase: str = "") -> None:
        """Records statistics and a histogram of the values, not the values themselves.

        Inside of tf.function too, as scalar(), tensor() and image(): then it records whenever the function runs.
        """
        if carriers.is_symbolic(values):
            _spots().record(self, "histogram", tag, values, step)
            return
        self._histogram(tag, carriers.tensor(values), step, phase)

    def tensor(self, tag: str, values: Any, step: int | None = None, *, phase: str = "") -> None:
        """Records the values themselves, with dtype and shape."""
        if carriers.is_symbolic(values):
            _spots().record(self, "tensor", tag, values, step)
            return
        self._tensor(tag, carriers.tensor(values), step, phase)

    def image(self, tag: str, image: Any, step: int | None = None, *, scale: str = "auto") -> None:
        """Records [height,width], [height,width,channels] or a batch of the latter; beyond four channels as a grid.

        scale: "auto" takes uint8 as it is and floats as 0..1, "minmax" and "symmetric" look at each image's range.
        NaN is drawn magenta.
        """
        if carriers.is_symbolic(image):
            _spots().record(self, "image", tag, image, step, scale=scale)
            return
        self._image(tag, carriers.tensor(image), step, scale)

    def feature_maps(self, tag: str, values: Any, step: int | None = None, *, samples: int = 4) -> None:
        """Records what a layer puts out as images of its first samples, whatever its rank.

        [n,h,w,c] becomes a labelled grid of all channels, each with its own contrast; [n,t,c] a heat map of positions
        down and channels across; [n,c] one strip with a row for each sample; higher ranks are folded.
        """
        self._feature_maps(tag, carriers.tensor(values), step, samples)

    def audio(self, tag: str, samples: Any, rate: float, step: int | None = None) -> None:
        """Records [frames], [frames,channels] or [clips,frames,channels]: floats in -1..1, or int16."""
        self._audio(tag, carriers.tensor(samples), rate, step)

    def text(self, tag: str, text: Any, step: int | None = None) -> None:
        """Records Markdown: a str, or an array of str that TensorBoard shows as a table."""
        self._text(tag, *carriers.texts(text), step)

    def predictions(
        self,
        name: str,
        *,
        y_pred: Any,
        y_true: Any = None,
        ids: Any = None,
        step: int | None = None,
        phase: str = "",
    ) -> None:
        """Records outputs with their labels; the first dimension of each counts the samples."""
        labels = None if y_true is None else carriers.tensor(y_true)
        self._predictions(name, carriers.tensor(y_pred), labels, *carriers.ids(ids), step, phase)

    def hparams(self, hparams: Mapping[str, Any], metrics: Sequence[str] = ()) -> None:
        """Records hyperparameters, once per run. `metrics` names the scalars by which TensorBoard compares runs."""
        self._hparams({str(name): _hparam(value) for name, value in hparams.items()}, list(metrics))

    def graph(self, graph: Any) -> None:
        """Records a graph: a Keras model, its JSON, a tf.Graph, a concrete function, a GraphDef or its bytes."""
        if isinstance(graph, str):
            self._keras_model(graph)
        elif hasattr(graph, "to_json") and hasattr(graph, "layers"):
            self._keras_model(graph.to_json())
        else:
            self._graph(_graph_def_bytes(graph))

    def pr_curve(
        self, tag: str, labels: Any, predictions: Any, step: int | None = None, *, num_thresholds: int = 201
    ) -> None:
        """Records a precision-recall curve of labels (0 or 1) and predictions (0..1) of the same shape."""
        self._pr_curve(tag, carriers.tensor(labels), carriers.tensor(predictions), step, num_thresholds)

    def mesh(
        self,
        tag: str,
        vertices: Any,
        faces: Any = None,
        colors: Any = None,
        *,
        config: Mapping[str, Any] | None = None,
        step: int | None = None,
    ) -> None:
        """Records points or a mesh: vertices [batch,n,3], faces [batch,m,3] of indices, colors [batch,n,3] of bytes."""
        parts = [None if part is None else carriers.tensor(part) for part in (faces, colors)]
        self._mesh(tag, carriers.tensor(vertices), *parts, json.dumps(config or {}, sort_keys=True), step)

    def flush(self) -> bool:
        """Returns True when everything offered since the last flush survives the death of the process.

        False, with the reason logged, when some of it was dropped or the disk refuses it; strict=True raises instead.
        """
        return self._told(self._flush(False))

    def sync(self) -> bool:
        """As flush(), and it survives power loss too."""
        return self._told(self._flush(True))

    def close(self, success: bool = True) -> None:
        """Flushes, says in the files how the run ended, and stops the worker.

        A sub-run ends with its run; closing it only flushes.
        """
        if self._parent is not None:
            self.flush()
            return
        _open_runs.discard(self)
        self._told(self._close(success))

    def _told(self, failure: str | None) -> bool:
        """Losing records must not take the training down, unless strict was asked for; it must not go unsaid either."""
        if failure is None:
            return True
        if self._strict:
            raise OSError(failure)
        report = self.report()
        logger.error("%s: %s (%d dropped, %d waiting)", self.path, failure, report["dropped"], report["waiting"])
        return False

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(success=kind is None)

    def __fspath__(self) -> str:
        return self.path  # tap.open(run), Path(run)

    def __repr__(self) -> str:
        return f"tensortap.Run({self.path!r}{', closed' if self.closed else ''})"


# AutoGraph must not rewrite what a tf.function calls of us.
for _method in (Run.histogram, Run.tensor, Run.image, Run.audio, Run.text, Run.predictions, Run.pr_curve, Run.mesh):
    _method.autograph_info__ = {"do_not_convert": True}


def new_run(parent: str | os.PathLike[str], name: str = "", **options: Any) -> Run:
    """A run in a new directory below `parent` that is named by the time: runs/2026-11-16_14-05-59."""
    path = _record.new_run_directory(_expanded(parent), name)
    return Run(path, **options)


def _spots() -> Any:
    """Loaded with the first symbolic tensor: TensorFlow is there then."""
    return importlib.import_module("tensortap.loops.spots")


def _expanded(path: str | os.PathLike[str]) -> str:
    """`~` is the home directory; an empty path stays empty, for the recorder to refuse."""
    text = os.fspath(path)
    return str(Path(text).expanduser()) if text else text


def _hparam(value: Any) -> bool | float | str:
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    return str(value)


def _graph_def_bytes(graph: Any) -> bytes:
    if isinstance(graph, (bytes, bytearray)):
        return bytes(graph)
    if hasattr(graph, "graph"):
        graph = graph.graph
    if hasattr(graph, "as_graph_def"):
        graph = graph.as_graph_def()
    if hasattr(graph, "SerializeToString"):
        return graph.SerializeToString()
    raise TypeError(
        f"cannot make a graph of {type(graph).__name__}; "
        "pass a Keras model, a tf.Graph, a concrete function or a GraphDef"
    )


@atexit.register
def _close_open_runs() -> None:
    uncaught = getattr(sys, "last_value", None)  # set by an exception that ended the program
    for run in list(_open_runs):
        run.close(success=uncaught is None)
