"""Recording: one recorder's way from model to model, and through their epochs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tensortap.rules import Capture
from tensortap.run import Run
from tensortap.watching import graph_mode, keras_graph, traced_functions
from tensortap.watching.keras_values import flat_logs
from tensortap.watching.later_run import LaterRun
from tensortap.watching.notes import Notes
from tensortap.watching.tensorflow_op import tf
from tensortap.watching.traced_functions import KeptFunctions, TracedFunctions
from tensortap.watching.watch import Watch


class Recording:
    """A watch that goes with the functions it needs. Attached to one model at a time, or to none."""

    def __init__(
        self, run: LaterRun, rules: Mapping[str, Capture | None], *, metrics: bool, graph: bool, jit: str
    ) -> None:
        self.notes = Notes()
        self._later_run = run
        self._rules = rules
        self._metrics = metrics
        self._wants_model = graph
        self._graph = graph
        self._jit = jit
        self._watch: Watch | None = None
        self._functions: TracedFunctions | graph_mode.UntracedFunctions | None = None
        self._kept = KeptFunctions()
        self._is_closed = False
        self._epochs = 0

    @property
    def run(self) -> Run:
        return self._later_run.run

    @property
    def is_on(self) -> bool:
        return self._functions is not None and not self.run.closed

    def is_of(self, model: Any) -> bool:
        return self._functions is not None and self._functions.model is model

    # --- models

    def attach(self, model: Any) -> None:
        """Raises when this is no model, there is nothing to record to, or a glob means nothing; all is as it was then.

        What else goes wrong must not keep a training from beginning: it is noted, and nothing is recorded.
        """
        self.leave()
        _check_model(model)
        if self._is_closed or self.run.closed:
            raise ValueError(f"run {self._later_run.path} is closed; make a new Recorder")
        self.notes.where = self.run.path
        if self._watch is None:
            self._watch = Watch(
                self.run,
                self._rules,
                self.notes,
                metrics=self._metrics,
                jit=self._jit,
                gated=has_devices(),
                graph=self._graph,
            )
        with self.notes.guard("the model"):
            if graph_mode.is_on():
                self._watch.variables.choose(model)
                self._functions = graph_mode.UntracedFunctions(model)
            else:
                self._watch.attach(model)
                self._functions = traced_functions.record(model, self._kept)
        if self._functions is None:
            self._watch.detach()
        else:
            self._record_model()

    def leave(self) -> None:
        """The model is as it was; functions that were traced stay for the next time."""
        if self._functions is None:
            return
        self._record_model()
        self.record_graph()
        functions, self._functions = self._functions, None
        self._watch.detach()
        functions.leave(self._kept)

    def release(self) -> None:
        """As leave(), and nothing is kept of any model."""
        self.leave()
        self._kept.clear()

    def close(self) -> None:
        self._is_closed = True
        self.release()
        if self._watch is not None:
            self._watch.close()
        self._later_run.close()

    # --- epochs

    def begin_epoch(self, phase: str, number: int | None = None) -> None:
        if not self.is_on:
            return
        with self.notes.guard("the beginning of an epoch"):
            self._watch.taps.begin_epoch(phase)
            if phase == "train":
                self._epochs += 1
                if self._metrics:
                    self.run.sub("train").scalar("epoch", number, step=self._step())

    def end_epoch(self, logs: Mapping[str, Any]) -> None:
        if not self.is_on:
            return
        self.record_graph()
        with self.notes.guard("the metrics of an epoch"):
            # Each batch has its own train/loss; these are the means that Keras shows.
            self._record_logs("train", "epoch_", {k: v for k, v in logs.items() if not k.startswith("val_")})
            if graph_mode.is_on():  # a validation tells of its end without its metrics
                self._record_logs("val", "", {k[4:]: v for k, v in logs.items() if k.startswith("val_")})
        with self.notes.guard("the weights of an epoch"):
            rule = self._rules["weights"]
            # At the end of those epochs at whose first batch the rest is recorded: see TapSchedule.
            epochs = rule.when.epochs or int(graph_mode.is_on()) if rule is not None else 0
            if epochs and (self._epochs - 1) % epochs == 0:
                self._watch.variables.record_weights(self.run, self._step())

    def end_validation(self, logs: Mapping[str, Any]) -> None:
        if self.is_on:
            with self.notes.guard("the metrics of a validation"):
                self._record_logs("val", "", logs)

    def record_graph(self) -> None:
        """Once there is a step that was traced as a whole."""
        if graph_mode.is_on():
            self._record_session_graph()
        if self._watch is None or self._watch.graph is None or self.run.closed:
            return
        graph, self._watch.graph = self._watch.graph, None
        with self.notes.guard("the graph of the training step"):
            keras_graph.record_step(self.run, graph)

    def _record_session_graph(self) -> None:
        self.notes.once(graph_mode.NOTE)
        if self._graph and not self.run.closed:
            self._graph = False
            with self.notes.guard("the graph of the session"):
                self.run.graph(graph_mode.graph())

    def _record_model(self) -> None:
        """Once it is built, which may be after its first step."""
        if self._wants_model and getattr(self._functions.model, "built", True) and not self.run.closed:
            self._wants_model = False
            keras_graph.record_model(self.run, self._functions.model)

    def _record_logs(self, sub_run: str, prefix: str, logs: Mapping[str, Any]) -> None:
        if not self._metrics:
            return
        step = self._step()
        for name, value in flat_logs(logs):
            self.run.sub(sub_run).scalar(f"{prefix}{name}", value, step=step)

    def _step(self) -> int:
        return graph_mode.step_now(self._functions.model)


def _check_model(model: Any) -> None:
    if not hasattr(model, "train_step") or not hasattr(model, "layers"):
        raise TypeError(f"a Recorder records Keras models, not {type(model).__name__}")
    if not hasattr(model, "distribute_strategy"):
        raise TypeError("a Recorder records Keras on TensorFlow; this Keras runs on another backend")


def has_devices() -> bool:
    """Whether tensors may be elsewhere than in the memory that our ops read."""
    return bool(tf.config.list_logical_devices("GPU")) or os.environ.get("TENSORTAP_GATE") == "graph"
