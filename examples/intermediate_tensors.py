"""How do I save and log intermediate tensors? A GradientTape loop: the whole model, one tensor, numbers inside a step.

    python examples/intermediate_tensors.py

The same works without @tf.function, and with a tf.Module instead of a Keras model.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

import tensortap as tap

x = np.random.default_rng(0).normal(size=(320, 8)).astype("float32")
y = (x[:, :4].prod(axis=1, keepdims=True) > 0).astype("float32")
x_val, y_val = x[256:], y[256:]
data = tf.data.Dataset.from_tensor_slices((x[:256], y[:256])).batch(32)


class Attention(keras.layers.Layer):
    def build(self, shape):
        self.scores = self.add_weight(shape=shape[1:], name="scores")

    def call(self, inputs):
        share = tap.tap(tf.nn.softmax(self.scores), "attention/share", what="tensor", every=tap.epochs(1), show=True)
        return inputs * share


keras.utils.set_random_seed(0)
layers = [Attention(name="attention"), keras.layers.Dense(16, "tanh", name="hidden"), keras.layers.Dense(1, name="out")]
model = keras.Sequential([keras.Input((8,)), *layers])
optimizer = keras.optimizers.Adam(1e-2)
loss_of = keras.losses.BinaryCrossentropy(from_logits=True)

with tap.Run("runs/loop", sinks=[tap.sinks.csv("out"), tap.sinks.npy("arrays")]) as run:

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        run.histogram("gradient_of_scores", gradients[0], step=optimizer.iterations)  # any tensor of the step
        run.scalar("loss", loss, step=optimizer.iterations)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    # One call for all layers, gradients and weights; the step is the optimizer's.
    with tap.watch(run, model, optimizer=optimizer, input_gradients=True):
        for run.epoch in range(3):
            for batch in data:
                train_step(*batch)
            outputs = tf.sigmoid(model(x_val))
            run.tensor("validation_output", outputs)  # arrays/epoch_0_validation_output.npy
            run.scalar("val_accuracy", tf.reduce_mean(tf.cast(tf.round(outputs) == y_val, tf.float32)))

for tag in (there := tap.open(run.path)["."]).tags(kind="stats"):
    stats = there.stats(tag)
    print(f"{tag:36} steps {stats.step[0]}..{stats.step[-1]}  norm {stats.l2[0]:.4f} -> {stats.l2[-1]:.4f}")
