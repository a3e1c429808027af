"""images= of the Recorder: what layers make of the user's inputs at the ends of epochs."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras

import tensortap as tap

QUIET = {"activations": False, "gradients": False, "weights": False, "graph": False}


class MapsRun(tap.Run):
    """Keeps the values that are handed over to be drawn, exactly."""

    def feature_maps(self, tag, values, step=None, *, samples=4, **_):
        assert tag.startswith("feature_maps/")
        self.tensor(tag.replace("feature_maps/", "maps/"), values[:samples], step)


@pytest.fixture
def maps_run(tmp_path):
    with MapsRun(tmp_path / "run") as run:
        yield run


@pytest.fixture
def maps_of(read_run):
    """run -> {layer: values of the last step}"""

    def maps(run):
        read = read_run(run)
        tags = [tag for tag in read.tags() if tag.startswith("maps/")]
        return {tag.removeprefix("maps/"): read.tensor(tag) for tag in tags}

    return maps


@pytest.fixture
def pictures():
    x = np.random.default_rng(1).random((10, 6, 6, 1)).astype("float32")
    return {"x": x, "y": x.mean(axis=(1, 2, 3)), "batch_size": 5, "verbose": 0}


def network(library=keras, **compile_options):
    layers = library.layers
    block = library.Sequential([library.Input((6, 6, 1)), layers.Conv2D(3, 3, name="conv")], name="block")
    shared = layers.Dense(4, activation="relu", name="shared")
    inputs = library.Input((6, 6, 1))
    flat = layers.Flatten(name="flat")(layers.Dropout(0.5, name="drop")(block(inputs)))
    once = shared(layers.Dense(4, name="first")(flat))
    model = library.Model(inputs, layers.Dense(1, name="head")(shared(once)))
    model.compile("sgd", "mse", **compile_options)
    return model


@pytest.mark.parametrize("mode", ["graph", "jit", "eager", "tf_keras"])
def test_maps_of_all_layers_are_those_of_a_pass_without_training(mode, pictures, maps_run, maps_of):
    options = {"jit": {"jit_compile": True}, "eager": {"run_eagerly": True}}.get(mode, {})
    model = network(tf_keras if mode == "tf_keras" else keras, **options)
    recorder = tap.keras.Recorder(maps_run, images=tap.images(inputs=pictures["x"][2:9], samples=5), every=1)
    model.fit(**pictures, epochs=2, callbacks=[recorder])
    assert recorder.notes == []
    maps = maps_of(maps_run)
    assert set(maps) == {"block/conv", "drop", "flat", "first", "shared", "shared#1", "head"}
    x = pictures["x"][2:7]
    np.testing.assert_allclose(maps["block/conv"], model.get_layer("block")(x), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(maps["drop"], maps["block/conv"])
    np.testing.assert_allclose(maps["head"], model(x), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(maps["shared#1"], model.get_layer("shared")(maps["shared"]), rtol=1e-5, atol=1e-6)
    read = tap.open(maps_run.path + "/..")["run"]
    assert list(read.steps("maps/head")) == [2, 4]
    assert list(read.scalars("tensortap/images_seconds").step) == [2, 4]
    # The pass is no prediction, and leaves nothing behind.
    assert not [tag for tag in read.tags() if tag.startswith("predict/")]
    assert [name for layer in model._flatten_layers() for name in vars(layer) if name == "call"] == []


def test_maps_are_drawn_whatever_the_rank_of_the_layer(pictures, read_run, tmp_path):
    with tap.keras.Recorder(tmp_path / "run", images=True, **QUIET) as recorder:
        network().fit(**pictures, epochs=2, callbacks=[recorder])
    assert recorder.notes == []
    layers = ["block/conv", "drop", "first", "flat", "head", "shared", "shared#1"]
    assert read_run(recorder).tags("images") == [f"feature_maps/{layer}" for layer in layers]


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = keras.layers.Conv2D(3, 3, name="conv")
        self.head = keras.layers.Dense(1, name="head")

    def call(self, x):
        return self.head(keras.ops.reshape(self.conv(x), (-1, 48)))


def test_a_subclassed_model_that_is_built_by_fit_has_maps_too(pictures, maps_run, maps_of):
    model = Subclassed()
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(maps_run, images="conv", **QUIET)
    model.fit(**pictures, callbacks=[recorder])
    assert recorder.notes == []
    maps = maps_of(maps_run)
    np.testing.assert_allclose(maps["conv"], model.conv(pictures["x"][:4]), rtol=1e-5, atol=1e-6)
    assert list(maps) == ["conv"]


def test_a_glob_for_a_model_that_fit_builds_is_noted_where_it_is_wrong(pictures, maps_run, maps_of):
    model = Subclassed()
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(maps_run, images="cnov", **QUIET)
    assert len(model.fit(**pictures, epochs=2, callbacks=[recorder]).epoch) == 2
    assert len(recorder.notes) == 1
    assert recorder.notes[0].startswith("feature maps are not recorded: no layer matches 'cnov'. Did you mean")
    assert maps_of(maps_run) == {}


def dataset(x, y, **_):
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(3)


def sources(x, y, **_):
    """What fit and the recorder are given -> where the inputs of the maps begin."""
    validation = {"validation_data": (x[4:], y[4:])}
    return {
        "predictions": ({"x": x, "y": y, **validation}, {"predictions": (x[2:], y[2:])}, x[2:6]),
        "validation": ({"x": x, "y": y, **validation}, {}, x[4:8]),
        "validation data set": ({"x": x, "y": y, "validation_data": dataset(x[5:], y[5:])}, {}, x[5:8]),
        "x": ({"x": x, "y": y}, {}, x[:4]),
        "data set": ({"x": dataset(x, y)}, {}, x[:3]),
        "shuffled data set": ({"x": dataset(x, y).shuffle(4)}, {}, None),
        "generator": ({"x": (batch for batch in [(x, y)])}, {}, None),
    }


@pytest.mark.parametrize("source", sources(np.zeros(9), np.zeros(9)))
def test_the_inputs_are_the_users_own(source, pictures, maps_run, maps_of):
    of_fit, of_recorder, expected = sources(**pictures)[source]
    model = network()
    recorder = tap.keras.Recorder(maps_run, images="head", **QUIET, **of_recorder)
    model.fit(**of_fit, verbose=0, callbacks=[recorder])
    if expected is None:
        assert recorder.notes == ["feature maps are not recorded: give the inputs for them, tap.images(inputs=x[:4])"]
        assert maps_of(maps_run) == {}
    else:
        np.testing.assert_allclose(maps_of(maps_run)["head"], model(expected), rtol=1e-5, atol=1e-6)
        assert recorder.notes == []


def test_a_shuffled_training_keeps_its_order(pictures, maps_run):
    losses = []
    for images in (False, True):
        keras.utils.set_random_seed(2)
        shuffled = dataset(**pictures).unbatch().shuffle(10, seed=3).batch(2)
        recorder = tap.keras.Recorder(maps_run, images=images, **QUIET)
        losses.append(network().fit(shuffled, epochs=2, verbose=0, callbacks=[recorder]).history["loss"])
    assert losses[0] == losses[1]


def test_every_few_epochs(pictures, maps_run, read_run):
    recorder = tap.keras.Recorder(maps_run, images=tap.images("block/*", every=2), **QUIET)
    network().fit(**pictures, epochs=3, callbacks=[recorder])
    assert list(read_run(maps_run).steps("maps/block/conv")) == [2, 6]


def test_a_glob_that_means_no_layer_raises_before_the_training(pictures, maps_run):
    model = network()
    with pytest.raises(ValueError, match=r"no layer matches 'cnov'.*There are: "):
        model.fit(**pictures, callbacks=[tap.keras.Recorder(maps_run, images="cnov", **QUIET)])
    assert int(model.optimizer.iterations) == 0
    assert [name for layer in model._flatten_layers() for name in vars(layer) if name == "call"] == []


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"images": 3}, TypeError, r"images is True, False, a glob"),
        ({"predictions_every": tap.steps([1])}, ValueError, "predictions_every counts epochs"),
        ({"predictions_every": 0}, ValueError, "must be above 0"),
    ],
)
def test_wrong_options_are_refused_at_once(options, error, message, tmp_path):
    with pytest.raises(error, match=message):
        tap.keras.Recorder(tmp_path / "run", **options)


def test_what_fails_in_the_pass_is_noted_and_the_training_goes_on(pictures, maps_run):
    recorder = tap.keras.Recorder(maps_run, images=tap.images(inputs=np.zeros((4, 2, 2, 1))), **QUIET)
    history = network().fit(**pictures, epochs=2, callbacks=[recorder])
    assert len(history.epoch) == 2
    assert len(recorder.notes) == 1 and recorder.notes[0].startswith("feature maps could not be recorded")
