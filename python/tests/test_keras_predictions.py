"""predictions= of the Recorder: outputs with labels at the ends of epochs, and nothing else changed by them."""

from __future__ import annotations

import gc
import weakref

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras

import tensortap as tap

QUIET = {"activations": False, "gradients": False, "weights": False, "graph": False}


class Outputs(keras.callbacks.Callback):
    """What predict() gives at the end of each epoch."""

    def __init__(self, x):
        super().__init__()
        self.x = x
        self.seen = []

    def on_epoch_end(self, epoch, logs=None):
        self.seen.append(self.model.predict(self.x, verbose=0))


def library_of(mode: str):
    return tf_keras if mode == "tf_keras" else keras


def test_outputs_labels_and_ids_of_each_epoch_are_those_of_predict(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    x, y = data["x"][:7], data["y"][:7]
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=(x, y), predictions_batch_size=3, every=1)
    truth = []
    look = library_of(mode).callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: truth.append(model(tf.constant(x), training=False).numpy())
    )
    model.fit(**data, epochs=2, callbacks=[recorder, look])
    assert recorder.notes == []
    read = read_run(recorder)
    assert list(read.steps("predictions/val")) == [2, 4]
    for step, expected in zip((2, 4), truth, strict=True):
        seen = read.predictions("val", step=step)
        np.testing.assert_allclose(seen.y_pred, expected, rtol=1e-5)
        np.testing.assert_array_equal(seen.y_true, y)
        assert list(seen.ids) == list(range(7))
    # Not a prediction of the user's: no tap sees it.
    assert list(read.steps("activations/a")) == [0, 1, 2, 3]
    assert not [tag for tag in read.tags() if tag.startswith("predict/")]
    seconds = read.scalars("tensortap/predictions_seconds")
    assert list(seconds.step) == [2, 4] and (seconds.value > 0).all()


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_a_training_with_predictions_is_the_same_training(mode, build_model, data, state_of, changes_since, tmp_path):
    plain, recorded = build_model(mode), build_model(mode)
    for model in (plain, recorded):
        model.fit(**data)
        model.predict(data["x"], verbose=0)
    before = state_of(recorded)
    histories = [plain.fit(**data, epochs=3)]
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=(data["x"], data["y"]), **QUIET)
    function = recorded.predict_function
    histories.append(recorded.fit(**data, epochs=3, callbacks=[recorder]))
    assert histories[0].history["loss"] == pytest.approx(histories[1].history["loss"], rel=1e-6)
    for one, other in zip(plain.get_weights(), recorded.get_weights(), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    assert recorded.predict_function is function
    assert changes_since(recorded, before) == set()


class Noise(keras.layers.Layer):
    """Draws random numbers in every pass, training or not."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed = keras.random.SeedGenerator(5)

    def call(self, x):
        return x + keras.random.normal(keras.ops.shape(x), seed=self.seed)


def test_random_numbers_of_the_training_are_not_used_up(data, tmp_path):
    losses = []
    for predictions in (None, (data["x"], data["y"])):
        keras.utils.set_random_seed(1)
        model = keras.Sequential([keras.Input((3,)), Noise(), keras.layers.Dropout(0.5, seed=3), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        recorder = tap.keras.Recorder(tmp_path / "run", predictions=predictions, images=bool(predictions), **QUIET)
        losses.append(model.fit(**data, epochs=3, callbacks=[recorder]).history["loss"])
    assert losses[0] == losses[1]


@pytest.mark.parametrize("library", [keras, tf_keras])
def test_states_of_the_training_are_not_moved_on(library, tmp_path):
    x = np.random.default_rng(0).random((8, 5, 2)).astype("float32")
    losses = []
    for predictions in (None, x[:4]):
        library.utils.set_random_seed(1)
        sizes = {"batch_shape": (4, 5, 2)} if library is keras else {"shape": (5, 2), "batch_size": 4}
        model = library.Sequential([library.Input(**sizes), library.layers.GRU(3, stateful=True)])
        model.compile("sgd", "mse")
        recorder = tap.keras.Recorder(tmp_path / "run", predictions=predictions, **QUIET)
        fitted = model.fit(x, x[:, 0, :1], batch_size=4, epochs=3, shuffle=False, verbose=0, callbacks=[recorder])
        losses.append(fitted.history["loss"])
        assert recorder.notes == []
    assert losses[0] == losses[1]


def test_every_few_epochs_over_several_fits(build_model, data, read_run, tmp_path):
    model = build_model()
    sets = {"val": (data["x"], data["y"]), "train": tap.sample(data["x"], data["y"], 3), "bare": data["x"]}
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=sets, predictions_every=tap.epochs(2), **QUIET)
    model.fit(**data, epochs=3, callbacks=[recorder])
    model.evaluate(data["x"], data["y"], verbose=0, callbacks=[recorder])
    model.fit(**data, epochs=5, initial_epoch=3, callbacks=[recorder])
    read = read_run(recorder)
    for name, count in (("val", 8), ("train", 3), ("bare", 8)):
        assert list(read.steps(f"predictions/{name}")) == [2, 6, 10]
        assert len(read.predictions(name, step=10).ids) == count
    assert read.predictions("bare", step=2).y_true is None
    assert recorder.run.epoch == 4


def test_epochs_are_numbered_on_where_fit_begins_at_0_again(build_model, data, read_run, tmp_path):
    model, seen = build_model(), []
    recorder = tap.keras.Recorder(tmp_path / "run", **QUIET)
    look = keras.callbacks.LambdaCallback(
        on_train_batch_begin=lambda batch, logs: seen.append(recorder.run.epoch) if batch == 0 else None
    )
    model.fit(**data, epochs=2, callbacks=[recorder, look])
    model.fit(**data, epochs=2, callbacks=[recorder, look])
    model.fit(**data, epochs=9, initial_epoch=7, callbacks=[recorder, look])
    assert seen == [0, 1, 2, 3, 7, 8]
    assert list(read_run(recorder).scalars("train/epoch").value) == [0, 1, 2, 3, 7, 8]


def test_a_loop_of_ones_own_says_where_epochs_begin_and_end(build_model, data, read_run, tmp_path):
    model = build_model()
    with tap.keras.Recorder(tmp_path / "run", predictions=data["x"], **QUIET) as recorder:
        with recorder.attached(model):
            for epoch in range(2):
                recorder.on_epoch_begin(epoch)
                model.train_on_batch(data["x"], data["y"])
                recorder.on_epoch_end(epoch)
        model.train_on_batch(data["x"], data["y"])
    assert list(read_run(recorder).steps("predictions/val")) == [1, 2]


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_a_model_is_freed_once_the_recorder_let_go_of_it(mode, build_model, data, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=data["x"], images=True, checkpoints=True, **QUIET)
    model = build_model(mode)
    model.fit(**data, callbacks=[recorder])
    recorder.detach()
    gone = weakref.ref(model)
    keras.backend.clear_session()
    del model
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("shape", ["list", "dict"])
def test_several_inputs_and_outputs_are_told_apart_by_name(shape, read_run, tmp_path):
    keras.utils.set_random_seed(1)
    inputs = [keras.Input((3,), name="left"), keras.Input((2,), name="right")]
    both = keras.layers.Concatenate()(inputs)
    outputs = [keras.layers.Dense(2, name="class")(both), keras.layers.Dense(1, name="box")(both)]
    named = {"kind": outputs[0], "place": outputs[1]} if shape == "dict" else outputs
    model = keras.Model(inputs, named)
    rng = np.random.default_rng(0)
    x = {"left": rng.normal(size=(9, 3)), "right": rng.normal(size=(9, 2))}
    y = [rng.normal(size=(9, 2)), rng.normal(size=(9, 1))]
    names = ["kind", "place"] if shape == "dict" else ["class", "box"]
    labels = dict(zip(names, y, strict=True)) if shape == "dict" else y
    model.compile("sgd", {"kind": "mse", "place": "mse"} if shape == "dict" else ["mse", "mse"])
    with pytest.raises(ValueError, match=r"labels are given for 'clas'.*There are: "):
        model.fit(x, labels, verbose=0, callbacks=[tap.keras.Recorder(tmp_path / "x", predictions=(x, {"clas": y[0]}))])
    with pytest.raises(ValueError, match=r"the model has 2 outputs .* labels for 1"):
        tap.keras.Recorder(tmp_path / "x", predictions=(x, y[0])).attach(model)
    sets = {"val": (x, labels), "half": (x, {names[1]: y[1]}), "by_place": ([x["left"], x["right"]], y)}
    with tap.keras.Recorder(tmp_path / "run", predictions=sets, predictions_batch_size=4, **QUIET) as recorder:
        model.fit(x, labels, verbose=0, callbacks=[recorder])
    assert recorder.notes == []
    expected = model.predict(x, verbose=0)
    read = read_run(recorder)
    for index, name in enumerate(names):
        one = expected[name] if shape == "dict" else expected[index]
        for part in ("val", "half", "by_place"):
            np.testing.assert_allclose(read.predictions(f"{part}/{name}", step=1).y_pred, one, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(read.predictions(f"val/{name}", step=1).y_true, y[index])
    assert read.predictions(f"half/{names[0]}", step=1).y_true is None


@pytest.mark.parametrize("library", [keras, tf_keras])
def test_segmentation_maps_and_sequences_keep_their_shape(library, read_run, tmp_path):
    layers = library.layers
    rng = np.random.default_rng(0)
    pictures, series = rng.random((5, 8, 8, 1)).astype("float32"), rng.random((6, 4, 2)).astype("float32")
    cases = {
        "maps": (layers.Conv2D(1, 3, padding="same", activation="sigmoid"), pictures, pictures > 0.5),
        "series": (layers.GRU(3, return_sequences=True), series, rng.random((6, 4, 3))),
    }
    for name, (layer, x, y) in cases.items():
        model = library.Sequential([library.Input(x.shape[1:]), layer])
        model.compile("sgd", "mse")
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(2)
        with tap.keras.Recorder(tmp_path / name, predictions={"val": dataset}, **QUIET) as recorder:
            model.fit(x, y, verbose=0, batch_size=4, callbacks=[recorder])
        seen = read_run(recorder).predictions("val", step=2)
        np.testing.assert_allclose(seen.y_pred, model.predict(x, verbose=0), rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(seen.y_true, y)
        assert recorder.notes == []


def test_an_own_predict_step_and_other_float_types_are_as_in_predict(data, read_run, tmp_path):
    class Doubling(keras.Sequential):
        def predict_step(self, batch):
            return super().predict_step(batch) * 2

    layers = [keras.layers.Dense(4), keras.layers.Dense(2), keras.layers.Identity(dtype="float16")]
    model = Doubling([keras.Input((3,)), *layers])
    model.compile("sgd", "mse")
    with tap.keras.Recorder(tmp_path / "run", predictions=data["x"].astype("float64"), **QUIET) as recorder:
        model.fit(**data, callbacks=[recorder])
    seen = read_run(recorder).predictions("val", step=2).y_pred
    assert seen.dtype == np.float16
    np.testing.assert_allclose(seen, model.predict(data["x"], verbose=0), rtol=2e-3)


def test_what_fails_while_predicting_is_noted_and_the_training_goes_on(build_model, data, read_run, tmp_path):
    model = build_model()

    def batches():
        yield data["x"], data["y"]
        raise OSError("the disk is gone")

    sets = {"broken": batches, "narrow": data["x"][:, :2], "val": (data["x"], data["y"])}
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=sets, **QUIET)
    history = model.fit(**data, epochs=2, callbacks=[recorder])
    assert len(history.epoch) == 2
    assert [note.partition(":")[0] for note in recorder.notes] == [
        "predictions 'broken' could not be recorded",
        "predictions 'narrow' could not be recorded",
    ]
    assert list(read_run(recorder).steps("predictions/val")) == [2, 4]


def test_a_data_set_that_is_shuffled_anew_is_noted(build_model, data, tmp_path):
    shuffled = tf.data.Dataset.from_tensor_slices((data["x"], data["y"])).shuffle(8).batch(4)
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=shuffled, **QUIET)
    build_model().fit(**data, epochs=4, callbacks=[recorder])
    assert len(recorder.notes) == 1 and "come in another order than before" in recorder.notes[0]


def test_labels_for_more_outputs_than_there_are_raise_before_the_training(build_model, data, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", predictions=(data["x"], {"a": data["y"], "b": data["y"]}))
    with pytest.raises(ValueError, match=r"the model has 1 outputs, and there are labels for 2"):
        model.fit(**data, callbacks=[recorder])
    assert int(model.optimizer.iterations) == 0
    with pytest.raises(ValueError, match="predictions_batch_size must be an integer above 0"):
        tap.keras.Recorder(tmp_path / "run", predictions=data["x"], predictions_batch_size=0)


def test_outputs_inside_of_structures_have_the_names_of_both(read_run, tmp_path):
    class Nested(keras.Model):
        def __init__(self):
            super().__init__()
            self.head = keras.layers.Dense(1)

        def call(self, x):
            y = self.head(x)
            return {"loss": y, "more": {"twice": y * 2, "parts": [x, x * 3]}}

        def compute_loss(self, x=None, y=None, y_pred=None, *_, **__):
            return keras.ops.mean(keras.ops.square(y - y_pred["loss"]))

    model, x = Nested(), np.random.default_rng(0).random((6, 3)).astype("float32")
    model.compile("sgd")
    with tap.keras.Recorder(tmp_path / "run", predictions=(x, {"loss": x[:, :1]}), **QUIET) as recorder:
        model.fit(x, x[:, :1], verbose=0, callbacks=[recorder])
    assert recorder.notes == []
    read = read_run(recorder)
    tags = [tag for tag in read.tags() if tag.startswith("predictions/")]
    assert tags == [f"predictions/val/{name}" for name in ("loss", "more/parts/0", "more/parts/1", "more/twice")]
    np.testing.assert_array_equal(read.predictions("val/more/parts/1", step=1).y_pred, x * 3)
    np.testing.assert_array_equal(read.predictions("val/loss", step=1).y_true, x[:, :1])


def test_labels_that_are_no_numbers_are_refused(data, tmp_path):
    with pytest.raises(TypeError, match="labels are numbers"):
        tap.keras.Recorder(tmp_path / "run", predictions=(data["x"], ["cat"] * 8))


def test_a_plan_lists_predictions_with_their_size(build_model, data, tmp_path, capsys):
    recorder = tap.keras.Recorder(
        tmp_path / "run", predictions=(data["x"], data["y"]), images="a", checkpoints=True, **QUIET
    )
    plan = recorder.plan(build_model())
    assert [(one.tag, one.shape, one.bytes) for one in plan.captures] == [("predictions/val", (8, 1), 8 * (4 + 4 + 8))]
    assert plan.bytes_per_capture == 128
    shown = capsys.readouterr().out
    assert "predictions/val" in shown and "each epoch" in shown
    assert "feature maps of 1 layers" in shown and "weights are saved" in shown


def test_sinks_are_for_runs_that_the_recorder_opens(run, tmp_path):
    with pytest.raises(TypeError, match="is open already"):
        tap.keras.Recorder(run, sinks=[tap.sinks.print()])
    with pytest.raises(TypeError, match=r"sinks are tap.sinks.csv"):
        tap.keras.Recorder(tmp_path / "run", sinks=["out"])
