"""Training steps of one model with several recorders, interleaved: fit_steps.py MODEL CONTENDER...

Prints one JSON line: for each contender the median over all rounds of its step time (what still waits is written
within it) over that of the plain step of the same round, its least and lower quartile over the plain ones', and
processor time likewise. Peers that change how TensorFlow traces run in a process of their own.
"""

import json
import os
import random
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf

import fit_peers
import tensortap as tap
from fit_models import MODELS
from measure import SMOKE, scratch_directory

SECONDS = 3.0 if SMOKE else 20.0
STEPS = {"mlp": 40, "cnn": 10, "transformer": 10}  # of one contender at a time: some tens of milliseconds


@dataclass
class Contender:
    step: Callable[[], Any]
    finish: Callable[[], None] = lambda: None
    report: Callable[[], dict] = dict
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


RECORDERS: dict[str, dict[str, Any]] = {
    "off": {"every": 10**9},
    "stats": {"every": 1},
    "stats_10th": {"every": 10},
    "raw_10th": {"every": 10, "what": "tensor"},
}


def contender(name: str, model_name: str, folder: Path) -> Contender:
    keras.utils.set_random_seed(0)
    model, x, y = MODELS[model_name]()
    # With a metric, as people have it: without any, Keras leaves the softmax out of the training step.
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    batches = iter(tf.data.Dataset.from_tensors((tf.constant(x), tf.constant(y))).cache().repeat())
    if name in RECORDERS:
        recorder = tap.keras.Recorder(folder / name, graph=False, **RECORDERS[name])
        recorder.attach(model)
        model.make_train_function()
        return Contender(lambda: model.train_function(batches), recorder.run.flush, recorder.report)
    with fit_peers.watching(name, model, x, folder / name) as after_step:
        model.make_train_function()

        def step() -> None:
            model.train_function(batches)
            after_step()

        step()  # traced while the peer listens
    return Contender(step)


def measure(contenders: dict[str, Contender], steps: int) -> None:
    for one in contenders.values():  # trace, and let TensorFlow learn what its ops cost
        for _ in range(3 if SMOKE else 100):
            one.step()
        one.finish()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline or not all(one.wall for one in contenders.values()):
        shuffled = list(contenders.values())
        random.shuffle(shuffled)
        for one in shuffled:
            cpu, wall = time.process_time(), time.perf_counter()
            for _ in range(steps):
                one.step()
            one.finish()
            one.wall.append((time.perf_counter() - wall) / steps)
            one.cpu.append((time.process_time() - cpu) / steps)


def quartile(values: list[float]) -> float:
    return sorted(values)[len(values) // 4]


def over_plain(one: Contender, plain: Contender) -> dict[str, float]:
    def paired(mine: list[float], theirs: list[float]) -> float:
        return statistics.median(a / b for a, b in zip(mine, theirs, strict=True))

    return {
        "wall": paired(one.wall, plain.wall),
        "wall_min": min(one.wall) / min(plain.wall),
        "wall_q25": quartile(one.wall) / quartile(plain.wall),
        "cpu": paired(one.cpu, plain.cpu),
        "step_ms": statistics.median(one.wall) * 1e3,
        "dropped": one.report().get("dropped", 0),
    }


def main() -> None:
    model_name, *names = sys.argv[1:]
    with scratch_directory() as folder:
        contenders = {name: contender(name, model_name, folder) for name in ["plain", *names]}
        measure(contenders, STEPS[model_name])
        results = {name: over_plain(one, contenders["plain"]) for name, one in contenders.items()}
        shutil.rmtree(folder, ignore_errors=True)
    results["rounds"] = len(contenders["plain"].wall)
    print(json.dumps(results), flush=True)
    os._exit(0)  # tfdbg may hang on the way out


if __name__ == "__main__":
    main()
