"""tap.keras: records what a Keras model puts out while it trains, is evaluated, or predicts.

    model.fit(x, y, epochs=5, callbacks=[tap.keras.Recorder("runs/a")])

Keras 3 and legacy tf_keras models alike. Importing this module imports TensorFlow.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tensortap.epoch_ends.epoch_end import EpochEnd
from tensortap.hooks import trainer
from tensortap.hooks.patch import Undo
from tensortap.rules import to_capture, to_images, to_what, to_when
from tensortap.run import Run
from tensortap.sinks import Sink, to_sinks
from tensortap.watching import graph_mode, tensorflow_op
from tensortap.watching.later_run import LaterRun
from tensortap.watching.plan import Plan, make_plan
from tensortap.watching.recording import Recording

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
    predictions:  the outputs for these samples at the end of each epoch: (x, y), x, a data set of batches,
                  tap.sample(x, y, 64), or several of them by name; `predictions_every` epochs, in batches of
                  `predictions_batch_size`.
    images:       feature maps at the end of each epoch: True (all layers), globs, or tap.images(...).
    checkpoints:  the weights at the end of each epoch: True (in <run>/checkpoints), or a directory.
    metrics:      losses and metrics as train/... and val/..., learning rate, epochs, seconds per step.
    graph:        the model as Keras has it, and the graph of the training step as TensorFlow has traced it.
    sinks:        where else everything goes: [tap.sinks.csv("out/a"), tap.sinks.npy("out/a")].
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
        predictions: Any = None,
        predictions_every: Any = 1,
        predictions_batch_size: int = 32,
        images: Any = False,
        checkpoints: bool | str | os.PathLike[str] = False,
        metrics: bool = True,
        graph: bool = True,
        sinks: Sequence[Sink] | Sink = (),
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
        if several := to_sinks(sinks):
            options["sinks"] = several
        later_run = LaterRun(run, mode, tensorboard=tensorboard, **options)
        self._recording = Recording(later_run, self._rules, metrics=metrics, graph=graph, jit=jit)
        self._epoch_end = EpochEnd(
            self._recording.notes,
            predictions=predictions,
            predictions_every=predictions_every,
            predictions_batch_size=predictions_batch_size,
            images=to_images(images),
            checkpoints=checkpoints,
            mode=mode,
        )
        self._ends_by_callback = False  # where nothing frames fit: see set_model
        self._trains = False
        tensorflow_op.load()
        self._undo_frames = _install_frames()

    # --- for users

    @property
    def run(self) -> Run:
        """The run that is recorded to; opened when it is first needed."""
        return self._recording.run

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why."""
        return list(self._recording.notes.texts)

    def plan(self, model: Any, *, batch_size: int = 32) -> Plan:
        """Prints what would be recorded, how often, and what it would cost; records nothing."""
        in_batches = not graph_mode.is_on()
        rules = self._rules if in_batches else {"weights": self._rules["weights"]}
        plan = make_plan(model, rules, batch_size=batch_size, metrics=self._metrics and in_batches, jit=self._jit)
        plan.notes += [] if in_batches else [graph_mode.NOTE]
        self._epoch_end.add_to_plan(plan, model)
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
            self._recording.leave()

    def attach(self, model: Any) -> None:
        """Records whatever steps the model runs, until detach()."""
        if self._recording.is_of(model):
            return
        self._recording.attach(model)
        self._model = model
        try:
            self._epoch_end.check(model)
        except BaseException:
            self._recording.leave()
            raise

    def detach(self) -> None:
        """Leaves the model as it was before attach(), and lets go of it."""
        self._recording.release()
        self._epoch_end.release()
        self._model = None

    def close(self) -> None:
        """Detaches, and closes the run if this recorder opened it."""
        self.detach()
        self._undo_frames()
        self._recording.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # --- for Keras

    def set_model(self, model: Any) -> None:
        self._model = model
        self._epoch_end.begin_fit()
        if self._recording.is_of(model):
            return  # whoever attached it detaches it
        self.attach(model)
        self._trains = False
        # A fit that is not Keras' own tells of its end by callbacks, if at all.
        self._ends_by_callback = not trainer.on_end(self._ended)

    def _ended(self, error: BaseException | None) -> None:
        """fit, evaluate or predict is over, in whatever way."""
        self._ends_by_callback = False
        with self._recording.notes.guard("the end"):
            self._recording.leave()
        try:
            if not self.run.closed:
                self.run.flush()
        except OSError:
            if error is None:
                raise  # as Run(strict=True) asks for

    def on_train_begin(self, logs: Any = None) -> None:
        self._trains = True
        self._epoch_end.begin_training(self.run)

    def on_train_end(self, logs: Any = None) -> None:
        self._trains = False
        self._end_by_callback()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._recording.begin_epoch("train", self._epoch_end.begin(self.run, epoch))

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if batch > 0:
            self._recording.record_graph()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._recording.end_epoch(logs or {})
        self._epoch_end.end(self.run, self._model)

    def on_test_begin(self, logs: Any = None) -> None:
        self._recording.begin_epoch("val")

    def on_test_end(self, logs: Any = None) -> None:
        self._recording.end_validation(logs or {})
        self._end_by_callback()

    def on_predict_begin(self, logs: Any = None) -> None:
        self._recording.begin_epoch("predict")

    def on_predict_end(self, logs: Any = None) -> None:
        self._end_by_callback()

    def _end_by_callback(self) -> None:
        if self._ends_by_callback and not self._trains:
            self._ended(None)

    def _implements_train_batch_hooks(self) -> bool:
        return False

    _implements_test_batch_hooks = _implements_predict_batch_hooks = _implements_train_batch_hooks


def _install_frames() -> Undo:
    """Around fit, evaluate and predict of each Keras that the program uses."""
    if os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true"):
        importlib.import_module("tf_keras")  # tf.keras imports it when it is first used, which may be after this
    modules = [sys.modules[name] for name in ("keras", "tf_keras") if name in sys.modules]
    undos = [trainer.install(model) for model in [*(module.Model for module in modules), *graph_mode.trainers()]]
    return lambda: [undo() for undo in undos]


__all__ = ["Recorder"]
