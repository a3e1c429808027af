"""Each hook in each mode: it fires as documented, and leaves every object exactly as it was."""

from __future__ import annotations

import keras
import pytest
import tf_keras

import tensortap as tap
from tensortap.hooks import inputs, layer, loss, optimizer, patch, step
from tensortap.rules import Capture, What, When
from tensortap.watching.notes import Notes
from tensortap.watching.watch import Watch

KINDS = ("activations", "gradients", "weights", "updates", "slots", "activation_gradients", "input_gradients")
NOTHING = {**dict.fromkeys(KINDS, False), "metrics": False, "graph": False}

# What a recorder needs in any case: where steps begin, compile() again, and what an optimizer is about to change.
ALWAYS = {"small.compile", "small.train_step", "small.test_step", "small.predict_step", "optimizer.apply"}
# hook -> (option, what else is patched, tags of two training steps)
TABLE = {
    "step": ({}, set(), set()),
    "layer": ({"activations": True}, {"a.call", "b.call"}, {"activations/a", "activations/b"}),
    "layer, backward": ({"activation_gradients": "b"}, {"b.call"}, {"activation_gradients/b"}),
    "inputs": ({"input_gradients": True}, {"small.call"}, {"input_gradients/input"}),
    "optimizer": (
        {"gradients": "a/*", "weights": "a/bias", "updates": "a/bias"},
        set(),
        {"gradients/a/kernel", "gradients/a/bias", "weights/a/bias", "updates/a/bias", "update_ratio/a/bias"},
    ),
    "loss": (
        {"metrics": True},
        {"small.compute_loss"},
        {"train/loss", "train/learning_rate", "train/step_seconds"},
    ),
}
RULE = Capture(None, When(), What())


def patched(model) -> set[str]:
    named = [(part.name, part) for part in model._flatten_layers()] + [("optimizer", model.optimizer)]
    return {
        f"{name}.{'apply' if attribute == 'apply_gradients' else attribute}"
        for name, part in named
        for attribute in vars(part)
        if patch.find(part, attribute) is not None
    }


@pytest.mark.parametrize("hook", TABLE)
def test_each_hook_fires_as_documented_and_leaves_every_object_as_it_was(
    hook, mode, build_model, data, state_of, read_run, tmp_path
):
    option, more, tags = TABLE[hook]
    model = build_model(mode)
    model.train_on_batch(data["x"], data["y"])  # what Keras makes when it is first used is there
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run", **{**NOTHING, **option}, every=1)
    recorder.attach(model)
    assert patched(model) == ALWAYS | more
    for _ in range(2):
        model.train_on_batch(data["x"], data["y"])
    recorder.detach()
    assert state_of(model) == before
    read = read_run(recorder)
    assert set(read.tags()) == tags
    # Seconds are known when the next batch begins.
    assert all(list(read.steps(tag)) == ([1] if "seconds" in tag else [1, 2]) for tag in tags)
    assert recorder.notes == []


def test_all_hooks_together_change_nothing_of_what_is_trained(mode, build_model, data, tmp_path):
    plain, recorded = build_model(mode), build_model(mode)
    plain.fit(**data, epochs=2)
    recorder = tap.keras.Recorder(tmp_path / "run", **dict.fromkeys(KINDS, True), what=("stats", "tensor"), every=1)
    recorded.fit(**data, epochs=2, callbacks=[recorder])
    for one, other in zip(plain.get_weights(), recorded.get_weights(), strict=True):
        assert (one == other).all() if mode != "jit" else abs(one - other).max() < 1e-6


# Each hook alone: (watch, model) -> its undo; and the object that it changes.
HOOKS = {
    "layer": (
        lambda watch, model: layer.install(watch, model.layers[-1], "b", outputs=RULE, gradients=None),
        lambda model: (model.layers[-1], "call"),
    ),
    "inputs": (lambda watch, model: inputs.install(watch, model, RULE), lambda model: (model, "call")),
    "optimizer": (
        lambda watch, model: optimizer.install(watch, model.optimizer),
        lambda model: (model.optimizer, "apply" if hasattr(model.optimizer, "apply") else "apply_gradients"),
    ),
    "step": (lambda watch, model: step.install(watch, model, "train"), lambda model: (model, "train_step")),
    "loss": (lambda watch, model: loss.install(watch, model), lambda model: (model, "compute_loss")),
}


@pytest.fixture
def make_watch(run):
    def make() -> Watch:
        rules = {"gradients": RULE}
        return Watch(run, rules, Notes(), metrics=False, jit="keep", gated=False, graph=False)

    return make


@pytest.mark.parametrize("library", ["keras", "tf_keras"])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("hook", HOOKS)
def test_two_users_of_a_hook_leave_in_any_order_and_twice(hook, order, library, build_model, state_of, make_watch):
    install, _ = HOOKS[hook]
    model = build_model(library, optimizer=(tf_keras if library == "tf_keras" else keras).optimizers.SGD(clipnorm=1.0))
    before = state_of(model)
    undos = [install(make_watch(), model) for _ in range(2)]
    undos[order[0]]()
    assert patched(model), "the other one still needs it"
    undos[order[0]]()
    assert patched(model)
    undos[order[1]]()
    assert state_of(model) == before
    undos[order[1]]()
    assert state_of(model) == before


@pytest.mark.parametrize("library", ["keras", "tf_keras"])
@pytest.mark.parametrize("hook", HOOKS)
def test_a_patch_that_was_there_before_a_hook_is_called_and_given_back(
    hook, library, build_model, data, make_watch, run
):
    install, find = HOOKS[hook]
    model = build_model(library)
    owner, name = find(model)
    plain, calls = getattr(owner, name), []

    def foreign(*args, **kwargs):
        calls.append(name)
        return plain(*args, **kwargs)

    object.__setattr__(owner, name, foreign)
    undo = install(make_watch(), model)
    model.train_on_batch(data["x"], data["y"])
    assert calls
    undo()
    assert vars(owner)[name] is foreign
    assert patched(model) == set()


@pytest.mark.parametrize("hook", HOOKS)
def test_outside_of_steps_a_hook_does_nothing(hook, build_model, data, make_watch, run, read_run):
    install, _ = HOOKS[hook]
    model = build_model()
    undo = install(make_watch(), model)
    result = model(data["x"])
    model.optimizer.apply([variable * 0 + 1 for variable in model.trainable_variables], model.trainable_variables)
    undo()
    assert result.shape == (8, 1)
    assert read_run(run).tags() == []
