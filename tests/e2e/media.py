"""Runs with what a training does not have: pictures, sound, text, tensors of many kinds; and other writers' files."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import tensorflow as tf

import tensortap as tap

STEPS = range(0, 50, 10)
MARKDOWN = """# Notes on this run

Trained on **drawn digits**, with `dropout` and a *fixed* seed.

| layer | units | share |
|---|---:|---:|
| conv1a | 8 | 0.12 |
| dense_1 | 48 | 0.61 |

1. first
2. second with a [link](https://example.org/notes)

> The rate was raised at step 90.

```python
model.fit(x, y, callbacks=[tap.keras.Recorder("runs/a")])
```

<script>window.__hostile = "text"</script><img src=x onerror="window.__hostile = 'image'">
"""
INTEGERS = ["bool", "int8", "uint8", "int32", "int64"]
DTYPES = [*INTEGERS, "float16", "bfloat16", "float8_e4m3fn", "float32", "float64", "complex64"]


def write_media(directory: Path) -> None:
    random = np.random.default_rng(5)
    with tap.Run(directory / "media") as run:
        for step in STEPS:
            write_pictures(run, random, step)
            write_sound(run, step)
            write_text(run, step)
            write_tensors(run, random, step)
            write_distributions(run, random, step)
            run.scalar("odd/spiky", float(random.normal()) * 10.0 ** (step // 10), step=step)
        for step, value in enumerate([1.0, np.nan, 2.0, np.inf, 0.0, -np.inf, 3.0, 1e-300, 1e300, -1.0]):
            run.scalar("odd/not finite", value, step=step)
        run.scalar("single", 42.0, step=7)


def write_pictures(run: tap.Run, random: np.random.Generator, step: int) -> None:
    y, x = np.mgrid[0:96, 0:128] / 96
    waves = np.stack([np.sin(8 * x + step / 9), np.cos(7 * y - step / 7), x * y], axis=-1) / 2 + 0.5
    run.image("photo/wide", (waves * 255).astype("uint8"), step=step)
    run.image("photo/batch", random.random((5, 32, 32, 3)), step=step)
    run.image("tiny", np.eye(4, dtype="float32"), step=step)
    run.image("tall", random.random((160, 20, 1)), step=step)
    run.image("maps", np.maximum(random.normal(size=(12, 12, 10)), 0), step=step)
    spoilt = random.random((16, 16))
    spoilt[3, 4] = np.nan
    run.image("with NaN", spoilt, step=step)


def write_sound(run: tap.Run, step: int) -> None:
    seconds = np.arange(8000) / 8000
    tone = 0.4 * np.sin(2 * np.pi * (220 + 4 * step) * seconds)
    run.audio("tone", tone, rate=8000, step=step)
    run.audio("pair", np.stack([np.stack([tone, tone[::-1]], -1)] * 2), rate=16000, step=step)


def write_text(run: tap.Run, step: int) -> None:
    run.text("notes", MARKDOWN if step else "The first note.", step=step)
    run.text("table", [["layer", "units"], ["conv1a", f"{step}"], ["dense_1", "**48**"]], step=step)
    run.text("log line", f"step {step}: all is well", step=step)


def write_tensors(run: tap.Run, random: np.random.Generator, step: int) -> None:
    for name in DTYPES:
        dtype = getattr(ml_dtypes, name, None) or np.dtype(name)
        run.tensor(f"dtype/{name}", (random.normal(size=(6, 7)) * 3).astype(dtype), step=step)
    for rank in range(6):
        shape = (2, 3, 4, 5, 6)[:rank]
        run.tensor(
            f"rank/{rank}", np.arange(int(np.prod(shape, dtype=int)), dtype="float32").reshape(shape) + step, step=step
        )
    wide = random.normal(size=(300, 400)).astype("float32")
    wide[0, :3] = np.nan, np.inf, -np.inf
    run.tensor("wide", wide, step=step)
    run.tensor("empty", np.zeros((0, 3), "float32"), step=step)


def write_distributions(run: tap.Run, random: np.random.Generator, step: int) -> None:
    run.histogram("spread/normal", random.normal(step / 20, 1 + step / 20, 4000), step=step)
    run.histogram("spread/at zero", np.maximum(random.normal(size=3000), 0), step=step)
    run.histogram(
        "spread/two hills", np.concatenate([random.normal(-4, 1, 900), random.normal(5, 0.5, 600)]), step=step
    )
    spoilt = random.normal(size=1000)
    spoilt[: step // 2] = np.nan
    run.histogram("spread/NaN", spoilt, step=step)


def write_with_tensorflow(directory: Path) -> None:
    """As tf.summary and the Keras callback of TensorBoard leave them, train and validation beside each other."""
    random = np.random.default_rng(6)
    for part, offset in (("train", 0.0), ("validation", 0.2)):
        writer = tf.summary.create_file_writer(str(directory / "tensorboard" / part))
        with writer.as_default():
            for step in range(200):
                tf.summary.scalar("epoch_loss", 2.0 * 0.985**step + offset, step=step)
                tf.summary.scalar("epoch_accuracy", 1 - 0.9 * 0.985**step - offset / 4, step=step)
            for step in range(0, 200, 20):
                tf.summary.histogram("dense/kernel_0", random.normal(0, 1 + step / 100, 500), step=step)
            tf.summary.image("inputs", random.random((2, 20, 20, 3)), step=0)
            tf.summary.text("about", "Written by `tf.summary`.", step=0)
            tf.summary.audio("beep", np.sin(np.arange(4000) / 5)[None, :, None].astype("float32") / 2, 8000, step=0)
        writer.close()


def write_damaged(directory: Path) -> None:
    """A run with a flipped byte in the middle of a file, and one whose last record was cut."""
    for name in ("damaged", "torn"):
        with tap.Run(directory / name) as run:
            for step in range(500):
                run.scalar("loss", 1 / (step + 1), step=step)
    events = next((directory / "damaged").glob("*tfevents*"))
    content = bytearray(events.read_bytes())
    content[len(content) // 2] ^= 0xFF
    events.write_bytes(content)
    events = next((directory / "torn").glob("*tfevents*"))
    events.write_bytes(events.read_bytes()[: events.stat().st_size * 3 // 4 + 5])
