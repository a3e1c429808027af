"""tap.keras: records what a Keras model puts out while it trains, is evaluated, or predicts.

    model.fit(x, y, epochs=5, callbacks=[tap.keras.Recorder("runs/a")])

Keras 3 and legacy tf_keras models alike. Importing this module imports TensorFlow.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tensortap import keras_graph, tensorflow_op
from tensortap.hooks import trainer
from tensortap.plan import Plan, make_plan
from tensortap.rules import to_capture, to_what, to_when
from tensortap.run import Run
from tensortap.tensorflow_op import tf
from tensortap.traced_functions import TracedFunctions
from tensortap.watching import Watch

logger = logging.getLogger("tensortap")

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
        self._run: Run | None = run if isinstance(run, Run) else None
        self._owns_run = self._run is None
        self._open = None
        if self._run is None:
            path = _checked_path(run)
            self._open = lambda: Run(path, mode, tensorboard=tensorboard, **options)
        self._watch: Watch | None = None
        self._functions: TracedFunctions | None = None
        self._epoch_metrics: set[str] = set()
        self._graph_is_due = False
        tensorflow_op.load()
        for module, name in (("keras", "Model"), ("tf_keras", "Model")):
            if module in sys.modules:
                trainer.install(getattr(sys.modules[module], name))

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
        return [] if self._watch is None else list(self._watch.notes)

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
            self.detach()

    def attach(self, model: Any) -> None:
        """Records whatever steps the model runs, until detach()."""
        if self._functions is not None and self._functions.model is model:
            return
        self.detach()
        if self.run.closed:
            raise ValueError(f"run {self.run.path} is closed; make a new Recorder")
        if self._watch is None:
            self._watch = Watch(
                self.run, self._rules, metrics=self._metrics, jit=self._jit, gated=_has_devices(), graph=self._graph
            )
        self._watch.attach(model)
        self._functions = TracedFunctions.swap_in(model, self)
        if self._graph:
            keras_graph.record_model(self.run, model)
            self._graph_is_due = True

    def detach(self) -> None:
        """Leaves the model as it was before attach()."""
        if self._functions is None:
            return
        self._record_graph()
        self._functions.swap_out()
        self._functions = None
        self._watch.detach()

    def close(self) -> None:
        """Detaches, and closes the run if this recorder opened it."""
        self.detach()
        if self._watch is not None:
            self._watch.close()
        if self._run is not None and self._owns_run:
            self._run.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # --- for Keras

    def set_model(self, model: Any) -> None:
        self._model = model
        self.attach(model)
        trainer.on_end(self._ended)

    def _ended(self, error: BaseException | None) -> None:
        """fit, evaluate or predict is over, in whatever way."""
        self.detach()
        self.run.flush()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._watch.begin_epoch("train")
        if self._metrics:
            self.run.sub("train").scalar("epoch", epoch, step=self._step())

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if self._graph_is_due and batch > 0:
            self._record_graph()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._record_graph()
        with self._watch.guard("the end of an epoch"):
            step = self._step()
            if self._metrics:
                self._record_logs(logs or {}, step)
            rule = self._rules["weights"]
            if rule is not None and rule.when.epochs and epoch % rule.when.epochs == 0:
                self._watch.record_weights_now(step)

    def on_test_begin(self, logs: Any = None) -> None:
        self._watch.begin_epoch("val")

    def on_test_end(self, logs: Any = None) -> None:
        if self._metrics:
            with self._watch.guard("the metrics of a validation"):
                step = self._step()
                for name, value in (logs or {}).items():
                    self.run.sub("val").scalar(name, value, step=step)

    def on_predict_begin(self, logs: Any = None) -> None:
        self._watch.begin_epoch("predict")

    def _record_logs(self, logs: dict[str, Any], step: int) -> None:
        train = self.run.sub("train")
        for name, value in logs.items():
            if not name.startswith("val_"):
                # Each batch has its own train/loss; this is the mean that Keras shows.
                train.scalar(f"epoch_{name}", value, step=step)

    def _step(self) -> int:
        for one in self._watch.optimizers():
            return int(self._watch.value_of(one.iterations))
        return 0

    def _record_graph(self) -> None:
        if not self._graph_is_due or self._watch.graph is None:
            return
        self._graph_is_due = False
        with self._watch.guard("the graph of the training step"):
            keras_graph.record_step(self.run, self._watch.graph)

    def _implements_train_batch_hooks(self) -> bool:
        return False

    _implements_test_batch_hooks = _implements_predict_batch_hooks = _implements_train_batch_hooks


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
