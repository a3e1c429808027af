"""How do I record what my network puts out? Outputs beside labels after every second epoch: printed, CSV, databases.

    python examples/record_outputs.py [postgresql://user@host/database]

The data is made here; nothing is downloaded. docs/cookbook.md has shorter answers to narrower questions.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np

import tensortap as tap

CLASSES = 4
random = np.random.default_rng(0)
y = random.integers(0, CLASSES, 1200)
x = (random.normal(size=(1200, 8)) + 2 * np.eye(CLASSES, 8)[y]).astype("float32")
x_train, y_train, x_val, y_val = x[:1000], y[:1000], x[1000:], y[1000:]

keras.utils.set_random_seed(0)
layers = [keras.layers.Dense(16, "relu", name="hidden"), keras.layers.Dense(CLASSES, "softmax", name="classes")]
model = keras.Sequential([keras.Input((8,)), *layers])
model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"])

sinks = [tap.sinks.csv("out"), tap.sinks.sqlite("outputs.db"), tap.sinks.print(samples=3)]
sinks += [tap.sinks.postgresql(url) for url in sys.argv[1:]]

with tap.keras.Recorder(
    "runs/outputs",
    predictions={  # some of each, without replacement; the same ones for the same seed
        "val": tap.sample(x_val, y_val, 10, seed=1),
        "train": tap.sample(x_train, y_train, 10, seed=1),
    },
    predictions_every=2,  # epochs
    activations="hidden",  # at each tenth batch, statistics of what this layer gives
    gradients=False,
    weights=False,
    sinks=sinks,
) as rec:
    rec.plan(model)  # what will be recorded, and what it costs
    model.fit(x_train, y_train, epochs=5, validation_data=(x_val, y_val), callbacks=[rec], verbose=0)

# Read back: every sample with its label and all its outputs. The path, as a second training records to runs/outputs-2.
last = tap.open(rec.run.path)["."].predictions("val")
for sample, label, output in zip(last.ids, last.y_true, last.y_pred, strict=True):
    print(f"x_val[{sample}] is {label}, predicted {output.argmax()} ({output.max():.2f})")
