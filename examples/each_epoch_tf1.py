"""How do I capture a model's output at each epoch in TensorFlow 1? Graph, Session, feed_dict; arrays and checkpoints.

    python examples/each_epoch_tf1.py

It needs TensorFlow 2.16 or later, as all of Tensortap: tf.compat.v1 is TensorFlow 1 there.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow.compat.v1 as tf

import tensortap as tap

tf.disable_eager_execution()
random = np.random.default_rng(0)
features = random.normal(size=(320, 8)).astype("float32")
labels = (features[:, :4].sum(axis=1) > features[:, 4:].sum(axis=1)).astype("int32")
x_train, y_train, x_val, y_val = features[:256], labels[:256], features[256:], labels[256:]

tf.set_random_seed(0)
x, y = tf.placeholder(tf.float32, [None, 8], "x"), tf.placeholder(tf.int32, [None], "y")
hidden = tf.nn.relu(x @ tf.get_variable("w1", [8, 16]) + tf.get_variable("b1", [16]), name="hidden")
hidden = tap.tap(hidden, "hidden")  # recorded whenever a session runs it: nothing to merge, nothing to fetch
logits = tf.matmul(hidden, tf.get_variable("w2", [16, 2]), name="logits")
probabilities = tf.nn.softmax(logits)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), tf.float32))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, tf.train.get_or_create_global_step())
saver = tf.train.Saver(max_to_keep=None)

sinks = [tap.sinks.npy("output_data", mode="overwrite"), tap.sinks.csv("out", mode="overwrite")]
sinks.append(tap.sinks.print(samples=0))  # a line for each epoch
with tf.Session() as session, tap.tf1.SessionRecorder("runs/tf1", session, sinks=sinks) as rec:
    session.run(tf.global_variables_initializer())
    for epoch in range(5):
        rec.run.epoch = epoch
        for begin in range(0, 256, 32):  # loss and accuracy of each step, out of the training's own run of the session
            feed = {x: x_train[begin : begin + 32], y: y_train[begin : begin + 32]}
            rec.capture({"loss": loss, "accuracy": accuracy}, feed, sub="train", fetches=train)
        # After the epoch: any tensors for x_val, outputs beside labels, and the weights, all under the epoch's number.
        rec.capture({"loss": loss, "accuracy": accuracy}, {x: x_val, y: y_val}, sub="test")
        rec.capture({"out": logits, "activations": hidden}, {x: x_val})  # output_data/epoch_3_out.npy
        rec.predictions("val", probabilities, y_val, {x: x_val})  # epoch_3_predictions.npy, epoch_3_labels.npy
        rec.checkpoint(saver, step=epoch)  # runs/tf1/checkpoints/model-3

print("after epoch 3:", np.load("output_data/epoch_3_out.npy").shape)
metrics = np.genfromtxt("out/metrics.csv", delimiter=",", names=True)
print("loss on x_val after each epoch:", metrics["test_loss"])
