"""Four trainings of one small network on drawn digits: one good, one slow, one with dying ReLUs, one that explodes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import keras
import numpy as np

import tensortap as tap

SIZE = 24
BATCH, BATCHES, EPOCHS = 32, 50, 5
# Seven rows of five dots each, a digit per line.
GLYPHS = """
0e 11 13 15 19 11 0e
04 0c 04 04 04 04 0e
0e 11 01 02 04 08 1f
1f 02 04 02 01 11 0e
02 06 0a 12 1f 02 02
1f 10 1e 01 01 11 0e
06 08 10 1e 11 11 0e
1f 01 02 04 08 08 08
0e 11 11 0e 11 11 0e
0e 11 11 0f 01 02 0c
"""


@dataclass(frozen=True)
class Training:
    """How one run is trained."""

    name: str
    optimizer: str
    rate: float
    peak: float  # the rate from step `turn` on
    turn: int

    def schedule(self) -> keras.optimizers.schedules.LearningRateSchedule:
        return keras.optimizers.schedules.PiecewiseConstantDecay([self.turn], [self.rate, self.peak])

    def make_optimizer(self) -> keras.optimizers.Optimizer:
        if self.optimizer == "sgd":
            return keras.optimizers.SGD(self.schedule(), momentum=0.8)
        return keras.optimizers.Adam(self.schedule())


TRAININGS = [
    Training("adam-1e-3", "adam", 1e-3, 1e-3, 1),
    Training("sgd-3e-2", "sgd", 3e-2, 3e-2, 1),
    Training("adam-warmup", "adam", 1e-3, 8e-2, 90),  # too high after warming up: units die
    Training("sgd-noclip", "sgd", 3e-2, 40.0, 148),  # NaN soon after
]


def draw_digits(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy 24 x 24 pictures of digits at odd places, and which digit each is."""
    random = np.random.default_rng(seed)
    rows = [[int(row, 16) for row in line.split()] for line in GLYPHS.split("\n") if line]
    dots = np.array([[[byte >> (4 - column) & 1 for column in range(5)] for byte in digit] for digit in rows])
    large = dots.repeat(2, axis=1).repeat(2, axis=2).astype("float32")
    labels = random.integers(0, 10, count)
    pictures = random.normal(0, 0.25, (count, SIZE, SIZE)).astype("float32")
    for picture, label in zip(pictures, labels, strict=True):
        top, left = random.integers(0, SIZE - 14), random.integers(0, SIZE - 10)
        picture[top : top + 14, left : left + 10] += large[label] * random.uniform(0.6, 1.4)
    return pictures[..., None], labels


def make_model(training: Training) -> keras.Model:
    layers = keras.layers
    blocks = [
        part
        for block, filters in ((1, 8), (2, 12), (3, 16))
        for part in (
            layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"conv{block}a"),
            layers.Conv2D(filters, 3, padding="same", activation="relu", name=f"conv{block}b"),
            layers.MaxPooling2D(name=f"pool{block}"),
        )
    ]
    head = [
        layers.Flatten(name="flatten"),
        layers.Dense(48, activation="relu", name="dense_1"),
        layers.Dropout(0.2, name="dropout"),
        layers.Dense(24, activation="relu", name="dense_2"),
        layers.Dense(10, name="logits"),
    ]
    model = keras.Sequential([keras.Input((SIZE, SIZE, 1)), *blocks, *head], name="digits")
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(training.make_optimizer(), loss, metrics=["accuracy"])
    return model


def train(directory: Path, training: Training) -> None:
    """One run: statistics of all at each 5th batch, values of some layers at each 25th."""
    keras.utils.set_random_seed(3)
    model = make_model(training)
    data, new_data = draw_digits(BATCH * BATCHES, seed=1), draw_digits(BATCH * 4, seed=2)
    with tap.Run(directory / training.name) as run:
        run.hparams(
            {
                "optimizer": training.optimizer,
                "learning_rate": training.rate,
                "peak_rate": training.peak,
                "batch_size": BATCH,
                "dropout": 0.2,
                "warm_up": training.turn > 1,
            },
            metrics=["train/epoch_loss", "val/loss", "val/accuracy"],
        )
        run.image("input", data[0][:8], step=0, scale="minmax")
        statistics = tap.keras.Recorder(run, updates=True, every=5)
        values = tap.keras.Recorder(
            run,
            activations=tap.capture(["conv1a", "conv2a", "conv3a", "logits"], every=25, what=tap.first(3)),
            gradients=False,
            weights=tap.capture(["conv1a/kernel", "dense_2/kernel"], every=25, what="tensor"),
            metrics=False,
            graph=False,
        )
        callbacks = [statistics, values]
        model.fit(*data, epochs=EPOCHS, batch_size=BATCH, validation_data=new_data, callbacks=callbacks, verbose=0)
        values.close()
        statistics.close()
        logits = model.predict(new_data[0], verbose=0)
        run.predictions("val", y_true=new_data[1], y_pred=logits, step=BATCHES * EPOCHS)
