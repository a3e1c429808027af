"""tap.watch on plain tf.Modules, whose variables the user changes."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap

X = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
Y = np.random.default_rng(1).integers(0, 3, 32)
BATCHES = [(tf.constant(X[i : i + 8]), tf.constant(Y[i : i + 8])) for i in range(0, 32, 8)]


def loss_of(y, outputs):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, outputs))


def read(run):
    return tap.open(run)["."]


class Linear(tf.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.w = tf.Variable(tf.ones([inputs, outputs]) / 10)
        self.b = tf.Variable(tf.zeros([outputs]))

    def __call__(self, x):
        return x @ self.w + self.b


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Linear(4, 8), Linear(8, 3)]

    def __call__(self, x):
        for layer in self.layers:
            x = tf.nn.relu(layer(x))
        return x


@pytest.mark.parametrize("compiled", [False, True])
def test_plain_modules_with_updates_by_hand(tmp_path, compiled):
    net = Net()

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_of(y, net(x))
        for variable, gradient in zip(
            net.trainable_variables, tape.gradient(loss, net.trainable_variables), strict=True
        ):
            variable.assign_sub(0.1 * gradient)

    step = tf.function(step) if compiled else step
    plain_call = Linear.__call__
    with tap.Run(tmp_path / "a") as run, tap.watch(run, net):
        for number, (x, y) in enumerate(BATCHES):
            run.step = 10 * number
            step(x, y)
    assert Linear.__call__ is plain_call
    there = read(run)
    for tag in ("activations/layers/0", "activations/layers/1", "gradients/layers/0/w", "weights/layers/1/b"):
        assert there.steps(tag).tolist() == [0, 10, 20, 30], tag


def test_variables_without_a_call_of_their_module(tmp_path):
    net = Linear(4, 3)
    with tap.Run(tmp_path / "a") as run, tap.watch(run, net):
        for x, y in BATCHES:
            with tf.GradientTape() as tape:
                loss = loss_of(y, x @ net.w + net.b)
            for variable, gradient in zip((net.w, net.b), tape.gradient(loss, (net.w, net.b)), strict=True):
                variable.assign_sub(0.1 * gradient)
    there = read(run)
    assert there.steps("gradients/w").tolist() == there.steps("weights/b").tolist() == [0, 1, 2, 3]
