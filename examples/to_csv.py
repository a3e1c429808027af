"""How do I export what TensorFlow computes to CSV? Metrics, outputs beside labels, and weights, as the training runs.

    python examples/to_csv.py

Python's csv, pandas and spreadsheets read the files, while the training goes on too.
"""

import csv
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np

import tensortap as tap

random = np.random.default_rng(0)
y = random.integers(0, 3, 400)
x = random.normal(size=(400, 8, 8, 1)).astype("float32")
x[np.arange(400), 2 * y + 1] += 1.5  # a bright line; its place is the class
names = [f"picture_{number}.png" for number in range(300, 400)]


def make_model() -> keras.Model:
    layers = keras.layers
    body = [layers.Conv2D(4, 3, name="conv"), layers.BatchNormalization(name="norm"), layers.Flatten()]
    model = keras.Sequential([keras.Input((8, 8, 1)), *body, layers.Dense(3, "softmax", name="classes")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


for rate in (0.001, 0.01):
    keras.utils.set_random_seed(0)
    model = make_model()
    model.optimizer.learning_rate = rate
    rec = tap.keras.Recorder(
        f"runs/rate_{rate}",
        sinks=[tap.sinks.csv(f"out/rate_{rate}")],  # metrics.csv, steps.csv, predictions.csv, weights.csv, stats.csv
        predictions=tap.sample(x[300:], y[300:], count=100, ids=names),  # each row has the name of its picture
        weights=tap.capture("**", every=tap.epochs(1), what="tensor"),  # "**": what is not trained, too
        activations=False,
        gradients=False,
    )
    with rec:
        model.fit(x[:300], y[:300], epochs=4, validation_data=(x[300:], y[300:]), callbacks=[rec], verbose=0)

# Several runs compared, with nothing but Python's csv.
for path in sorted(Path("out").glob("*/metrics.csv")):
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    print(path.parent.name, "val_accuracy by epoch:", [round(float(row["val_accuracy"]), 3) for row in rows])
