"""Training: one fit of a specimen in one mode, with or without a recorder, and the state before each of its batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf
import tf_keras
from zoo.specimen import BATCH, Specimen

import tensortap as tap

State = dict[str, np.ndarray]  # path of a variable -> its value
SLOT = " (slot)"  # after the path of a variable of an optimizer


@dataclass(frozen=True)
class Mode:
    """How a model is compiled, fed and recorded.

    samples:    how many there are; None: those of the specimen. They come in batches of 4, the last perhaps smaller.
    is_warm:    the optimizer has its variables before the first batch: TensorFlow traces the step once, not twice.
    is_undisturbed:  whether a recorded training has the same bits as one that is not.
    truth:      the mode of the training that is taken for the truth, where Python cannot look between all batches.
    tolerance:  how far a value may be from that of the eager replay, relative to the largest of its tensor. 0: exact.
    """

    name: str
    compile: Mapping[str, Any] = field(default_factory=dict)
    optimizer: Callable[[], Any] | None = None
    policy: str = "float32"
    recorder: Mapping[str, Any] = field(default_factory=dict)
    epochs: int = 2
    fits: int = 1
    samples: int | None = None
    as_dataset: bool = False
    validates: bool = False
    is_warm: bool = True
    is_undisturbed: bool = True
    truth: Mode | None = None
    tolerance: float = 1e-6

    @property
    def is_eager(self) -> bool:
        return bool(self.compile.get("run_eagerly"))


@dataclass
class Training:
    """What is left after a fit. `states[i]` and `steps[i]` belong to the beginning of batch i; the last to the end."""

    model: Any
    x: Any
    y: Any
    states: list[State]
    steps: list[int]
    notes: list[str] = field(default_factory=list)


def batch_of(data: Any, index: int) -> Any:
    """Batch `index` of a training that goes through the data in order, again and again."""

    def cut(array: np.ndarray) -> np.ndarray:
        begin = index % -(-len(array) // BATCH) * BATCH
        return array[begin : begin + BATCH]

    return tf.nest.map_structure(cut, data)


def build(specimen: Specimen, mode: Mode) -> tuple[Any, Any, Any]:
    """The same model each time, to the last bit."""
    module = tf_keras if specimen.is_legacy else keras
    if not tf.distribute.has_strategy():
        keras.backend.clear_session(free_memory=False)  # names that Keras makes count from 1 again
    module.utils.set_random_seed(7)
    options = dict(mode.compile)
    if mode.optimizer is not None:
        options["optimizer"] = mode.optimizer()
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(mode.policy)
    try:
        model, x, y = specimen.build(**options)
    finally:
        keras.config.set_dtype_policy(before)
    if mode.is_warm and not specimen.is_legacy and len(optimizers_of(model)) == 1 and model.built:
        model.optimizer.build(model.trainable_variables)
    return model, x, y


def train(specimen: Specimen, mode: Mode, run: Path | None = None) -> Training:
    """Fits the model, epochs of the same batches in the same order; recorded where a run is given."""
    model, x, y = build(specimen, mode)
    x, y = (tf.nest.map_structure(lambda array: resized(array, mode.samples), data) for data in (x, y))
    watcher = _watcher(specimen.is_legacy)
    callbacks = [watcher]
    recorder = None
    if run is not None:
        recorder = recorder_for(mode, run)
        callbacks.append(recorder)
    for _ in range(mode.fits):
        fit(model, x, y, mode, callbacks)
    if not watcher.states[0]:
        watcher.states[0] = first_state(specimen, mode)
    training = Training(model, x, y, watcher.states, watcher.steps)
    if recorder is not None:
        training.notes = recorder.notes
        recorder.close()
    return training


def train_on_batches(specimen: Specimen, mode: Mode, count: int, run: Path | None = None) -> Training:
    """As train(), by a loop of train_on_batch()."""
    model, x, y = build(specimen, mode)
    recorder = None if run is None else recorder_for(mode, run)
    states, steps = [], []
    with nullcontext() if recorder is None else recorder.attached(model):
        for index in range(count + 1):
            states.append(state_of(model))
            steps.append(int(optimizers_of(model)[0].iterations.numpy()))
            if index < count:
                model.train_on_batch(batch_of(x, index), batch_of(y, index))
    training = Training(model, x, y, states, steps)
    if recorder is not None:
        training.notes = recorder.notes
        recorder.close()
    return training


def recorder_for(mode: Mode, run: Path) -> Any:
    """Everything at every batch, statistics and values."""
    options = {"updates": True, "slots": True, "graph": False, "tensorboard": False} | dict(mode.recorder)
    return tap.keras.Recorder(run, every=1, what=("stats", "tensor"), **options)


def fit(model: Any, x: Any, y: Any, mode: Mode, callbacks: list[Any]) -> None:
    options = {"epochs": mode.epochs, "shuffle": False, "verbose": 0, "callbacks": callbacks}
    if mode.validates:
        options |= {"validation_data": (x, y), "validation_batch_size": BATCH}
    if mode.as_dataset:
        x, y = (tuple(data) if isinstance(data, list) else data for data in (x, y))
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH), **options)
    else:
        model.fit(x, y, batch_size=BATCH, **options)


def resized(array: np.ndarray, samples: int | None) -> np.ndarray:
    return array if samples is None else np.resize(array, (samples, *array.shape[1:]))


def first_state(specimen: Specimen, mode: Mode) -> State:
    """Of a model that only its first batch builds: how Keras begins depends on nothing but the seeds."""
    model, x, _ = build(specimen, mode)
    model(tf.nest.map_structure(tf.constant, batch_of(x, 0)))
    return state_of(model)


def state_of(model: Any) -> State:
    """Every variable of the model and of its optimizers, by path; metrics left out."""
    metrics = {id(v) for metric in model.metrics for v in metric.variables}
    state = {path_of(variable): variable.numpy() for variable in model.variables if id(variable) not in metrics}
    for optimizer in optimizers_of(model):
        variables = optimizer.variables() if callable(optimizer.variables) else optimizer.variables
        state |= {path_of(variable) + SLOT: variable.numpy() for variable in variables}
    return state


def put_state(model: Any, state: State, only: Any = None) -> None:
    """Gives the model's variables (not the optimizer's) their values of a state."""
    for variable in model.variables if only is None else only:
        if path_of(variable) in state:
            variable.assign(state[path_of(variable)])


def path_of(variable: Any) -> str:
    return getattr(variable, "path", variable.name).removesuffix(":0")


def optimizers_of(model: Any) -> list[Any]:
    mine = [getattr(model, name, None) for name in ("judges", "forgers")]
    return [optimizer for optimizer in mine if optimizer is not None] or [model.optimizer]


def _watcher(is_legacy: bool) -> Any:
    """A callback that keeps the state before each batch and after the last, as Python sees it."""
    base = (tf_keras if is_legacy else keras).callbacks.Callback

    class Watcher(base):
        def __init__(self) -> None:
            super().__init__()
            self.states: list[State] = []
            self.steps: list[int] = []

        def _keep(self) -> None:
            has_variables = self.model.built or not is_legacy
            self.states.append(state_of(self.model) if has_variables and self.model.trainable_variables else {})
            self.steps.append(int(optimizers_of(self.model)[0].iterations.numpy()))

        def on_train_begin(self, logs=None) -> None:
            if not self.states:  # each fit but the first begins where the one before has ended
                self._keep()

        def on_train_batch_end(self, batch, logs=None) -> None:
            self._keep()

    return Watcher()
