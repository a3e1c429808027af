"""Every model of the zoo: what is recorded is what a second, eager pass computes, and recording disturbs nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from zoo import proof
from zoo.collection import SPECIMENS
from zoo.modes import EAGER, FOUR_STEPS, GRAPH, JIT
from zoo.training import train


@pytest.mark.parametrize("name", SPECIMENS)
def test_a_recorded_training_is_the_truth(prove, name):
    _, recorded, recording = prove(SPECIMENS[name], GRAPH)
    assert recorded.steps == [0, 1, 2, 3, 4, 5, 6]
    in_loops = {f"activations/{tag}" for tag in SPECIMENS[name].loops}
    assert {tuple(recording.steps(tag)) for tag in recording.tensors.keys() - in_loops} == {(0, 1, 2, 3, 4, 5)}


@pytest.mark.parametrize("mode", [GRAPH, EAGER, JIT, FOUR_STEPS], ids=lambda mode: mode.name)
def test_every_variable_is_recorded_as_it_was_before_the_batch(reader, tmp_path, train_plainly, mode):
    """Also those that a forward pass changes: averages, and what dropout draws from."""
    only_weights = {"weights": "**", "activations": False, "gradients": False, "updates": False, "slots": False}
    recorded = train(SPECIMENS["mlp"], replace(mode, recorder=only_weights), tmp_path / "run")
    truth = train_plainly(SPECIMENS["mlp"], mode.truth or mode) if mode.is_undisturbed else recorded
    recording = proof.Recording.read(reader, tmp_path / "run")
    proof.assert_sequences(recording)
    states = {"norm/moving_mean", "norm/moving_variance", "seed_generator/seed_generator_state"}
    assert recording.tags("weights") == {*SPECIMENS["mlp"].variables, *states}
    for path in recording.tags("weights"):
        assert recording.steps(f"weights/{path}") == truth.steps[:-1]
        for index, value in enumerate(recording.values(f"weights/{path}")):
            proof.assert_same(value, truth.states[index][path], f"{path}, batch {index}")
