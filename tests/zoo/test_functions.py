"""Functions of the user's inside a step: they are recorded, and keep nothing of it when recording ends."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.collection import SPECIMENS
from zoo.modes import GRAPH, JIT
from zoo.specimen import BATCH
from zoo.training import Mode, build, recorder_for, state_of

import tensortap as tap


@pytest.mark.parametrize("name", ["decorated_step", "loops"])
def test_functions_inside_of_a_step_are_as_before_when_recording_ends(tmp_path, name):
    """tf.function uses again what it traced: with a tap in it, the next fit would fail, or record."""
    model, x, y = build(SPECIMENS[name], GRAPH)
    twin, _, _ = build(SPECIMENS[name], GRAPH)
    options = {"batch_size": BATCH, "shuffle": False, "verbose": 0}
    with recorder_for(GRAPH, tmp_path / "run") as recorder:
        model.fit(x, y, validation_data=(x, y), callbacks=[recorder], **options)
        model.predict(x, verbose=0, callbacks=[recorder])
        model.fit(x, y, callbacks=[recorder], **options)
        model.fit(x, y, **options)
        assert recorder.notes == []
    for _ in range(3):
        twin.fit(x, y, **options)
    assert np.array_equal(model.predict(x, verbose=0), twin.predict(x, verbose=0))
    for path, value in state_of(twin).items():
        assert np.array_equal(state_of(model)[path], value), path
    run = tap.open(tmp_path)["run"]
    for tag in SPECIMENS[name].graph_only:
        assert run.steps(f"activations/{tag}", "tensors").tolist() == [0, 1, 2, 3, 4, 5]
        assert run.steps(f"val/activations/{tag}", "tensors").tolist() == [3, 3, 3]
        assert f"predict/activations/{tag}" in run.tags()


@pytest.mark.parametrize("options", [{"run_eagerly": True}, {"jit_compile": True}], ids=["eager", "jit"])
def test_what_cannot_be_seen_inside_of_a_function_is_noted_and_costs_nothing_else(tmp_path, options):
    model, x, y = build(SPECIMENS["decorated_step"], Mode("compiled", options))
    with recorder_for(GRAPH, tmp_path / "run") as recorder:
        model.fit(x, y, batch_size=BATCH, verbose=0, callbacks=[recorder])
        notes = " ".join(recorder.notes)
    assert "not recorded" in notes and "function" in notes
    tags = set(tap.open(tmp_path)["run"].tags())
    assert {f"gradients/{path}" for path in SPECIMENS["decorated_step"].variables} < tags
    assert {f"weights/{path}" for path in SPECIMENS["decorated_step"].variables} < tags
    assert not any(tag.startswith("activations/") for tag in tags)


def test_without_xla_what_is_inside_of_functions_and_loops_is_recorded(tmp_path):
    model, x, y = build(SPECIMENS["decorated_step"], JIT)
    with recorder_for(Mode("jit_off", recorder={"jit": "off"}), tmp_path / "run") as recorder:
        model.fit(x, y, batch_size=BATCH, verbose=0, callbacks=[recorder])
        assert recorder.notes == []
    tags = set(tap.open(tmp_path)["run"].tags())
    assert {f"activations/{tag}" for tag in SPECIMENS["decorated_step"].activations} < tags
