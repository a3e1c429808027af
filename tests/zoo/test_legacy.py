"""tf_keras in its modes: what is recorded of legacy models is the truth too."""

from __future__ import annotations

import pytest
import tf_keras
from zoo.collection import SPECIMENS
from zoo.specimen import BATCH
from zoo.training import Mode

# The mask of a dropout layer is found by a division here, which rounds.
EAGER = Mode("eager", {"run_eagerly": True})
EXACT = Mode("eager", {"run_eagerly": True}, tolerance=0)
JIT = Mode("jit", {"jit_compile": True}, is_undisturbed=False, tolerance=1e-5)
SEVERAL = Mode("4_steps_per_execution", {"steps_per_execution": 4}, samples=6 * BATCH, truth=Mode(samples=6 * BATCH))
TWICE = Mode("two_fits", epochs=1, fits=2)
SCALED = Mode(
    "scaled",
    optimizer=lambda: tf_keras.mixed_precision.LossScaleOptimizer(
        tf_keras.optimizers.Adam(0.01, name="adam"), dynamic=False, initial_scale=8
    ),
)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("legacy_mlp", EAGER),
        ("legacy_sequential", EXACT),
        ("legacy_branching", EXACT),
        ("legacy_sequential", JIT),
        ("legacy_branching", TWICE),
        ("legacy_own_step", JIT),
        ("legacy_sequential", SEVERAL),
        ("legacy_branching", SEVERAL),
        ("legacy_own_step", TWICE),
        ("legacy_sequential", TWICE),
        ("legacy_sequential", SCALED),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_recording_is_the_truth_however_a_legacy_model_is_trained(prove, name, mode):
    prove(SPECIMENS[name], mode)
