"""The models of the zoo that Keras' own train_step trains: each a function that gives (compiled model, x, y)."""

from __future__ import annotations

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from zoo.specimen import BATCH, BATCHES, Zoo

ZOO = Zoo()
SAMPLES = BATCH * BATCHES


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(SAMPLES, *shape)).astype("float32")


def classes(count: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, count, size=(SAMPLES, *shape)).astype("int32")


def adam(**options):
    return keras.optimizers.Adam(0.01, name="adam", **options)


def compiled(model, loss, optimizer=None, **options):
    options.setdefault("jit_compile", False)
    model.compile(adam() if optimizer is None else optimizer, loss, **options)
    return model


@ZOO.keep(
    activations="hidden norm drop out",
    variables="hidden/kernel norm/gamma norm/beta out/kernel out/bias",
)
def mlp(**options):
    """Functional, with dropout and batch normalisation."""
    inputs = keras.Input((4,), name="inputs")
    x = layers.Dense(6, "tanh", use_bias=False, name="hidden")(inputs)
    x = layers.BatchNormalization(name="norm")(x)
    x = layers.Dropout(0.4, name="drop")(x)
    model = keras.Model(inputs, layers.Dense(3, name="out")(x), name="mlp")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return compiled(model, loss, metrics=["accuracy"], **options), numbers(4), classes(3)


@ZOO.keep(
    activations="first second third",
    variables="first/kernel first/bias second/gamma second/beta third/kernel third/bias",
)
def sequential(**options):
    """Sequential, built."""
    parts = [
        keras.Input((4,)),
        layers.Dense(5, "tanh", name="first"),
        layers.LayerNormalization(name="second"),
        layers.Dense(2, name="third"),
    ]
    options.setdefault("optimizer", keras.optimizers.SGD(0.05, momentum=0.9, name="sgd"))
    return compiled(keras.Sequential(parts, name="sequential"), "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="first drop third",
    variables="first/kernel first/bias third/kernel third/bias",
)
def sequential_unbuilt(**options):
    """Sequential that has no variables before its first batch."""
    parts = [
        layers.Dense(5, "tanh", name="first"),
        layers.Dropout(0.25, name="drop"),
        layers.Dense(2, name="third"),
    ]
    return compiled(keras.Sequential(parts, name="unbuilt"), "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="conv norm active pool flat out",
    variables="conv/kernel norm/gamma norm/beta out/kernel out/bias",
)
def cnn(**options):
    inputs = keras.Input((6, 6, 2), name="inputs")
    x = layers.Conv2D(3, 3, use_bias=False, name="conv")(inputs)
    x = layers.BatchNormalization(name="norm")(x)
    x = layers.ReLU(name="active")(x)
    x = layers.MaxPooling2D(2, name="pool")(x)
    x = layers.Flatten(name="flat")(x)
    model = keras.Model(inputs, layers.Dense(3, "softmax", name="out")(x), name="cnn")
    return compiled(model, "sparse_categorical_crossentropy", **options), numbers(6, 6, 2), classes(3)


class Subclassed(keras.Model):
    """Layers as attributes, in a list, and in a dict; one of them is made but never called."""

    def __init__(self, **options):
        super().__init__(**options)
        self.stem = layers.Dense(5, "tanh", name="stem")
        self.blocks = [layers.Dense(5, "tanh", name=f"block{i}") for i in range(2)]
        self.heads = {"main": layers.Dense(2, name="main")}
        self.unused = layers.Dense(3, name="unused")
        self.drop = layers.Dropout(0.5, name="drop")

    def call(self, x, training=None):
        x = self.stem(x)
        for block in self.blocks:
            x = x + block(x)
        return self.heads["main"](self.drop(x, training=training))


