"""tf_keras in its modes: what is recorded of legacy models is the truth too."""

from __future__ import annotations

from dataclasses import replace

import pytest
import tf_keras
from zoo.collection import SPECIMENS
from zoo.modes import EAGER, FOUR_STEPS, JIT, TWO_FITS
from zoo.training import Mode

# The mask of a dropout layer is found by a division here, which rounds.
MASKED = replace(EAGER, tolerance=1e-6)
SCALED = Mode(
    "scaled",
    optimizer=lambda: tf_keras.mixed_precision.LossScaleOptimizer(
        tf_keras.optimizers.Adam(0.01, name="adam"), dynamic=False, initial_scale=8
    ),
)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("legacy_mlp", MASKED),
        ("legacy_sequential", EAGER),
        ("legacy_branching", EAGER),
        ("legacy_sequential", JIT),
        ("legacy_own_step", JIT),
        ("legacy_sequential", FOUR_STEPS),
        ("legacy_branching", FOUR_STEPS),
        ("legacy_sequential", TWO_FITS),
        ("legacy_sequential", SCALED),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_recording_is_the_truth_however_a_legacy_model_is_trained(prove, name, mode):
    prove(SPECIMENS[name], mode)
