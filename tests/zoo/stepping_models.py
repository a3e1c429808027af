"""The models of the zoo that have a train_step of their own; replay_step() computes again what it did, eagerly."""

from __future__ import annotations

import keras
import tensorflow as tf
from keras import layers
from zoo.models import ZOO, compiled, numbers


class OwnStep(keras.Model):
    """A loss that Keras does not know, its own tape, and apply_gradients()."""

    def objective(self, x, y):
        penalty = 0.01 * tf.reduce_sum(tf.abs(tf.convert_to_tensor(self.get_layer("hidden").kernel)))
        return tf.reduce_mean(tf.square(tf.cast(self(x, training=True), y.dtype) - y)) + penalty

    def train_step(self, data):
        x, y = data[:2]
        with tf.GradientTape() as tape:
            loss = self.objective(x, y)
            scaled = self.optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"own_loss": loss}


@ZOO.keep(
    activations="hidden drop out",
    variables="hidden/kernel hidden/bias out/kernel out/bias",
)
def own_step(**options):
    inputs = keras.Input((4,), name="inputs")
    x = layers.Dropout(0.25, name="drop")(layers.Dense(6, "tanh", name="hidden")(inputs))
    model = OwnStep(inputs, layers.Dense(2, name="out")(x), name="own_step")
    return compiled(model, "mse", **options), numbers(4), numbers(2, seed=1)


class DecoratedStep(keras.Model):
    """Functions that keep what they traced, around the step and around call(); AutoGraph has work to do in the step."""

    def __init__(self, **options):
        super().__init__(**options)
        self.hidden, self.out = layers.Dense(6, "tanh", name="hidden"), layers.Dense(2, name="out")
        self.hidden.build((None, 4))
        self.out.build((None, 6))
        self.built = True

    @tf.function
    def call(self, x):
        return self.out(self.hidden(x))

    def objective(self, x, y):
        loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
        if loss > 1.0:
            loss = 1.0 + tf.math.log(loss)
        return loss

    @tf.function
    def train_step(self, data):
        x, y = data[:2]
        with tf.GradientTape() as tape:
            loss = self.objective(x, y)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"own_loss": loss}


@ZOO.keep(
    activations="hidden out",
    variables="hidden/kernel hidden/bias out/kernel out/bias",
    graph_only="hidden out",
)
def decorated_step(**options):
    return compiled(DecoratedStep(name="decorated"), "mse", **options), numbers(4), numbers(2, seed=1)


class Adversaries(keras.Model):
    """Two networks, two optimizers, two updates in each step; x is the noise, y what is real.

    It has no call(): Keras never takes it for built.
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.forger = keras.Sequential(
            [keras.Input((3,)), layers.Dense(5, "tanh", name="sketch"), layers.Dense(4, name="forgery")], name="forger"
        )
        self.judge = keras.Sequential(
            [keras.Input((4,)), layers.Dense(5, "tanh", name="look"), layers.Dense(1, name="verdict")], name="judge"
        )

    def compile(self, optimizer=None, **options):
        super().compile(**options)  # with Keras' default optimizer, which nobody asks to do anything
        self.judges = keras.optimizers.SGD(0.05, name="judges")
        self.forgers = keras.optimizers.Adam(0.01, name="forgers") if optimizer is None else optimizer

    def judging(self, noise, real):
        is_real, is_fake = self.judge(real), self.judge(self.forger(noise))
        return tf.reduce_mean(tf.nn.softplus(-is_real)) + tf.reduce_mean(tf.nn.softplus(is_fake))

    def forging(self, noise):
        return tf.reduce_mean(tf.nn.softplus(-self.judge(self.forger(noise))))

    def train_step(self, data):
        noise, real = data[:2]
        with tf.GradientTape() as tape:
            judging = self.judging(noise, real)
        variables = self.judge.trainable_variables
        self.judges.apply_gradients(zip(tape.gradient(judging, variables), variables, strict=True))
        with tf.GradientTape() as tape:
            forging = self.forging(noise)
        variables = self.forger.trainable_variables
        self.forgers.apply_gradients(zip(tape.gradient(forging, variables), variables, strict=True))
        return {"judging": judging, "forging": forging}

    def replay_step(self, noise, real, to_next_weights):
        """(variable, gradient) of both updates; the second begins where the first has ended."""
        with tf.GradientTape() as tape:
            loss = self.judging(noise, real)
        variables = self.judge.trainable_variables
        found = list(zip(variables, tape.gradient(loss, variables), strict=True))
        to_next_weights(variables)
        with tf.GradientTape() as tape:
            loss = self.forging(noise)
        variables = self.forger.trainable_variables
        return found + list(zip(variables, tape.gradient(loss, variables), strict=True))


@ZOO.keep(
    activations="""judge/look judge/verdict forger/sketch forger/forgery judge/look#1 judge/verdict#1
        forger/sketch#1 forger/forgery#1 judge/look#2 judge/verdict#2""",
    variables="""forger/sketch/kernel forger/sketch/bias forger/forgery/kernel forger/forgery/bias judge/look/kernel
        judge/look/bias judge/verdict/kernel judge/verdict/bias""",
)
def adversaries(**options):
    model = Adversaries(name="adversaries")
    options.setdefault("jit_compile", False)
    model.compile(**options)
    return model, numbers(3), numbers(4, seed=1)
