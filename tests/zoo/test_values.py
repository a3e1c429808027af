"""Every model of the zoo: what is recorded is what a second, eager pass computes, and recording disturbs nothing."""

from __future__ import annotations

import pytest
from zoo.collection import SPECIMENS
from zoo.training import Mode


@pytest.mark.parametrize("name", SPECIMENS)
def test_a_recorded_training_is_the_truth(prove, name):
    _, recorded, recording = prove(SPECIMENS[name], Mode())
    assert recorded.steps == [0, 1, 2, 3, 4, 5, 6]
    in_loops = {f"activations/{tag}" for tag in SPECIMENS[name].loops}
    assert {tuple(recording.steps(tag)) for tag in recording.tensors.keys() - in_loops} == {(0, 1, 2, 3, 4, 5)}


def test_both_branches_and_all_turns_of_loops_are_seen(prove):
    _, _, recording = prove(SPECIMENS["loops"], Mode())
    assert recording.steps("activations/repeats/repeated") == [s for step in range(6) for s in [step] * 3]
    warm, cold = recording.steps("activations/repeats/warm"), recording.steps("activations/repeats/cold")
    assert sorted(warm + cold) == [0, 1, 2, 3, 4, 5] and warm and cold
