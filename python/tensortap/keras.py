"""tap.keras: records what a Keras model puts out while it trains, is evaluated, or predicts.

    model.fit(x, y, epochs=5, callbacks=[tap.keras.Recorder("runs/a")])

Keras 3 and legacy tf_keras models alike. Importing this module imports TensorFlow.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensortap import keras_graph, tensorflow_op, traced_functions
from tensortap.hooks import trainer
from tensortap.hooks.patch import Undo
from tensortap.keras_values import flat_logs, step_of
from tensortap.notes import Notes
from tensortap.plan import Plan, make_plan
from tensortap.rules import to_capture, to_what, to_when
from tensortap.run import Run
from tensortap.tensorflow_op import tf
from tensortap.traced_functions import KeptFunctions, TracedFunctions
from tensortap.watching import Watch

try:
    from keras.callbacks import Callback
except ImportError:  # a TensorFlow with nothing but tf_keras
    from tf_keras.callbacks import Callback


class Recorder(Callback):
    """A callback that records the outputs of every layer, gradients, weights and metrics.

        rec = tap.keras.Recorder("runs/a", activations="conv*", every=10)
        rec.plan(model)  # what would be recorded, and what it would cost
        model.fit(x, y, epochs=5, callbacks=[rec])

    The values are those of the training pass itself, dropout included: nothing is computed twice, and the step is
    compiled as before. Outside of fit, evaluate and predict the model is as it was.

    run:          a run's directory, or a tap.Run.
    activations:  outputs of layers: True (all), False, a glob or several on layer paths, or tap.capture(...).
    gradients:    of each trainable variable; after clipping too, as clipped_gradients/..., where the optimizer clips.
    weights:      each trainable variable before the update; with a glob any variable.
    updates:      how each step changes a variable: statistics of the change, and its norm over the variable's.
    slots:        the optimizer's own variables, such as momenta.
    activation_gradients, input_gradients:  the gradient of the loss with respect to layers' outputs and to the input.
    what:         "stats" (statistics with a histogram), "tensor" (the values), both, or tap.first(n).
    every:        a number of batches of the phase that runs, tap.steps(...), or tap.epochs(...).
    metrics:      losses and metrics as train/... and val/..., learning rate, epochs, seconds per step.
    graph:        the model as Keras has it, and the graph of the training step as TensorFlow has traced it.
    tensorboard:  True, "all" or False, as in tap.Run.
    jit:          "keep" records beside the function that XLA compiles; "off" has no XLA while recording.
    mode, options:  as in tap.Run, when `run` is a directory.
    """

    # tf_keras asks its callbacks these; we need no call per batch.
    _supports_tf_logs = True

    def __init__(
        self,
        run: str | os.PathLike[str] | Run,
        *,
        activations: Any = True,
        gradients: Any = True,
        weights: Any = True,
        updates: Any = False,
        slots: Any = False,
        activation_gradients: Any = False,
        input_gradients: Any = False,
        what: Any = "stats",
        every: Any = 10,
        metrics: bool = True,
        graph: bool = True,
        tensorboard: bool | str = True,
        jit: str = "keep",
        mode: str = "new",
        **options: Any,
    ) -> None:
        super().__init__()
        choices = {
            "activations": activations,
            "gradients": gradients,
            "weights": weights,
            "updates": updates,
            "slots": slots,
            "activation_gradients": activation_gradients,
            "input_gradients": input_gradients,
        }
        when, kept = to_when(every), to_what(what)
        self._rules = {kind: to_capture(kind, choice, when, kept) for kind, choice in choices.items()}
        if jit not in ("keep", "off"):
            raise ValueError(f"jit is 'keep' or 'off', not {jit!r}")
        self._jit = jit
        self._metrics = metrics
        self._graph = graph
        self._run: Run | None = None
        self._owns_run = not isinstance(run, Run)
        if self._owns_run:
            self._open = _opener(run, mode, tensorboard=tensorboard, **options)
        else:
            self._run = run
            if options:
                raise TypeError(f"{', '.join(options)}: options of a run are given when it is opened")
        self._notes = Notes()
        self._watch: Watch | None = None
        self._functions: TracedFunctions | None = None
        self._kept = KeptFunctions()
        self._ends_by_callback = False  # where nothing frames fit: see set_model
        self._trains = False
        self._epochs = 0
        self._graph_is_due = False
        tensorflow_op.load()
        self._undo_frames = _install_frames()

    # --- for users

    @property
    def run(self) -> Run:
        """The run that is recorded to; opened when it is first needed."""
        if self._run is None:
            self._run = self._open()
        return self._run

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why."""
        return list(self._notes.texts)

    def plan(self, model: Any, *, batch_size: int = 32) -> Plan:
        """Prints what would be recorded, how often, and what it would cost; records nothing."""
        plan = make_plan(model, self._rules, batch_size=batch_size, metrics=self._metrics, jit=self._jit)
        print(plan.table())
        return plan

    def report(self) -> dict[str, Any]:
        """What recording has done so far, and what it cost: see tap.Run.report."""
        return self.run.report()

    @contextmanager
    def attached(self, model: Any) -> Iterator[Recorder]:
        """Records outside of fit: `with rec.attached(model): model.train_on_batch(x, y)`."""
        self.attach(model)
        try:
            yield self
        finally:
            self._leave()

    def attach(self, model: Any) -> None:
        """Records whatever steps the model runs, until detach()."""
        if self._is_attached_to(model):
            return
        self._leave()
        if self.run.closed:
            raise ValueError(f"run {self.run.path} is closed; make a new Recorder")
        self._notes.where = self.run.path
        if self._watch is None:
            self._watch = Watch(
                self.run,
                self._rules,
                self._notes,
                metrics=self._metrics,
                jit=self._jit,
                gated=_has_devices(),
                graph=self._graph,
            )
        self._watch.attach(model)
        self._functions = traced_functions.record(model, self._kept)
        if self._graph:
            keras_graph.record_model(self.run, model)
            self._graph_is_due = True

    def detach(self) -> None:
        """Leaves the model as it was before attach(), and lets go of it."""
        self._leave()
        self._kept.clear()
        self._model = None

    def close(self) -> None:
        """Detaches, and closes the run if this recorder opened it."""
        self.detach()
        self._undo_frames()
        if self._watch is not None:
            self._watch.close()
        if self._run is not None and self._owns_run:
            self._run.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _is_attached_to(self, model: Any) -> bool:
        return self._functions is not None and self._functions.model is model

    def _leave(self) -> None:
        """As detach(), but functions that were traced stay for the next time."""
        if self._functions is None:
            return
        self._record_graph()
        self._watch.detach()
        self._functions.leave(self._kept)
        self._functions = None

    # --- for Keras

    def set_model(self, model: Any) -> None:
        self._model = model
        if self._is_attached_to(model):
            return  # whoever attached it detaches it
        self.attach(model)
        # A fit that is not Keras' own tells of its end by callbacks, if at all.
        self._ends_by_callback = not trainer.on_end(self._ended)

    def _ended(self, error: BaseException | None) -> None:
        """fit, evaluate or predict is over, in whatever way."""
        self._ends_by_callback = False
        with self._notes.guard("the end"):
            self._leave()
        try:
            if not self.run.closed:
                self.run.flush()
        except OSError:
            if error is None:
                raise  # as Run(strict=True) asks for

    def on_train_begin(self, logs: Any = None) -> None:
        self._trains = True

    def on_train_end(self, logs: Any = None) -> None:
        self._trains = False
        self._end_by_callback()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if not self._records():
            return
        with self._notes.guard("the beginning of an epoch"):
            self._watch.taps.begin_epoch("train")
            self._epochs += 1
            if self._metrics:
                self.run.sub("train").scalar("epoch", epoch, step=self._step())

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if self._graph_is_due and batch > 0:
            self._record_graph()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if not self._records():
            return
        self._record_graph()
        with self._notes.guard("the end of an epoch"):
            step = self._step()
            if self._metrics:
                self._record_logs(logs or {}, step)
            rule = self._rules["weights"]
            # The epochs at whose first batch all else is recorded: see TapSchedule.
            if rule is not None and rule.when.epochs and (self._epochs - 1) % rule.when.epochs == 0:
                self._watch.variables.record_weights(self.run, step)

    def on_test_begin(self, logs: Any = None) -> None:
        if self._records():
            self._watch.taps.begin_epoch("val")

    def on_test_end(self, logs: Any = None) -> None:
        if self._metrics and self._records():
            with self._notes.guard("the metrics of a validation"):
                step = self._step()
                for name, value in flat_logs(logs or {}):
                    self.run.sub("val").scalar(name, value, step=step)
        self._end_by_callback()

    def on_predict_begin(self, logs: Any = None) -> None:
        if self._records():
            self._watch.taps.begin_epoch("predict")

    def on_predict_end(self, logs: Any = None) -> None:
        self._end_by_callback()

    def _records(self) -> bool:
        return self._functions is not None and not self.run.closed

    def _end_by_callback(self) -> None:
        if self._ends_by_callback and not self._trains:
            self._ended(None)

    def _record_logs(self, logs: dict[str, Any], step: int) -> None:
        train = self.run.sub("train")
        for name, value in flat_logs(logs):
            if not name.startswith("val_"):
                # Each batch has its own train/loss; this is the mean that Keras shows.
                train.scalar(f"epoch_{name}", value, step=step)

    def _step(self) -> int:
        return int(step_of(self._functions.model))

    def _record_graph(self) -> None:
        if not self._graph_is_due or self._watch.graph is None:
            return
        self._graph_is_due = False
        graph, self._watch.graph = self._watch.graph, None
        with self._notes.guard("the graph of the training step"):
            keras_graph.record_step(self.run, graph)

    def _implements_train_batch_hooks(self) -> bool:
        return False

    _implements_test_batch_hooks = _implements_predict_batch_hooks = _implements_train_batch_hooks


def _install_frames() -> Undo:
    """Around fit, evaluate and predict of each Keras that the program uses."""
    if os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true"):
        importlib.import_module("tf_keras")  # tf.keras imports it when it is first used, which may be after this
    modules = [sys.modules[name] for name in ("keras", "tf_keras") if name in sys.modules]
    undos = [trainer.install(module.Model) for module in modules]
    return lambda: [undo() for undo in undos]


def _opener(path: str | os.PathLike[str], mode: str, **options: Any) -> Callable[[], Run]:
    """Opens the run when it is needed; what is wrong with it shows now, before a training begins."""
    checked = _checked_path(path)
    inspect.signature(Run).bind(checked, mode, **options)  # a TypeError names the option that there is not
    return lambda: Run(checked, mode, **options)


def _has_devices() -> bool:
    """Whether tensors may be elsewhere than in the memory that our ops read."""
    return bool(tf.config.list_logical_devices("GPU")) or os.environ.get("TENSORTAP_GATE") == "graph"


def _checked_path(path: str | os.PathLike[str]) -> str:
    """A directory that cannot be written shows now, not when the training begins; nothing is made yet."""
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


__all__ = ["Recorder"]
