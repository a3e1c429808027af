"""The models of the zoo that are made with tf_keras, which is Keras 2."""

from __future__ import annotations

import tensorflow as tf
import tf_keras
from tf_keras import layers
from zoo.models import classes, numbers
from zoo.specimen import Zoo

LEGACY = Zoo()


def compiled(model, loss, optimizer=None, **options):
    model.compile(tf_keras.optimizers.Adam(0.01, name="adam") if optimizer is None else optimizer, loss, **options)
    return model


@LEGACY.keep(
    activations="hidden norm drop out",
    variables="hidden/kernel norm/gamma norm/beta out/kernel out/bias",
    is_legacy=True,
)
def legacy_mlp(**options):
    inputs = tf_keras.Input((4,), name="inputs")
    x = layers.Dense(6, "tanh", use_bias=False, name="hidden")(inputs)
    x = layers.BatchNormalization(name="norm")(x)
    x = layers.Dropout(0.4, name="drop")(x)
    model = tf_keras.Model(inputs, layers.Dense(3, name="out")(x), name="legacy_mlp")
    loss = tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return compiled(model, loss, metrics=["accuracy"], **options), numbers(4), classes(3)


@LEGACY.keep(
    activations="first second third",
    variables="first/kernel first/bias second/gamma second/beta third/kernel third/bias",
    is_legacy=True,
)
def legacy_sequential(**options):
    parts = [
        layers.Dense(5, "tanh", name="first"),
        layers.LayerNormalization(name="second"),
        layers.Dense(2, name="third"),
    ]
    return compiled(tf_keras.Sequential(parts, name="legacy"), "mse", **options), numbers(4), numbers(2, seed=1)


class Branching(tf_keras.Model):
    """Python's `if` on a tensor, which AutoGraph makes a branch of the graph; only one of the two heads runs."""

    def __init__(self, **options):
        super().__init__(**options)
        self.stem = layers.Dense(5, "tanh", name="stem")
        self.warm, self.cold = layers.Dense(2, name="warm"), layers.Dense(2, name="cold")
        # Each head must have its variables before the first batch, which runs only one of them.
        hidden = self.stem(tf.zeros((1, 4)))
        self.warm(hidden), self.cold(hidden)

    def call(self, x):
        hidden = self.stem(x)
        if tf.reduce_mean(x) > 0:
            result = self.warm(hidden)
        else:
            result = self.cold(hidden)
        return result


@LEGACY.keep(
    activations="stem warm cold",
    variables="stem/kernel stem/bias warm/kernel warm/bias cold/kernel cold/bias",
    loops="warm cold",
    is_legacy=True,
)
def legacy_branching(**options):
    return compiled(Branching(name="branching"), "mse", **options), numbers(4), numbers(2, seed=1)


class LegacyOwnStep(tf_keras.Model):
    """A loss that Keras does not know, and its own tape."""

    def objective(self, x, y):
        penalty = 0.01 * tf.reduce_sum(tf.abs(self.get_layer("hidden").kernel))
        return tf.reduce_mean(tf.abs(self(x, training=True) - y)) + penalty

    def train_step(self, data):
        x, y = data[:2]
        with tf.GradientTape() as tape:
            loss = self.objective(x, y)
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))  # noqa: B905 (as users write it)
        return {"own_loss": loss}


@LEGACY.keep(
    activations="hidden out",
    variables="hidden/kernel hidden/bias out/kernel out/bias",
    is_legacy=True,
)
def legacy_own_step(**options):
    inputs = tf_keras.Input((4,), name="inputs")
    outputs = layers.Dense(2, name="out")(layers.Dense(6, "tanh", name="hidden")(inputs))
    model = LegacyOwnStep(inputs, outputs, name="legacy_own_step")
    return compiled(model, "mse", **options), numbers(4), numbers(2, seed=1)
