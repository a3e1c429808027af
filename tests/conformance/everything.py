"""One log directory with every kind of data in it, and the values it was made of."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import tensorflow as tf

import tensortap as tap

STEPS = 1500  # beyond the 1000 that TensorBoard keeps unless told otherwise
UNICODE_TAG = "größe/日本語 📈"

# Doubles that float32 cannot hold, and numbers that are none.
ODD_VALUES = [0.1, 16777217.0, 1e300, -1e300, 1e-300, 5e-324, -0.0, np.nan, np.inf, -np.inf, 1 / 3]
STRANGE_STEPS = [-(2**63), -1000, -1, 0, 1, 2**31, 2**53 + 1, 2**63 - 1]

DTYPES = [
    np.bool_,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.complex64,
    np.complex128,
    ml_dtypes.bfloat16,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e4m3b11fnuz,
    ml_dtypes.float8_e5m2fnuz,
    ml_dtypes.int4,
    ml_dtypes.uint4,
]


def scalar_values() -> dict[str, list[tuple[int, float]]]:
    """tag -> (step, value)"""
    return {
        "loss": [(step, 2.5 * 0.997**step) for step in range(STEPS)],
        "accuracy": [(step, step / STEPS) for step in range(0, STEPS, 100)],
        UNICODE_TAG: [(0, 1.5), (10, 2.5)],
        "odd": list(enumerate(ODD_VALUES)),
        "steps": [(step, float(number)) for number, step in enumerate(STRANGE_STEPS)],
    }


def histogram_values(random: np.random.Generator) -> dict[str, list[np.ndarray]]:
    """tag -> values of step 0, 1, 2, ..."""
    normal = random.standard_normal((5, 40, 50)).astype(np.float32)
    spoilt = normal[0].copy()
    spoilt[:3, 0] = np.nan, np.inf, -np.inf
    return {
        "normal": list(normal),
        "large": [random.standard_normal((300, 200)).astype(np.float32)],  # reduced by the worker
        "negative": [-np.abs(normal[0]) - 1],
        "positive": [np.abs(normal[0]) * 1e-3],
        "with zeros": [np.maximum(normal[0], 0)],
        "narrow": [random.uniform(1000, 1001, 500).astype(np.float32)],
        "narrow doubles": [random.uniform(-2e9 - 1, -2e9, 500)],
        "huge range": [np.array([-1e38, -1e-38, 1e-38, 1.0, 1e38], np.float32)],
        "beyond float32": [np.array([-1e300, -1e-300, 0.0, 1e-300, 1.0, 1e300])],
        "one hot": [np.eye(10, dtype=np.float32)],
        "constant": [np.full(100, 3.5, np.float32)],
        "zeros": [np.zeros(20, np.float32)],
        "single": [np.float32(-2.5)],
        "empty": [np.zeros((0, 3), np.float32)],
        "not finite": [spoilt],
        "all nan": [np.full(7, np.nan, np.float32)],
        "all inf": [np.array([np.inf, -np.inf], np.float32)],
        "bools": [normal[1] > 0],
        "bytes": [random.integers(0, 256, 1000).astype(np.uint8)],
        "integers": [random.integers(-50, 50, 1000)],
        "half": [normal[2].astype(np.float16)],
        "bfloat16": [normal[3].astype(ml_dtypes.bfloat16)],
    }


def image_values(random: np.random.Generator) -> dict[str, list[np.ndarray]]:
    floats = random.uniform(-0.2, 1.2, (3, 9, 7, 3)).astype(np.float32)
    return {
        "gray": [random.integers(0, 256, (11, 13)).astype(np.uint8)],
        "gray channel": [random.integers(0, 256, (11, 13, 1)).astype(np.uint8)],
        "gray alpha": [random.integers(0, 256, (5, 6, 2)).astype(np.uint8)],
        "rgb": [random.integers(0, 256, (8, 9, 3)).astype(np.uint8) for _ in range(3)],
        "rgba": [random.integers(0, 256, (4, 3, 4)).astype(np.uint8)],
        "batch": [random.integers(0, 256, (5, 6, 7, 3)).astype(np.uint8)],
        "floats": [floats],
        "half floats": [floats.astype(np.float16)],
        "doubles": [floats.astype(np.float64)],
        "sixteen bits": [random.integers(0, 65536, (2, 5, 4, 1)).astype(np.uint16)],
        "grid": [random.standard_normal((6, 5, 12)).astype(np.float32)],
    }


def audio_values(random: np.random.Generator) -> dict[str, np.ndarray]:
    clips = random.uniform(-1.1, 1.1, (3, 800, 2)).astype(np.float32)
    return {"mono": clips[0, :, 0], "stereo": clips[1], "clips": clips}


HPARAMS = {"learning rate": 1e-3, "layers": 3, "optimizer": "adam", "dropout": True, "größe": "groß"}
HPARAM_METRICS = ["loss", "val/epoch_loss"]
TEXTS = {"note": "**bold** größe", "table": [["a", "b"], ["c", "日本"]], "empty text": ""}


def tensor_values(random: np.random.Generator) -> dict[str, np.ndarray]:
    raw = {str(np.dtype(dtype)): random_tensor(random, dtype) for dtype in DTYPES}
    shapes = {
        "0-d": np.float32(1.25),
        "empty": np.zeros((2, 0, 3), np.int32),
        "transposed": np.arange(12.0, dtype=np.float32).reshape(3, 4).T,
        "backwards": np.arange(10)[::-2],
        "megabyte": random.standard_normal((512, 512)).astype(np.float32),
    }
    return raw | shapes


def random_tensor(random: np.random.Generator, dtype: Any) -> np.ndarray:
    """[3,5] of any bytes that the dtype may have."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return random.integers(0, 2, (3, 5)).astype(np.bool_)
    if dtype.name in ("int4", "uint4"):
        return random.integers(-8 if dtype.name == "int4" else 0, 8, (3, 5)).astype(dtype)
    return np.frombuffer(random.bytes(15 * dtype.itemsize), dtype).reshape(3, 5)


