"""Rules: which layers and variables are recorded, at which batches, and what of them."""

from __future__ import annotations

import keras
import numpy as np
import pytest

import tensortap as tap

ONLY_ACTIVATIONS = {"gradients": False, "weights": False, "metrics": False, "graph": False}


@pytest.fixture
def blocks():
    """A model with a nested model, for globs: block/conv_1, block/conv_2, conv_3, head."""
    keras.utils.set_random_seed(5)
    layers = keras.layers
    block = keras.Sequential(
        [keras.Input((4, 2)), layers.Conv1D(2, 2, name="conv_1"), layers.Conv1D(2, 2, name="conv_2")], name="block"
    )
    inputs = keras.Input((4, 2))
    flat = layers.Flatten(name="flat")(layers.Conv1D(2, 1, name="conv_3")(block(inputs)))
    model = keras.Model(inputs, layers.Dense(1, name="head")(flat))
    model.compile("sgd", "mse")
    return model


@pytest.fixture
def pictures() -> dict:
    x = np.random.default_rng(2).normal(size=(12, 4, 2)).astype(np.float32)
    return {"x": x, "y": x[:, 0, :1], "batch_size": 6, "verbose": 0, "shuffle": False}


# --- when


@pytest.mark.parametrize("mode", ["graph", "eager", "tf_keras"])
def test_every_counts_the_batches_of_its_phase_over_epochs_and_fits(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=3, weights=tap.capture(every=4))
    data |= {"batch_size": 2}  # four batches
    validation = {"validation_data": (data["x"], data["y"]), "validation_batch_size": 4}  # two batches
    model.fit(**data, epochs=2, callbacks=[recorder], **validation)
    model.fit(**data, epochs=1, callbacks=[recorder], **validation)
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 3, 6, 9]
    assert list(read.steps("gradients/a/kernel")) == [0, 3, 6, 9]
    assert list(read.steps("weights/a/kernel")) == [0, 4, 8]
    # Batches 0 and 3 of six: the first of the first validation, the second of the second.
    assert list(read.steps("val/activations/a")) == [4, 8]
    assert len(read.scalars("train/loss")) == 12


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_given_steps_are_recorded_and_no_others(mode, build_model, data, read_run, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", every=tap.steps([5, 0, 3, 77]))
    build_model(mode).fit(**data, epochs=3, callbacks=[recorder])
    read = read_run(recorder)
    for tag in ("activations/b", "gradients/b/bias", "weights/b/bias"):
        assert list(read.steps(tag)) == [0, 3, 5]


@pytest.mark.parametrize("mode", ["graph", "eager", "tf_keras"])
def test_epochs_are_tensors_of_their_first_batch_and_weights_of_their_end(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=tap.epochs(2), what="tensor")
    model.fit(**data, epochs=3, callbacks=[recorder])
    kernel = np.asarray(model.layers[-1].kernel)
    model.fit(**data, epochs=3, callbacks=[recorder])  # the fourth to sixth; the fifth is recorded
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 4, 8]
    assert list(read.steps("gradients/a/kernel")) == [0, 4, 8]
    assert list(read.steps("weights/b/kernel")) == [2, 6, 10]
    assert np.array_equal(read.tensor("weights/b/kernel", step=6), kernel)


# --- which


def test_kinds_have_rules_of_their_own(blocks, pictures, read_run, tmp_path):
    recorder = tap.keras.Recorder(
        tmp_path / "run",
        activations=tap.capture("**/conv_*", every=2, what="tensor"),
        gradients=["head/*", "block/conv_1/bias"],
        weights=tap.capture("head/kernel", every=tap.steps([1])),
        every=1,
    )
    blocks.fit(**pictures, epochs=2, callbacks=[recorder])
    read = read_run(recorder)
    assert read.tags("tensors") == ["activations/block/conv_1", "activations/block/conv_2", "activations/conv_3"]
    assert list(read.steps("activations/conv_3")) == [0, 2]
    stats = {"gradients/block/conv_1/bias", "gradients/head/bias", "gradients/head/kernel", "weights/head/kernel"}
    assert set(read.tags("stats")) == stats
    assert list(read.steps("gradients/head/bias")) == [0, 1, 2, 3]
    assert list(read.steps("weights/head/kernel")) == [1]


