"""rec.plan(model): what it lists is what is recorded."""

import keras
import numpy as np
import pytest
import tf_keras

import tensortap as tap

X, Y = np.ones((8, 4), "float32"), np.ones((8, 1), "float32")


def make_model(optimizer="sgd"):
    layers = [
        keras.layers.Dense(4, name="a"),
        keras.layers.BatchNormalization(name="bn"),
        keras.layers.Dense(1, name="b"),
    ]
    model = keras.Sequential([keras.Input((4,)), *layers])
    model.compile(optimizer, "mse")
    return model


def tags_and_sizes(plan):
    return {one.tag: one.bytes for one in plan.captures}


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"updates": True, "activation_gradients": "a"},
        {"weights": "bn", "gradients": "**/kernel", "activations": ["a", "b"]},
        {"weights": False, "slots": True, "what": ("stats", "tensor")},
    ],
)
def test_the_plan_lists_exactly_what_is_recorded(tmp_path, choices):
    model = make_model(keras.optimizers.SGD(0.1, momentum=0.9, clipnorm=1.0))
    model.optimizer.build(model.trainable_variables)
    with tap.keras.Recorder(tmp_path / "run", every=1, metrics=False, graph=False, **choices) as rec:
        plan = rec.plan(model)
        model.fit(X, Y, verbose=0, callbacks=[rec])
    run = tap.open(tmp_path)["run"]
    assert set(tags_and_sizes(plan)) == set(run.tags(kind="stats"))


def test_values_count_with_their_bytes_and_updates_are_statistics_alone(tmp_path):
    rec = tap.keras.Recorder(tmp_path / "run", activations="a", gradients=False, updates="a/kernel", what="tensor")
    plan = rec.plan(make_model(), batch_size=10)
    sizes = tags_and_sizes(plan)
    assert sizes["activations/a"] == 10 * 4 * 4
    assert 0 < sizes["updates/a/kernel"] < 1000
    assert str(plan.captures[-1].what) == "stats"
    assert plan.bytes_per_capture == sum(sizes.values())


def test_what_cannot_be_listed_yet_is_said(tmp_path, capsys):
    model = tf_keras.Sequential([tf_keras.layers.Dense(4, name="a")])
    model.compile("sgd", "mse")
    plan = tap.keras.Recorder(tmp_path / "run", slots=True).plan(model)
    assert list(tags_and_sizes(plan)) == ["activations/a"]
    printed = capsys.readouterr().out
    assert "not built yet" in printed and "slots: the optimizer makes its variables at the first step" in printed
    assert not (tmp_path / "run").exists()


def test_a_container_is_listed_when_it_is_called_by_its_name(tmp_path):
    inner = keras.Sequential([keras.layers.Dense(4, name="d")], name="inner")
    model = keras.Sequential([keras.Input((4,)), inner, keras.layers.Dense(1, name="head")])
    choices = {"gradients": False, "weights": False}
    for activations, tags in (
        (True, ["inner/d", "head"]),
        ("**", ["inner/d", "head"]),
        ("inner", ["inner"]),
        (["inner", "*/d"], ["inner", "inner/d"]),
        (tap.capture(containers=True), ["inner", "inner/d", "head"]),
    ):
        plan = tap.keras.Recorder(tmp_path / "run", activations=activations, **choices).plan(model)
        assert list(tags_and_sizes(plan)) == [f"activations/{tag}" for tag in tags]


def test_a_variable_that_is_not_trained_has_no_gradients(tmp_path):
    with pytest.raises(ValueError, match=r"no variable matches 'bn/moving_\*'"):
        tap.keras.Recorder(tmp_path / "run", gradients="bn/moving_*").plan(make_model())
