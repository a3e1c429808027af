"""Layers that Keras has quantised: they run by another method."""

import keras
import numpy as np
import pytest

import tensortap as tap


@pytest.mark.parametrize("mode", ["int8", "float8"])
def test_the_outputs_of_quantised_layers_are_recorded(tmp_path, mode):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, name="a"), keras.layers.Dense(2, name="b")])
    model.quantize(mode)
    x = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
    with tap.keras.Recorder(tmp_path / "run", every=1, what="tensor") as rec:
        predicted = model.predict(x, verbose=0, callbacks=[rec])
        assert rec.notes == []
    run = tap.open(tmp_path)["run"]
    assert run.tensor("predict/activations/a").shape == (6, 8)
    np.testing.assert_array_equal(run.tensor("predict/activations/b"), predicted)
    assert "quantized_call" not in vars(model.layers[0])
