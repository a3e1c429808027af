"""Every model of the zoo: what is recorded is what a second, eager pass computes, and recording disturbs nothing."""

from __future__ import annotations

import pytest
from zoo.collection import SPECIMENS
from zoo.modes import GRAPH


@pytest.mark.parametrize("name", SPECIMENS)
def test_a_recorded_training_is_the_truth(prove, name):
    _, recorded, recording = prove(SPECIMENS[name], GRAPH)
    assert recorded.steps == [0, 1, 2, 3, 4, 5, 6]
    in_loops = {f"activations/{tag}" for tag in SPECIMENS[name].loops}
    assert {tuple(recording.steps(tag)) for tag in recording.tensors.keys() - in_loops} == {(0, 1, 2, 3, 4, 5)}
