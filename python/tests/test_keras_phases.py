"""Training, validation and prediction are told apart, whoever starts them and wherever they run."""

from __future__ import annotations

import threading

import keras
import numpy as np
import pytest
import tf_keras

import tensortap as tap
from tensortap.hooks import patch


def library_of(mode: str):
    return tf_keras if mode == "tf_keras" else keras


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_validation_inside_of_fit_is_recorded_beside_the_training(mode, build_model, data, read_run, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    build_model(mode).fit(**data, epochs=2, validation_data=(data["x"], data["y"]), callbacks=[recorder])
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 1, 2, 3]
    assert list(read.stats("val/activations/a").step) == [2, 2, 4, 4]
    assert list(read.stats("val/activations/a").phase) == ["val"] * 4
    assert list(read.scalars("val/loss").step) == [2, 4]
    assert [tag for tag in read.tags() if tag.startswith("val/")] == [
        "val/activations/a",
        "val/activations/b",
        "val/loss",
    ]


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_evaluate_and_predict_take_the_recorder_too(
    mode, build_model, data, state_of, changes_since, read_run, tmp_path
):
    model = build_model(mode)
    model.evaluate(data["x"], data["y"], verbose=0)
    model.predict(data["x"], verbose=0)
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    loss = model.evaluate(data["x"], data["y"], batch_size=4, verbose=0, callbacks=[recorder])
    outputs = model.predict(data["x"], batch_size=4, verbose=0, callbacks=[recorder])
    assert changes_since(model, before) == set()
    read = read_run(recorder)
    kinds = {"activations/a", "activations/b"}
    assert {tag for tag in read.tags() if "activations" in tag} == {
        f"{p}/{k}" for p in ("val", "predict") for k in kinds
    }
    assert len(read.stats("val/activations/b")) == len(read.stats("predict/activations/b")) == 2
    assert list(read.stats("predict/activations/b").phase) == ["predict"] * 2
    assert read.stats("predict/activations/b").max.max() == outputs.max()
    assert read.scalars("val/loss").value[0] == pytest.approx(loss)


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_what_a_callback_predicts_during_fit_is_no_training(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    inside = library_of(mode).callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: model.predict(data["x"], verbose=0),
        on_train_begin=lambda logs: model.evaluate(data["x"], data["y"], verbose=0),
    )
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, epochs=2, callbacks=[recorder, inside])
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 1, 2, 3]
    assert len(read.stats("predict/activations/a")) == 2
    assert len(read.stats("val/activations/a")) == 1
    assert "activations/a" not in vars(model.layers[-1])


def test_a_recorder_that_is_used_inside_of_its_own_fit_goes_on_afterwards(build_model, data, read_run, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    again = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: model.evaluate(data["x"], data["y"], verbose=0, callbacks=[recorder])
    )
    model.fit(**data, epochs=2, callbacks=[recorder, again])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 2, 3]


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_a_recorder_can_come_and_go_while_fit_runs(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    actions = {1: lambda: recorder.attach(model), 3: recorder.detach}
    steps = library_of(mode).callbacks.LambdaCallback(on_epoch_begin=lambda epoch, logs: actions.get(epoch, int)())
    history = model.fit(**data, epochs=5, callbacks=[steps])
    assert len(history.epoch) == 5
    assert list(read_run(recorder).steps("activations/a")) == [2, 3, 4, 5]
    assert recorder.notes == []


def test_attached_around_fit_the_recorder_stays_until_the_end_of_the_block(build_model, data, read_run, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    with recorder.attached(model):
        model.fit(**data, callbacks=[recorder])
        model.train_on_batch(data["x"], data["y"])
    model.train_on_batch(data["x"], data["y"])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 2]


class OwnFit(keras.Sequential):
    """Overrides fit and calls super."""

    def fit(self, *args, **kwargs):
        self.fits = [*getattr(self, "fits", []), len(args)]
        return super().fit(*args, **kwargs)


class OwnLoop(keras.Sequential):
    """Has a fit of its own, which only calls the callbacks."""

    def fit(self, x, y, epochs, callbacks):
        listed = keras.callbacks.CallbackList(callbacks, model=self)
        listed.on_train_begin()
        for epoch in range(epochs):
            listed.on_epoch_begin(epoch)
            self.train_on_batch(x, y)
            listed.on_epoch_end(epoch, {"loss": 1.0})
        listed.on_train_end()


@pytest.mark.parametrize("kind", [OwnFit, OwnLoop])
def test_a_model_with_a_fit_of_its_own_is_recorded_and_left_as_it_was(kind, data, read_run, tmp_path):
    model = kind([keras.Input((3,)), keras.layers.Dense(2, name="a"), keras.layers.Dense(1, name="b")])
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(data["x"], data["y"], epochs=3, callbacks=[recorder])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 2]
    parts = [*model._flatten_layers(), model.optimizer]
    assert [name for part in parts for name in vars(part) if patch.find(part, name) is not None] == []
    model.train_on_batch(data["x"], data["y"])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 2]


@pytest.mark.parametrize("library", [keras, tf_keras])
def test_a_model_without_optimizer_can_be_recorded_while_it_predicts(
    library, data, state_of, changes_since, read_run, tmp_path
):
    model = library.Sequential([library.Input((3,)), library.layers.Dense(2, name="a")])
    model.predict(data["x"], verbose=0)
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    with recorder.attached(model):
        outputs = model.predict(data["x"], batch_size=4, verbose=0)
    assert changes_since(model, before) == set()
    read = read_run(recorder)
    assert list(read.stats("predict/activations/a").step) == [0, 0]
    assert read.stats("predict/activations/a").max.max() == outputs.max()
    assert recorder.notes == []


def test_an_uncompiled_model_is_exactly_as_it_was(state_of, tmp_path):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    before = state_of(model)
    with tap.keras.Recorder(tmp_path / "run").attached(model):
        pass
    assert state_of(model) == before


def test_fits_on_several_threads_are_recorded_each_by_its_own(build_model, data, read_run, tmp_path):
    models = [build_model() for _ in range(2)]
    recorders = [tap.keras.Recorder(tmp_path / f"run{index}", every=1) for index in range(2)]
    failures = []

    def fit(model, recorder):
        try:
            model.fit(**data, epochs=3, callbacks=[recorder])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=fit, args=pair) for pair in zip(models, recorders, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for model, recorder in zip(models, recorders, strict=True):
        read = read_run(recorder)
        assert list(read.steps("activations/a")) == [0, 1, 2, 3, 4, 5]
        assert list(read.steps("gradients/b/bias")) == [0, 1, 2, 3, 4, 5]
        assert "call" not in vars(model.layers[-1])
        assert recorder.notes == []


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_a_scalar_without_a_step_gets_that_of_the_batch_that_just_ran(mode, build_model, data, run, read_run):
    def batch_end(batch, logs):
        run.scalar("mine", float(batch))

    def epoch_end(epoch, logs):
        run.scalar("epoch", float(epoch))

    name = "on_batch_end" if mode == "tf_keras" else "on_train_batch_end"
    own = library_of(mode).callbacks.LambdaCallback(**{name: batch_end, "on_epoch_end": epoch_end})
    recorder = tap.keras.Recorder(run, activations=False, gradients=False, weights=False)
    build_model(mode).fit(**data, epochs=2, validation_data=(data["x"], data["y"]), callbacks=[recorder, own])
    read = read_run(run)
    assert list(read.scalars("mine").step) == [0, 1, 2, 3]
    assert list(read.scalars("epoch").step) == [1, 3]
    assert np.array_equal(read.scalars("train/loss").step, [0, 1, 2, 3])