def small_graph() -> tf.Graph:
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None, 3], name="input")
        tf.nn.relu(tf.matmul(x, tf.ones([3, 2]), name="product"), name="output")
    return graph


def sequential_model() -> tf.keras.Model:
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [
            layers.Input((8,), name="numbers"),
            layers.Dense(4, "relu", name="hidden"),
            layers.Dropout(0.5, name="drop"),
            layers.Dense(2, name="scores"),
        ],
        name="stack",
    )


def functional_model() -> tf.keras.Model:
    layers = tf.keras.layers
    left, right = layers.Input((4,), name="left"), layers.Input((4,), name="right")
    joined = layers.Concatenate(name="joined")([layers.Dense(3, name="dense")(left), right])
    first, second = layers.Dense(1, name="first")(joined), layers.Dense(2, name="second")(joined)
    return tf.keras.Model([left, right], [first, second], name="net")


@dataclass
class Mesh:
    vertices: np.ndarray
    faces: np.ndarray
    colors: np.ndarray
    config: dict[str, Any]

    @classmethod
    def random(cls, random: np.random.Generator) -> Mesh:
        return cls(
            random.standard_normal((2, 5, 3)).astype(np.float32),
            random.integers(0, 5, (2, 4, 3)).astype(np.int32),
            random.integers(0, 256, (2, 5, 3)).astype(np.uint8),
            {"camera": {"cls": "PerspectiveCamera", "fov": 75}, "a": 1},
        )


@dataclass
class Predicted:
    y_true: np.ndarray
    y_pred: np.ndarray
    ids: list[int] | list[str] | None
    phase: str = ""


@dataclass
class Everything:
    """A log directory with the run `all`, its sub-runs train and val, and small runs beside it."""

    log_directory: Path
    scalars: dict[str, list[tuple[int, float]]] = field(default_factory=scalar_values)
    sub_losses: dict[str, list[float]] = field(
        default_factory=lambda: {"train": [3.0, 2.0, 1.1], "val": [3.5, 2.9, 2.8]}
    )
    histograms: dict[str, list[np.ndarray]] = field(default_factory=dict)
    images: dict[str, list[np.ndarray]] = field(default_factory=dict)
    audio: dict[str, np.ndarray] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=lambda: TEXTS)
    tensors: dict[str, np.ndarray] = field(default_factory=dict)
    predictions: list[Predicted] = field(default_factory=list)
    labels: np.ndarray = field(default_factory=lambda: np.zeros(0))
    scores: np.ndarray = field(default_factory=lambda: np.zeros(0))
    mesh: Mesh | None = None
    graph: tf.Graph | None = None
    report: dict[str, Any] = field(default_factory=dict)

    @property
    def run(self) -> Path:
        return self.log_directory / "all"

    @property
    def runs_with_events(self) -> list[str]:
        return [
            "all",
            "all/train",
            "all/val",
            "failed",
            "models/functional",
            "models/sequential",
            "sub only/train",
        ]


