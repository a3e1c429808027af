"""P3 in a loop of one's own: step time of a compiled GradientTape step under tap.watch, and with tap.tap in it.

`taps_off` has a tap.tap behind each layer while no run is open; `watch_off` is watched, and no batch is due.
"""

import contextlib
import os
import random
import statistics
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import tensorflow as tf

import tensortap as tap
from fit_models import MODELS
from measure import SMOKE, emit, scratch_directory

SECONDS = 0.5 if SMOKE else 20.0
STEPS = 10


def make_step(taps: bool):
    keras.utils.set_random_seed(0)
    model, x, y = MODELS["cnn"]()
    x, y = tf.constant(x), tf.constant(y)
    optimizer, loss_of = keras.optimizers.Adam(), keras.losses.SparseCategoricalCrossentropy()
    optimizer.build(model.trainable_variables)

    def forward(outputs):
        for index, layer in enumerate(model.layers[1:]):
            outputs = layer(outputs, training=True) if isinstance(layer, keras.layers.Dropout) else layer(outputs)
            outputs = tap.tap(outputs, f"layer{index}") if taps else outputs
        return outputs

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = loss_of(y, forward(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    return step, model, optimizer


def report(times: dict[str, list[float]]) -> None:
    for name, each in times.items():
        if name != "plain":
            ratio = statistics.median(a / b for a, b in zip(each, times["plain"], strict=True))
            emit("P3", f"loop_{name}_step_over_plain", ratio, step_ms=round(statistics.median(each) * 1e3, 3))


def main() -> None:
    steps = {name: make_step(taps=name == "taps_off")[0] for name in ("plain", "plain_again", "taps_off")}
    report(measure(steps, {}))
    steps, flushes = {"plain": steps["plain"]}, {}
    with scratch_directory() as folder, contextlib.ExitStack() as opened:
        for name, every in (("watch_off", 10**9), ("watch", 1)):
            steps[name], model, optimizer = make_step(taps=False)
            run = opened.enter_context(tap.Run(folder / name))
            opened.enter_context(tap.watch(run, model, optimizer=optimizer, every=every))
            flushes[name] = run.flush
        report(measure(steps, flushes))
        emit("P3", "loop_dropped", run.report()["dropped"])


def measure(steps, flushes) -> dict[str, list[float]]:
    times = {name: [] for name in steps}
    for step in steps.values():  # TensorFlow learns what its ops cost
        for _ in range(3 if SMOKE else 50):
            step()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline or not times["plain"]:
        for name in random.sample(list(steps), len(steps)):
            started = time.perf_counter()
            for _ in range(STEPS):
                steps[name]()
            flushes.get(name, lambda: None)()
            times[name].append((time.perf_counter() - started) / STEPS)
    return times


if __name__ == "__main__":
    main()
