"""The three models of P3 and P4: a small MLP, a CNN, and a Transformer of about 60 layers."""

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras import layers


def mlp() -> tuple[Any, np.ndarray, np.ndarray]:
    inputs = layers.Input((64,))
    hidden = inputs
    for _ in range(3):
        hidden = layers.Dense(128, "relu")(hidden)
    rng = np.random.default_rng(0)
    model = keras.Model(inputs, layers.Dense(10, "softmax")(hidden))
    return model, rng.normal(size=(64, 64)).astype(np.float32), rng.integers(0, 10, 64)


def cnn() -> tuple[Any, np.ndarray, np.ndarray]:
    inputs = layers.Input((28, 28, 1))
    hidden = layers.MaxPool2D()(layers.Conv2D(16, 3, activation="relu")(inputs))
    hidden = layers.MaxPool2D()(layers.Conv2D(32, 3, activation="relu")(hidden))
    hidden = layers.Dense(128, "relu")(layers.Dropout(0.25)(layers.Flatten()(hidden)))
    rng = np.random.default_rng(0)
    model = keras.Model(inputs, layers.Dense(10, "softmax")(hidden))
    return model, rng.normal(size=(64, 28, 28, 1)).astype(np.float32), rng.integers(0, 10, 64)


def transformer() -> tuple[Any, np.ndarray, np.ndarray]:
    inputs = layers.Input((32,), dtype="int32")
    hidden = layers.Embedding(1000, 64)(inputs)
    for _ in range(4):
        attended = layers.MultiHeadAttention(4, 16, dropout=0.1)(hidden, hidden)
        hidden = layers.LayerNormalization()(layers.Add()([hidden, attended]))
        forward = layers.Dropout(0.1)(layers.Dense(64)(layers.Dense(128, "relu")(hidden)))
        hidden = layers.LayerNormalization()(layers.Add()([hidden, forward]))
    rng = np.random.default_rng(0)
    model = keras.Model(inputs, layers.Dense(10, "softmax")(layers.GlobalAveragePooling1D()(hidden)))
    return model, rng.integers(0, 1000, (16, 32)), rng.integers(0, 10, 16)


MODELS: dict[str, Callable[[], tuple[Any, np.ndarray, np.ndarray]]] = {
    "mlp": mlp,
    "cnn": cnn,
    "transformer": transformer,
}
