"""The phases besides fit: train_on_batch, validation, evaluate and predict record what they compute."""

from __future__ import annotations

from collections import Counter

import pytest
import tensorflow as tf
from zoo import proof
from zoo.collection import SPECIMENS
from zoo.modes import EAGER, GRAPH, JIT
from zoo.replay import functions_run_eagerly, observed_layers
from zoo.specimen import BATCH, BATCHES
from zoo.training import Mode, batch_of, build, recorder_for, state_of, train, train_on_batches

import tensortap as tap

SEVERAL = Mode("4_steps_per_execution", {"steps_per_execution": 4})


@pytest.mark.parametrize("name", ["mlp", "cnn", "own_step", "legacy_mlp"])
def test_train_on_batch_records_as_fit_does(reader, tmp_path, name):
    plain = train_on_batches(SPECIMENS[name], GRAPH, 4)
    recorded = train_on_batches(SPECIMENS[name], GRAPH, 4, tmp_path / "run")
    recording = proof.Recording.read(reader, tmp_path / "run")
    proof.assert_all(SPECIMENS[name], GRAPH, plain, recorded, recording)
    assert recorded.steps == [0, 1, 2, 3, 4]


def assert_inference(recording, specimen, mode, model, x, steps):
    """Activations and nothing else: those of each batch, without dropout and with the averages of normalisations."""
    tags = set(specimen.layers(eagerly=mode.is_eager))
    calls = Counter()
    assert set(recording.everything) == {f"activations/{tag}" for tag in tags}
    for index in range(BATCHES):
        with observed_layers({}) as outputs, functions_run_eagerly():
            model(tf.nest.map_structure(tf.constant, batch_of(x, index)), training=False)
        calls.update({layer: len(each) for layer, each in outputs.items()})
        for tag in tags - set(specimen.loops):
            layer, call, output = proof.split_tag(tag)
            capture = recording.tensors[f"activations/{tag}"][index]
            expected = outputs[layer][call][output].numpy()
            proof.assert_same(capture.body, expected, f"{tag}, batch {index}", mode.tolerance)
            assert recording.steps(f"activations/{tag}") == steps
    for tag in specimen.loops:
        assert len(recording.values(f"activations/{tag}")) == calls[proof.split_tag(tag)[0]], tag


CASES = pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("mlp", GRAPH),
        ("mlp", EAGER),
        ("mlp", JIT),
        ("cnn", GRAPH),
        ("own_step", GRAPH),
        ("transformer", GRAPH),
        ("nested", SEVERAL),
        ("loops", GRAPH),
        ("legacy_mlp", GRAPH),
    ],
    ids=lambda value: getattr(value, "name", value),
)


@CASES
def test_evaluate_and_predict_record_activations_of_inference(reader, tmp_path, name, mode):
    specimen = SPECIMENS[name]
    model, x, y = build(specimen, mode)
    model.fit(x, y, batch_size=BATCH, verbose=0, shuffle=False)
    before = state_of(model)
    with recorder_for(mode, tmp_path / "run") as recorder:
        model.evaluate(x, y, batch_size=BATCH, verbose=0, callbacks=[recorder])
        model.predict(x, batch_size=BATCH, verbose=0, callbacks=[recorder])
        assert recorder.notes == []
    for path, value in before.items():
        proof.assert_same(state_of(model)[path], value, path)
    for phase in ("val", "predict"):
        recording = proof.Recording.read(reader, tmp_path / "run" / phase)
        proof.assert_sequences(recording, phase)
        proof.assert_stats(recording)
        # The step is the number of updates: none happens in between.
        assert_inference(recording, specimen, mode, model, x, [BATCHES] * BATCHES)
    assert proof.Recording.read(reader, tmp_path / "run").everything == {}
    expected = {f"{phase}/activations/{tag}" for phase in ("val", "predict") for tag in specimen.activations}
    assert {tag for tag in tap.open(tmp_path)["run"].tags() if "/activations/" in tag} == expected


@pytest.mark.parametrize("name", ["mlp", "cnn", "own_step"])
def test_validation_within_fit_is_kept_apart(reader, tmp_path, train_plainly, name):
    specimen = SPECIMENS[name]
    mode = Mode("validating", validates=True, is_warm=False)
    plain, recorded = train_plainly(specimen, GRAPH), train(specimen, mode, tmp_path / "run")
    proof.assert_all(specimen, mode, plain, recorded, proof.Recording.read(reader, tmp_path / "run"))
    validation = proof.Recording.read(reader, tmp_path / "run" / "val")
    proof.assert_sequences(validation, "val")
    # After each of the two epochs; the sequence tells batches of one step apart.
    assert {tuple(validation.steps(tag)) for tag in validation.tensors} == {(3, 3, 3, 6, 6, 6)}
    assert validation.tags("activations") == set(specimen.activations)
