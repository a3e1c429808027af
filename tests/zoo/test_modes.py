"""The ways to compile and feed a model: in each of them the recording is the truth."""

from __future__ import annotations

import keras
import pytest
import tensorflow as tf
from zoo import models, proof
from zoo.collection import SPECIMENS
from zoo.modes import EAGER, FOUR_STEPS, GRAPH, JIT, TWO_FITS
from zoo.specimen import BATCH
from zoo.training import Mode

from tensortap.watching import tensorflow_op

# Three models meet all modes; the others those where they have something of their own to show.
ALWAYS = ("mlp", "cnn", "own_step")


def adam(**options):
    return lambda: models.adam(**options)


def scaled_adam():
    """The first batches overflow and are skipped."""
    return keras.optimizers.LossScaleOptimizer(models.adam(), initial_scale=2.0**20, name="scale")


MODES = [
    (EAGER, ("loops", "decorated_step")),
    (JIT, ("transformer", "adversaries")),
    (TWO_FITS, ("sequential_unbuilt",)),
    (FOUR_STEPS, ("loops",)),
    (Mode("accumulating", optimizer=adam(gradient_accumulation_steps=2)), ("shared",)),
    (Mode("averaging", optimizer=adam(use_ema=True, ema_overwrite_frequency=2)), ()),
    (Mode("partial_batch", samples=2 * BATCH + 2, as_dataset=True), ("dicts",)),
    # Grappler spares some roundings to these: one unit in the last place.
    (Mode("bfloat16", policy="mixed_bfloat16", tolerance=2**-7), ()),
    (Mode("float16", policy="mixed_float16", optimizer=scaled_adam, epochs=4, tolerance=2**-10), ()),
]
WHOLE_EXECUTIONS = Mode(
    "whole_executions",
    {"steps_per_execution": 4},
    samples=8 * BATCH,
    epochs=1,
    truth=Mode("eight_batches", samples=8 * BATCH, epochs=1),
)


@pytest.mark.parametrize(
    ("mode", "name"),
    [pytest.param(mode, name, id=f"{mode.name}-{name}") for mode, more in MODES for name in (*ALWAYS, *more)],
)
def test_recording_is_the_truth_however_a_model_is_trained(prove, mode, name):
    plain, _, _ = prove(SPECIMENS[name], mode)
    if mode.name == "float16":
        assert plain.steps[:3] == [0, 0, 0] and plain.steps[-1] > 1, "nothing was skipped, or everything"


def test_recording_is_the_truth_where_executions_divide_the_epoch(prove):
    prove(SPECIMENS["mlp"], WHOLE_EXECUTIONS)


# What Grappler leaves alone is computed op by op, as in the replay.
EXACT = Mode("unoptimised", tolerance=0)


@pytest.mark.parametrize("name", ["mlp", "cnn", "transformer", "shared"])
def test_every_bit_is_the_same_where_tensorflow_is_deterministic(prove, name):
    before = tf.config.optimizer.get_experimental_options()
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    try:
        prove(SPECIMENS[name], EXACT)
    finally:
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False} | before)


@pytest.mark.parametrize("name", [*ALWAYS, "loops"])
def test_the_gate_in_the_graph_lets_everything_through(prove, monkeypatch, name):
    """As with GPUs, whose tensors are copied only when a batch is recorded."""
    monkeypatch.setenv("TENSORTAP_GATE", "graph")
    gated = []
    plain = tensorflow_op.gated_tap

    def seen(*args):
        gated.append(plain(*args))
        return gated[-1]

    monkeypatch.setattr(tensorflow_op, "gated_tap", seen)
    prove(SPECIMENS[name], Mode("gate_in_graph", is_warm=False, truth=GRAPH))
    assert gated


def clip_by_norm(gradients):
    return [tf.clip_by_norm(gradient, 0.05).numpy() for gradient in gradients]


def clip_by_global_norm(gradients):
    return [clipped.numpy() for clipped in tf.clip_by_global_norm(gradients, 0.05)[0]]


def clip_by_value(gradients):
    return [tf.clip_by_value(gradient, -0.01, 0.01).numpy() for gradient in gradients]


@pytest.mark.parametrize(
    ("name", "options", "clip"),
    [
        ("mlp", {"clipnorm": 0.05}, clip_by_norm),
        ("cnn", {"global_clipnorm": 0.05}, clip_by_global_norm),
        ("own_step", {"clipvalue": 0.01}, clip_by_value),
    ],
)
def test_gradients_are_recorded_before_and_after_clipping(prove, name, options, clip):
    specimen = SPECIMENS[name]
    mode = Mode(f"clipping by {options}", optimizer=adam(**options))
    _, _, recording = prove(specimen, mode, more_kinds=("clipped_gradients",))
    arrived = [recording.values(f"gradients/{path}") for path in specimen.variables]
    used = [recording.values(f"clipped_gradients/{path}") for path in specimen.variables]
    for before, after in zip(zip(*arrived, strict=True), zip(*used, strict=True), strict=True):
        for path, expected, value in zip(specimen.variables, clip(before), after, strict=True):
            proof.assert_same(value, expected, path, 1e-6)
    assert any(
        (b != a).any() for before, after in zip(arrived, used, strict=True) for b, a in zip(before, after, strict=True)
    )