@pytest.mark.parametrize(
    ("activations", "expected"),
    [
        ("conv_*", {"conv_3"}),
        ("**/conv_*", {"block/conv_1", "block/conv_2", "conv_3"}),
        ("block/*", {"block/conv_1", "block/conv_2"}),
        (["head", "block/**"], {"head", "block/conv_1", "block/conv_2"}),
        (("head", "head"), {"head"}),
        ("**", {"block/conv_1", "block/conv_2", "conv_3", "flat", "head"}),
        (True, {"block/conv_1", "block/conv_2", "conv_3", "flat", "head"}),
        (tap.capture(containers=True), {"block", "block/conv_1", "block/conv_2", "conv_3", "flat", "head"}),
    ],
)
def test_globs_choose_layers_by_their_paths(activations, expected, blocks, tmp_path):
    plan = tap.keras.Recorder(tmp_path / "run", activations=activations, **ONLY_ACTIVATIONS).plan(blocks)
    assert {one.tag for one in plan.captures} == {f"activations/{path}" for path in expected}


def test_a_container_is_recorded_as_its_own_layer(blocks, pictures, read_run, tmp_path):
    rule = tap.capture(["block", "block/conv_2"], containers=True, what="tensor")
    recorder = tap.keras.Recorder(tmp_path / "run", activations=rule, **ONLY_ACTIVATIONS)
    blocks.fit(**pictures, callbacks=[recorder])
    read = read_run(recorder)
    assert read.tags() == ["activations/block", "activations/block/conv_2"]
    assert np.array_equal(read.tensor("activations/block", 0), read.tensor("activations/block/conv_2", 0))


def test_a_glob_that_means_nothing_lists_what_there_is_before_the_training(blocks, pictures, state_of, tmp_path):
    before = state_of(blocks)
    weights = blocks.get_weights()
    wrong = {
        "activations": ("conv_33", "layer", "conv_3"),
        "gradients": ("heads/kernel", "variable", "head/kernel"),
        "weights": ("haed/bias", "variable", "head/bias"),
    }
    for kind, (glob, noun, near) in wrong.items():
        with pytest.raises(ValueError, match=rf"no {noun} matches '{glob}'.*{near}") as raised:
            blocks.fit(**pictures, callbacks=[tap.keras.Recorder(tmp_path / kind, **{kind: glob})])
        assert "There are: block/conv_1" in str(raised.value)
        assert "(* stops at /, ** does not.)" in str(raised.value)
        with pytest.raises(ValueError, match=f"no {noun} matches"):
            tap.keras.Recorder(tmp_path / kind, **{kind: glob}).plan(blocks)
    after = state_of(blocks)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= {"0 Functional.history", "0 Functional._eval_epoch_iterator"}
    assert all(np.array_equal(*pair) for pair in zip(weights, blocks.get_weights(), strict=True))


# --- what


@pytest.mark.parametrize("mode", ["graph", "eager", "tf_keras"])
def test_the_first_samples_are_kept_and_statistics_of_all(mode, build_model, data, read_run, tmp_path):
    whole = tap.keras.Recorder(tmp_path / "whole", what="tensor", every=1)
    first = tap.keras.Recorder(tmp_path / "first", what=("stats", tap.first(3)), every=1)
    build_model(mode).fit(**data, callbacks=[whole, first])
    whole, first = read_run(whole), read_run(first)
    everything = whole.tensor("activations/a", 1)
    assert everything.shape == (4, 4)
    assert np.array_equal(first.tensor("activations/a", 1), everything[:3])
    assert first.stats("activations/a", 1).count[0] == 16
    assert first.stats("activations/a", 1).max[0] == everything.max()
    # A variable has no samples.
    assert first.tensor("weights/a/kernel", 1).shape == (3, 4)
    assert first.tensor("gradients/a/kernel", 1).shape == (3, 4)
    assert whole.tags("stats") == []


