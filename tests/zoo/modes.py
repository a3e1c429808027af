"""The modes that several tests share. Trainings without a recorder are kept by the names of their modes."""

from __future__ import annotations

from zoo.specimen import BATCH
from zoo.training import Mode

GRAPH = Mode("graph", is_warm=False)
# Without oneDNN, and where each op is computed by itself, TensorFlow is deterministic: every bit is the same.
EAGER = Mode("eager", {"run_eagerly": True}, is_warm=False, tolerance=0)
# XLA fuses otherwise when more is asked of it, and adds up in another order than the replay: sums that nearly cancel,
# as gradients of biases, show that most.
JIT = Mode("jit", {"jit_compile": True}, is_undisturbed=False, tolerance=1e-5)
TWO_FITS = Mode("two_fits", epochs=1, fits=2, is_warm=False)
# Python sees no state inside of an execution: the truth is a training of single steps.
SIX_BATCHES = Mode("six_batches", samples=6 * BATCH)
FOUR_STEPS = Mode("4_steps_per_execution", {"steps_per_execution": 4}, samples=6 * BATCH, truth=SIX_BATCHES)
