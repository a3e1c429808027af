"""Trains a small convolutional network with Keras and records what it puts out: every layer, from the training itself.

    python examples/keras_fit.py [log directory]

At each 10th batch: statistics of every layer's output, of every gradient, weight and update; at each batch the loss.
The data is made here; nothing is downloaded.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np

import tensortap as tap

ANGLES = 4


def draw_gratings(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy 16 x 16 pictures of stripes, and which of four directions each one has."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, ANGLES, count)
    angle, phase, width = labels * np.pi / ANGLES, random.uniform(0, 6, count), random.uniform(0.6, 1.4, count)
    y, x = np.mgrid[0:16, 0:16]
    along = np.multiply.outer(np.cos(angle), x) + np.multiply.outer(np.sin(angle), y)
    stripes = np.sin(along * width[:, None, None] + phase[:, None, None])
    return (stripes + random.normal(0, 2, stripes.shape))[..., None].astype("float32"), labels


def make_model() -> keras.Model:
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((16, 16, 1)),
            layers.Conv2D(8, 5, activation="relu", name="edges"),
            layers.MaxPooling2D(name="pool"),
            layers.Conv2D(16, 3, activation="relu", name="parts"),
            layers.GlobalAveragePooling2D(name="mean"),
            layers.Dense(ANGLES, name="direction"),
        ],
        name="gratings",
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(5e-3), loss, metrics=["accuracy"])
    return model


def print_summary(log_directory: str, name: str) -> None:
    run = tap.open(log_directory)[name]
    loss = run.scalars("train/loss")
    first, last = loss.value[:10].mean(), loss.value[-10:].mean()
    print(f"\nloss of {len(loss)} batches: {first:.3f} in the first ten, {last:.3f} in the last ten")
    print(f"accuracy on new pictures: {run.scalars('val/accuracy').value[-1]:.3f}")
    print("\nlayer      outputs at 0   gradient norm, first -> last   update / weight, last")
    for layer in ("edges", "parts", "direction"):
        outputs = run.stats(f"activations/{layer}")
        gradient = run.stats(f"gradients/{layer}/kernel")
        ratio = run.scalars(f"update_ratio/{layer}/kernel").value[-1]
        zeros = outputs.zeros[-1] / outputs.count[-1]
        print(f"{layer:9}  {zeros:12.1%}   {gradient.l2[0]:14.4f} -> {gradient.l2[-1]:.4f}   {ratio:27.5f}")


def train(log_directory: str, epochs: int = 5) -> tuple[str, dict]:
    """Trains and records; the path of the run, and what recording has cost."""
    keras.utils.set_random_seed(7)
    model = make_model()
    data, new_data = draw_gratings(2000, seed=1), draw_gratings(400, seed=2)

    with tap.keras.Recorder(f"{log_directory}/fit", updates=True, every=10) as rec:
        rec.plan(model)  # what would be recorded, and what it would cost
        model.fit(*data, epochs=epochs, validation_data=new_data, callbacks=[rec], verbose=0)
    return rec.run.path, rec.report()


def main() -> int:
    log_directory = sys.argv[1] if len(sys.argv) > 1 else "runs"
    path, report = train(log_directory)
    print_summary(log_directory, Path(path).name)
    print(
        f"\nrecorded to {path}: {report['written']} of {report['offered']} captures, "
        f"{report['bytes'] / 1e6:.1f} MB; {report['caller_seconds'] * 1e3:.1f} ms in the training's threads, "
        f"{report['worker_seconds'] * 1e3:.1f} ms in the background"
    )
    return 0 if report["dropped"] == 0 and report["written"] == report["offered"] else 1


if __name__ == "__main__":
    sys.exit(main())