def record(log_directory: Path) -> Everything:
    random = np.random.default_rng(7)
    made = Everything(log_directory)
    made.histograms = histogram_values(random)
    made.images = image_values(random)
    made.audio = audio_values(random)
    made.tensors = tensor_values(random)
    made.predictions = [
        Predicted(np.arange(4), random.random((4, 3), np.float32), None),
        Predicted(np.arange(4), random.random((4, 3), np.float32), [7, -3, 2**62, 0], "val"),
        Predicted(np.arange(2.0), random.random(2), ["img/1", "größe"], "predict"),
    ]
    made.labels = random.integers(0, 2, 500).astype(np.bool_)
    made.scores = random.random(500, np.float32)
    made.mesh = Mesh.random(random)
    made.graph = small_graph()
    with tap.Run(made.run) as run:
        _record_values(run, made)
        _record_media(run, made)
        made_from = run
    made.report = made_from.report()
    for name, model in {"sequential": sequential_model(), "functional": functional_model()}.items():
        with tap.Run(log_directory / "models" / name) as run:
            run.graph(model)
    try:
        with tap.Run(log_directory / "failed") as run:
            run.hparams({"learning rate": 10.0})
            raise RuntimeError("training went wrong")
    except RuntimeError:
        pass
    with tap.Run(log_directory / "captures only", tensorboard=False) as run:
        run.tensor("x", np.arange(3.0), step=0)
        run.histogram("x", np.arange(3.0), step=0)
    with tap.Run(log_directory / "sub only") as run:
        run.sub("train").scalar("epoch_loss", 1.0, step=0)
    return made


def _record_values(run: tap.Run, made: Everything) -> None:
    run.hparams(HPARAMS, metrics=HPARAM_METRICS)
    # Tags take turns, as they do in training.
    for row in itertools.zip_longest(*([(tag, *point) for point in made.scalars[tag]] for tag in made.scalars)):
        for tag, step, value in filter(None, row):
            run.scalar(tag, value, step=step)
    for name, losses in made.sub_losses.items():
        for step, value in enumerate(losses):
            run.sub(name).scalar("epoch_loss", value, step=step)
    for tag, arrays in made.histograms.items():
        for step, values in enumerate(arrays):
            run.histogram(f"histograms/{tag}", values, step=step)
    for step, phase in enumerate(["train", "val", "predict", ""]):
        run.histogram("phased", np.ones(3, np.float32), step=5, phase=phase)
        run.tensor("phased", np.full(3, step, np.float32), step=5, phase=phase)
    for tag, values in made.tensors.items():
        run.tensor(f"tensors/{tag}", values, step=3)
    for step, wanted in enumerate(made.predictions):
        run.predictions(
            "classes",
            y_true=wanted.y_true,
            y_pred=wanted.y_pred,
            ids=wanted.ids,
            step=step,
            phase=wanted.phase,
        )
    run.predictions("unlabelled", y_pred=np.arange(3.0), step=0)


def _record_media(run: tap.Run, made: Everything) -> None:
    for tag, images in made.images.items():
        for step, image in enumerate(images):
            run.image(f"images/{tag}", image, step=step)
    for tag, samples in made.audio.items():
        run.audio(f"audio/{tag}", samples, 16000, step=0)
    for tag, text in made.texts.items():
        run.text(tag, text, step=0)
    run.text("note", "second", step=1)
    run.graph(made.graph)
    for step in range(2):
        run.pr_curve("curve", made.labels, made.scores, step=step, num_thresholds=51)
    mesh = made.mesh
    for step in range(2):
        run.mesh("body", mesh.vertices, mesh.faces, mesh.colors, config=mesh.config, step=step)
    run.mesh("cloud", mesh.vertices, step=0)


def keras_json(model: tf.keras.Model) -> dict[str, Any]:
    return json.loads(model.to_json())
