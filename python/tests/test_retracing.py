"""Functions with taps that are traced again: for batches of other shapes, in a later fit."""

import keras
import numpy as np

import tensortap as tap
from tensortap.hooks import patch

X, Y = np.ones((12, 4), "float32"), np.ones((12, 1), "float32")


def test_a_function_kept_from_an_earlier_fit_records_batches_of_another_shape(tmp_path):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="dense")])
    model.compile("sgd", "mse")
    with tap.keras.Recorder(tmp_path / "run", every=1, metrics=False, graph=False) as rec:
        with rec.attached(model):
            model.train_on_batch(X, Y)
        model.fit(X, Y, batch_size=12, callbacks=[rec], verbose=0)
        model.fit(X, Y, batch_size=12, verbose=0)
        model.fit(X, Y, batch_size=8, callbacks=[rec], verbose=0)
    activations = tap.open(tmp_path)["run"].stats("activations/dense")
    assert activations.step.tolist() == [0, 1, 3, 4]
    assert activations.count.tolist() == [12, 12, 8, 4]


def test_a_patch_that_somebody_has_wrapped_meanwhile_is_not_put_around_itself():
    class Counter:
        def method(self):
            return 1

    def around(call):
        return 10 * call()

    counter = Counter()
    undo = patch.install(counter, "method", around)
    ours = counter.method
    counter.method = lambda: 100 + ours()
    undo()
    assert counter.method() == 101
    undo = patch.install(counter, "method", around)
    assert counter.method() == 1010
    undo()
    assert counter.method() == 101