@pytest.mark.parametrize(
    ("what", "stats", "values", "samples"),
    [
        ("stats", True, False, 0),
        ("tensor", False, True, 0),
        (("stats", "tensor"), True, True, 0),
        (["tensor"], False, True, 0),
        (tap.first(8), False, True, 8),
        (("stats", tap.first(8)), True, True, 8),
        ((tap.first(2), tap.first(8)), False, True, 8),
        (("tensor", tap.first(8)), False, True, 0),
    ],
)
def test_whats_are_statistics_values_or_both(what, stats, values, samples):
    chosen = tap.capture(what=what).what
    assert (chosen.stats, chosen.values, chosen.first_samples) == (stats, values, samples)


# --- what is wrong


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (
            lambda r: r(what="histogram"),
            ValueError,
            "what is 'stats', 'tensor', both, or tap.first.n.; not 'histogram'",
        ),
        (lambda r: r(what=()), ValueError, r"what is 'stats', 'tensor', both, or tap.first.n.; not \(\)"),
        (lambda r: r(what=None), ValueError, "what is 'stats'.*not None"),
        (lambda r: r(what=("stats", "all")), ValueError, "what is 'stats'.*not 'all'"),
        (lambda r: r(every=0), ValueError, "every must be above 0, not 0"),
        (lambda r: r(every=-3), ValueError, "every must be above 0, not -3"),
        (lambda r: r(every=1.5), TypeError, r"every is a number of batches, tap.steps\(...\) or tap.epochs.*not 1.5"),
        (lambda r: r(every=[1, 2]), TypeError, r"every is a number of batches, tap.steps.*not \[1, 2\]"),
        (lambda r: r(every="epoch"), TypeError, "every is a number of batches.*not 'epoch'"),
        (lambda r: r(activations=""), ValueError, "a glob must not be empty: ''; False captures nothing"),
        (lambda r: r(activations=[]), ValueError, r"a glob must not be empty: \[\]"),
        (lambda r: r(gradients=["a", ""]), ValueError, "a glob must not be empty"),
        (lambda r: r(weights=7), TypeError, "weights is True, False, a glob, a list of globs, or tap.capture.*not 7"),
        (lambda r: r(updates=[1]), TypeError, r"updates is True, False, a glob.*not \[1\]"),
        (lambda r: r(jit="maybe"), ValueError, "jit is 'keep' or 'off', not 'maybe'"),
        (lambda r: r(colour="red"), TypeError, "unexpected keyword argument 'colour'"),
        (lambda r: tap.steps([]), ValueError, "tap.steps needs at least one step"),
        (lambda r: tap.steps([-1, 2]), ValueError, r"none below 0; not \[-1, 2\]"),
        (lambda r: tap.steps(5), TypeError, r"tap.steps takes several steps, as tap.steps\(\[0, 10, 100\]\); not 5"),
        (lambda r: tap.steps(["1"]), TypeError, "a step must be an integer, not '1'"),
        (lambda r: tap.epochs(0), ValueError, "epochs must be above 0, not 0"),
        (lambda r: tap.first(0), ValueError, "first must be above 0, not 0"),
        (lambda r: tap.capture("a", every=0), ValueError, "every must be above 0"),
        (lambda r: tap.capture(3), TypeError, "globs are str, not 3"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_when_it_is_written(make, error, sentence, tmp_path):
    with pytest.raises(error, match=sentence) as raised:
        make(lambda **options: tap.keras.Recorder(tmp_path / "run", **options))
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "run").exists()
