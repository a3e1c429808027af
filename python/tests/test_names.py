"""Names in tags: paths of layers and variables, unique, whatever their makers called them."""

import keras
import numpy as np
import pytest
import tf_keras

import tensortap as tap
from tensortap.watching import layers as watched_layers
from tensortap.watching import names

X, Y = np.zeros((8, 4), "float32"), np.zeros((8, 1), "float32")


class Block(keras.layers.Layer):
    """Two layers, of which one never gets a path from Keras."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.inner, self.drop = keras.layers.Dense(4, name="inner"), keras.layers.Dropout(0.1, name="drop")

    def call(self, x):
        return self.drop(self.inner(x))


class Own(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(4,), name="scale#1:0")

    def call(self, x):
        return x * self.scale


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks, self.head = [Block(name="one"), Block(name="two")], keras.layers.Dense(1, name="head")

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def sequential():
    inside = keras.Sequential([Block(name="deep")], name="inside")
    return keras.Sequential([Block(name="one"), inside, keras.layers.Dense(1, name="head")])


def paths_of(model):
    everything = tap.capture(containers=True)
    return [path for _, path in watched_layers.chosen_layers(model, everything).values()]


def recorded(model, directory, **choices):
    with tap.keras.Recorder(directory / "run", every=1, metrics=False, graph=False, **choices) as rec:
        model.fit(X, Y, verbose=0, callbacks=[rec])
        assert rec.notes == []
    return tap.open(directory)["run"].tags()


@pytest.mark.parametrize("make", [Subclassed, sequential])
def test_a_layer_has_the_same_path_before_and_after_it_is_built(make):
    model = make()
    before = paths_of(model)
    model(X)
    assert paths_of(model) == before
    assert {"one/inner", "one/drop", "head"} < set(before)


def test_layers_and_their_variables_have_the_same_path(tmp_path):
    model = Subclassed()
    model.compile("sgd", "mse")
    tags = recorded(model, tmp_path, activations=["two/*", "head"], gradients="**/kernel", weights=False)
    layers = ["two/drop", "two/inner", "head"]
    assert set(tags) == {f"activations/{layer}" for layer in layers} | {
        f"gradients/{layer}/kernel" for layer in ("one/inner", "two/inner", "head")
    }


def test_equal_paths_are_numbered():
    model = keras.Sequential(name="net")
    paths = names.layer_paths(model, [(object(), "same"), (object(), "same"), (object(), "other"), (object(), "same")])
    assert list(paths.values()) == ["same", "same~2", "other", "same~3"]


def test_a_name_that_looks_like_a_number_of_equal_paths_takes_nobodys_place():
    model = keras.Sequential(name="net")
    paths = names.layer_paths(model, [(object(), "same~2"), (object(), "same"), (object(), "same")])
    assert list(paths.values()) == ["same%7E2", "same", "same~2"]


def test_reserved_characters_of_names_are_escaped_in_tags(tmp_path):
    layers = [keras.Input((4,)), Own(name="own"), keras.layers.Dense(1, name="50%:a@b#1~2")]
    model = keras.Sequential(layers)
    # TensorFlow takes such names of layers only without graphs, those of variables always.
    model.compile("sgd", "mse", run_eagerly=True)
    tags = recorded(model, tmp_path, gradients=False)
    escaped = "50%25%3Aa%40b%231%7E2"
    assert set(tags) == {
        "activations/own",
        f"activations/{escaped}",
        "weights/own/scale%231%3A0",
        f"weights/{escaped}/kernel",
        f"weights/{escaped}/bias",
    }


def test_globs_mean_names_as_tags_have_them(tmp_path):
    model = keras.Sequential([keras.Input((4,)), Own(name="own"), keras.layers.Dense(1, name="head")])
    model.compile("sgd", "mse")
    tags = recorded(model, tmp_path, activations=False, gradients=False, weights="own/scale%231*")
    assert tags == ["weights/own/scale%231%3A0"]
    with pytest.raises(ValueError, match=r"no variable matches 'own/scale#1:0'.*own/scale%231%3A0"):
        recorded(model, tmp_path / "other", activations=False, gradients=False, weights="own/scale#1:0")


def test_legacy_layers_have_their_place_as_path_too(tmp_path):
    inside = tf_keras.Sequential([tf_keras.layers.Dense(4, name="dense")], name="inside")
    model = tf_keras.Sequential([inside, tf_keras.layers.Dense(1, name="dense")], name="outside")
    model.compile("sgd", "mse")
    tags = recorded(model, tmp_path, gradients=False, weights=False)
    assert set(tags) == {"activations/inside/dense", "activations/dense"}


def test_a_glob_that_means_nothing_stops_a_model_that_is_not_built_before_its_first_step(tmp_path):
    model = Subclassed()
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=r"no layer matches 'three/\*'.*one/inner"):
        recorded(model, tmp_path, activations="three/*")
    assert int(model.optimizer.iterations) == 0
    assert "call" not in vars(model.head)
