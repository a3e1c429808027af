"""Graph mode: tf_keras models that a session runs, because eager execution is disabled.

Their steps are ops of one graph that was made with the model, where no tap can be put afterwards. What a session can
compute is recorded at the ends of epochs.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from tensortap.arrays import leaves
from tensortap.sessions.feeds import fed_names, missing
from tensortap.watching.keras_values import optimizers_of, plain, step_of
from tensortap.watching.notes import Notes
from tensortap.watching.tensorflow_op import tf

NOTE = (
    "eager execution is disabled: of the batches themselves nothing is recorded. At the ends of epochs metrics, "
    "weights, predictions, images and checkpoints are; tap.tf1.SessionRecorder captures any tensor at any time"
)


class UntracedFunctions:
    """In the place of TracedFunctions: those of the model stay as they are."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def leave(self, _: Any) -> None:
        pass


def is_on() -> bool:
    return not tf.compat.v1.executing_eagerly_outside_functions()


def _backend() -> Any:
    return importlib.import_module("tf_keras.src.backend")  # get_session() is not in the public one


def trainers() -> list[type]:
    """The classes whose fit, evaluate and predict are other ones than those of tf_keras.Model."""
    try:
        return [importlib.import_module("tf_keras.src.engine.training_v1").Model] if is_on() else []
    except ImportError:  # what frames of fit are good for is then missing: see hooks/trainer.py
        return []


def step_now(model: Any) -> int:
    """The optimizer updates finished so far, in either mode."""
    if not is_on():
        return int(step_of(model))
    return max((int(value(one.iterations)) for one in optimizers_of(model)), default=0)


def value(variable: Any) -> Any:
    """What a variable is now, in either mode."""
    return _backend().get_value(variable) if is_on() else plain(variable)


def graph() -> Any:
    return _backend().get_session().graph


def layer_values(model: Any, layers: Iterable[tuple[Any, str]], x: Any, notes: Notes) -> dict[str, Any]:
    """path -> what each call of each layer makes of x."""
    named = isinstance(x, dict)
    inputs = [x[name] for name in model.input_names] if named else leaves(x)
    feed = dict(zip(model.inputs, inputs, strict=True))
    fed = fed_names(feed)
    targets: dict[str, Any] = {}
    for layer, path in layers:
        for call, _ in enumerate(layer._inbound_nodes):
            for index, tensor in enumerate(tf.nest.flatten(layer.get_output_at(call))):
                name = path + (f"#{call}" if call else "") + (f":{index}" if index else "")
                if missing([tensor], fed):
                    notes.once(f"{name} has no feature maps: it is inside of a model that has inputs of its own")
                else:
                    targets[name] = tensor
    return _backend().get_session(list(targets.values())).run(targets, feed)