@ZOO.keep(
    activations="stem block0 block1 main drop",
    variables="stem/kernel stem/bias block0/kernel block0/bias block1/kernel block1/bias main/kernel main/bias",
)
def subclassed(**options):
    return compiled(Subclassed(name="subclassed"), "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="before inmost/deep between outer_drop after",
    variables="""before/kernel before/bias inmost/deep/kernel inmost/deep/bias between/kernel between/bias
        after/kernel after/bias""",
)
def nested(**options):
    """Models in models, three deep."""
    inmost = keras.Sequential([keras.Input((4,)), layers.Dense(5, "tanh", name="deep")], name="inmost")
    inputs = keras.Input((4,))
    middle = keras.Model(inputs, layers.Dense(4, "tanh", name="between")(inmost(inputs)), name="middle")
    inputs = keras.Input((4,), name="inputs")
    x = middle(layers.Dense(4, "tanh", name="before")(inputs))
    x = layers.Dropout(0.3, name="outer_drop")(x)
    model = keras.Model(inputs, layers.Dense(2, name="after")(x), name="nested")
    return compiled(model, "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="again again#1 again#2 out",
    variables="again/kernel again/bias out/kernel out/bias",
)
def shared(**options):
    """One layer, called three times."""
    inputs = keras.Input((4,), name="inputs")
    again = layers.Dense(4, "tanh", name="again")
    model = keras.Model(inputs, layers.Dense(2, name="out")(again(again(again(inputs)))), name="shared")
    options.setdefault("optimizer", keras.optimizers.RMSprop(0.01, name="rmsprop"))
    return compiled(model, "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="encoder encoder#1 distance joined same size",
    variables="encoder/kernel encoder/bias same/kernel same/bias size/kernel size/bias",
)
def siamese(**options):
    """Two inputs, two outputs."""
    left, right = keras.Input((4,), name="left"), keras.Input((4,), name="right")
    encoder = layers.Dense(5, "tanh", name="encoder")
    one, other = encoder(left), encoder(right)
    distance = layers.Subtract(name="distance")([one, other])
    joined = layers.Concatenate(name="joined")([one, other])
    outputs = [layers.Dense(1, "sigmoid", name="same")(distance), layers.Dense(2, name="size")(joined)]
    model = compiled(keras.Model([left, right], outputs, name="siamese"), ["binary_crossentropy", "mse"], **options)
    return model, [numbers(4), numbers(4, seed=2)], [classes(2, 1).astype("float32"), numbers(2, seed=3)]


@ZOO.keep(
    activations="""lstm lstm:1 lstm:2 both both:1 both:2 both/forward_gru both/forward_gru:1 both/backward_gru
        both/backward_gru:1 joined out""",
    variables="""lstm/lstm_cell/kernel lstm/lstm_cell/recurrent_kernel lstm/lstm_cell/bias
        both/forward_gru/gru_cell/kernel both/forward_gru/gru_cell/recurrent_kernel both/forward_gru/gru_cell/bias
        both/backward_gru/gru_cell/kernel both/backward_gru/gru_cell/recurrent_kernel both/backward_gru/gru_cell/bias
        out/kernel out/bias""",
)
def recurrent(**options):
    """LSTM and Bidirectional(GRU), with their states as outputs."""
    inputs = keras.Input((5, 3), name="inputs")
    sequence, hidden, _ = layers.LSTM(4, return_sequences=True, return_state=True, name="lstm")(inputs)
    gru = layers.GRU(3, return_state=True, name="gru")
    last, forward, _ = layers.Bidirectional(gru, name="both")(sequence)
    x = layers.Concatenate(name="joined")([last, forward, hidden])
    model = keras.Model(inputs, layers.Dense(2, name="out")(x), name="recurrent")
    return compiled(model, "mse", **options), numbers(5, 3), numbers(2, seed=1)


@ZOO.keep(
    activations="each pooled out",
    variables="each/dense/kernel each/dense/bias out/kernel out/bias",
)
def time_distributed(**options):
    inputs = keras.Input((5, 3), name="inputs")
    x = layers.TimeDistributed(layers.Dense(4, "tanh", name="dense"), name="each")(inputs)
    x = layers.GlobalAveragePooling1D(name="pooled")(x)
    model = keras.Model(inputs, layers.Dense(2, name="out")(x), name="time_distributed")
    return compiled(model, "mse", **options), numbers(5, 3), numbers(2, seed=1)


