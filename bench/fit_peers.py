"""How one records layers today: tf.summary.histogram in the graph, tfdbg2, and a sub-model that runs again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf


def _layers(model: Any) -> list[Any]:
    return [layer for layer in model.layers if not isinstance(layer, keras.layers.InputLayer)]


def _nothing() -> None:
    pass


def _tf_summary(model: Any, folder: Path) -> None:
    """Histograms of every layer's output, every gradient and every weight at every step, by TensorFlow's own ops."""
    writer = tf.summary.create_file_writer(str(folder))

    def emit(tag: str, value: Any) -> None:
        if isinstance(value, tf.IndexedSlices):
            value = value.values
        with writer.as_default():
            tf.summary.histogram(tag, value, step=tf.cast(model.optimizer.iterations.value, tf.int64))

    for layer in _layers(model):
        call = layer.call

        def tapped(*args: Any, _call: Any = call, _name: str = layer.name, **kwargs: Any) -> Any:
            output = _call(*args, **kwargs)
            emit(f"activations/{_name}", output)
            return output

        layer.call = tapped
    apply = model.optimizer.apply

    def tapped_apply(grads: Any, variables: Any = None) -> Any:
        for grad, variable in zip(grads, variables, strict=True):
            emit(f"gradients/{variable.path}", grad)
            emit(f"weights/{variable.path}", tf.convert_to_tensor(variable.value))
        return apply(grads, variables)

    model.optimizer.apply = tapped_apply


def _sub_model(model: Any, x: np.ndarray, folder: Path) -> Callable[[], None]:
    """Activations alone, of a second forward pass without dropout, every 10th step."""
    sub_model = keras.Model(model.inputs, [layer.output for layer in _layers(model)])
    folder.mkdir(parents=True, exist_ok=True)
    steps = iter(range(1 << 62))

    def after_step() -> None:
        step = next(steps)
        if step % 10 == 0:
            np.savez(folder / "activations.npz", *sub_model.predict(x, verbose=0))

    return after_step


@contextmanager
def watching(name: str, model: Any, x: np.ndarray, folder: Path) -> Iterator[Callable[[], None]]:
    """Functions traced in between are watched by this peer; yields what is called after each step."""
    if name in ("plain", "plain_again"):
        yield _nothing
    elif name == "tf_summary":
        _tf_summary(model, folder)
        yield _nothing
    elif name == "sub_model_10th":
        yield _sub_model(model, x, folder)
    elif name == "tfdbg2":
        tf.debugging.experimental.enable_dump_debug_info(str(folder), tensor_debug_mode="CONCISE_HEALTH")
        try:
            yield _nothing
        finally:
            tf.debugging.experimental.disable_dump_debug_info()
    else:
        raise SystemExit(f"no contender is called {name}")