@ZOO.keep(
    activations="""tokens attention attention/query attention/key attention/value attention/softmax
        attention/dropout attention/attention_output added norm wide narrow added2 norm2 pooled out""",
    variables="""tokens/embeddings attention/query/kernel attention/key/kernel attention/value/kernel
        attention/attention_output/kernel norm/gamma norm/beta wide/kernel wide/bias narrow/kernel narrow/bias
        norm2/gamma norm2/beta out/kernel out/bias""",
)
def transformer(**options):
    """Embedding (whose gradient is sparse), attention with dropout, residuals."""
    inputs = keras.Input((5,), dtype="int32", name="inputs")
    x = layers.Embedding(7, 4, name="tokens")(inputs)
    attended = layers.MultiHeadAttention(2, 3, dropout=0.2, use_bias=False, name="attention")(x, x)
    x = layers.LayerNormalization(name="norm")(layers.Add(name="added")([x, attended]))
    wide = layers.Dense(8, "gelu", name="wide")(x)
    x = layers.Add(name="added2")([x, layers.Dense(4, name="narrow")(wide)])
    x = layers.GlobalAveragePooling1D(name="pooled")(layers.LayerNormalization(name="norm2")(x))
    model = keras.Model(inputs, layers.Dense(3, name="out")(x), name="transformer")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return compiled(model, loss, **options), classes(7, 5), classes(3)


class Gated(layers.Layer):
    """A layer of a user's that is made of layers and has a weight of its own."""

    def __init__(self, units, **options):
        super().__init__(**options)
        self.value, self.gate = layers.Dense(units, name="value"), layers.Dense(units, "sigmoid", name="gate")

    def build(self, shape):
        self.value.build(shape)
        self.gate.build(shape)
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, x):
        return self.scale * self.value(x) * self.gate(x)


@ZOO.keep(
    activations="gated/value gated/gate out",
    variables="gated/value/kernel gated/value/bias gated/gate/kernel gated/gate/bias gated/scale out/kernel out/bias",
)
def user_layer(**options):
    inputs = keras.Input((4,), name="inputs")
    outputs = layers.Dense(2, name="out")(Gated(5, name="gated")(inputs))
    return compiled(keras.Model(inputs, outputs, name="user"), "mse", **options), numbers(4), numbers(2, seed=1)


@ZOO.keep(
    activations="left_in right_in joined small large",
    variables="""left_in/kernel left_in/bias right_in/kernel right_in/bias small/kernel small/bias
        large/kernel large/bias""",
)
def dicts(**options):
    """Inputs and outputs by name."""
    inputs = {"left": keras.Input((4,), name="left"), "right": keras.Input((3,), name="right")}
    parts = [layers.Dense(4, "tanh", name=f"{side}_in")(inputs[side]) for side in ("left", "right")]
    joined = layers.Concatenate(name="joined")(parts)
    outputs = {"small": layers.Dense(1, name="small")(joined), "large": layers.Dense(3, name="large")(joined)}
    model = compiled(keras.Model(inputs, outputs, name="dicts"), {"small": "mse", "large": "mae"}, **options)
    x = {"left": numbers(4), "right": numbers(3, seed=1)}
    return model, x, {"small": numbers(1, seed=2), "large": numbers(3, seed=3)}


class Repeats(layers.Layer):
    """Layers called in a loop, a branch, and a function of the graph."""

    def __init__(self, **options):
        super().__init__(**options)
        names = ("repeated", "warm", "cold", "apart")
        self.repeated, self.warm, self.cold, self.apart = (layers.Dense(4, "tanh", name=name) for name in names)

    def build(self, shape):
        for layer in (self.repeated, self.warm, self.cold, self.apart):
            layer.build(shape)

    def call(self, inputs):
        def again(count, x):
            return [count + 1, self.repeated(x)]

        _, x = tf.while_loop(lambda count, x: count < 3, again, [tf.constant(0), inputs], maximum_iterations=3)
        x = tf.cond(tf.reduce_mean(inputs[:, 1]) > 0, lambda: self.warm(x), lambda: self.cold(x))
        return self.function(x)

    @tf.function
    def function(self, x):
        return self.apart(x)


@ZOO.keep(
    activations="before repeats/repeated repeats/warm repeats/cold repeats/apart out",
    variables="""before/kernel before/bias repeats/repeated/kernel repeats/repeated/bias repeats/warm/kernel
        repeats/warm/bias repeats/cold/kernel repeats/cold/bias repeats/apart/kernel repeats/apart/bias
        out/kernel out/bias""",
    loops="repeats/repeated repeats/warm repeats/cold repeats/apart",
    eager_only="repeats/repeated#1 repeats/repeated#2",
    graph_only="repeats/apart",
)
def loops(**options):
    inputs = keras.Input((4,), name="inputs")
    x = Repeats(name="repeats")(layers.Dense(4, "tanh", name="before")(inputs))
    model = compiled(keras.Model(inputs, layers.Dense(2, name="out")(x), name="loops"), "mse", **options)
    return model, numbers(4), numbers(2, seed=1)
