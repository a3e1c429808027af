"""tap.sample, and what the option `predictions` takes."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap
from tensortap.samples import to_sets

X = np.arange(40, dtype=np.float32).reshape(20, 2)
Y = np.arange(20)


def test_a_sample_is_drawn_without_replacement_and_the_same_for_the_same_seed():
    one, again, other = (tap.sample(X, Y, 8, seed=seed) for seed in (0, 0, 1))
    assert len(one) == 8 and len(set(one.ids.tolist())) == 8
    np.testing.assert_array_equal(one.ids, again.ids)
    assert one.ids.tolist() != other.ids.tolist()
    np.testing.assert_array_equal(one.x, X[one.ids])
    np.testing.assert_array_equal(one.y, Y[one.ids])


def test_each_sample_is_drawn_as_often_as_any_other():
    counts = np.zeros(20)
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(7)
    batches = [(x.numpy(), y.numpy()) for x, y in data]
    for seed in range(400):
        counts[tap.sample(lambda: iter(batches), count=5, seed=seed).ids] += 1
    # 100 expected each; a reservoir that is off by one leaves the first or the last far away.
    assert counts.min() > 60 and counts.max() < 145


def test_a_data_set_is_read_once_and_its_positions_are_the_ids():
    reads = []

    def batches():
        reads.append(1)
        for begin in range(0, 20, 6):
            yield {"a": X[begin : begin + 6]}, Y[begin : begin + 6]

    drawn = tap.sample(batches, count=4)
    assert reads == [1]
    np.testing.assert_array_equal(drawn.x["a"], X[drawn.ids])
    np.testing.assert_array_equal(drawn.y, drawn.ids)
    assert len(tap.sample(batches, count=50)) == 20
    named = tap.sample(batches, count=4, ids=[f"s{i}" for i in range(20)])
    assert list(named.ids) == [f"s{i}" for i in drawn.ids]


def test_ids_of_ones_own_stay_with_their_samples():
    drawn = tap.sample([X, X * 2], {"a": Y, "b": Y * 3}, 5, ids=Y + 1000)
    np.testing.assert_array_equal(drawn.x[1], 2 * X[drawn.ids - 1000])
    np.testing.assert_array_equal(drawn.y["b"], 3 * (drawn.ids - 1000))


class Pairs(keras.utils.PyDataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return X[index * 10 : index * 10 + 10], Y[index * 10 : index * 10 + 10]


@pytest.mark.parametrize(
    "given",
    [
        (X, Y),
        (X.tolist(), Y.tolist()),
        (tf.constant(X), tf.constant(Y), np.ones(20)),
        tf.data.Dataset.from_tensor_slices((X, Y)).batch(6),
        Pairs(),
        lambda: iter([(X, Y)]),
        [(X[:5], Y[:5]), (X[5:], Y[5:])],
        tap.sample(X, Y, 20),
    ],
    ids=["arrays", "lists", "tensors", "tf.data", "PyDataset", "function", "list of batches", "sample"],
)
def test_predictions_take_samples_however_they_come(given):
    if isinstance(given, list):
        given = (lambda batches: lambda: batches)(given)
    one = to_sets(given)["val"]
    batches = list(one.batches(7))
    np.testing.assert_array_equal(np.concatenate([np.asarray(x) for x, _ in batches]), X)
    labels = one.y if one.y is not None else np.concatenate([y for _, y in batches])
    np.testing.assert_array_equal(labels, Y)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ((X, Y[:-1]), ValueError, r"predictions 'val': x has 20 samples, y has 19"),
        (([X, X[:3]], Y), ValueError, r"predictions 'val': x must be arrays .* \[20, 2\], \[3, 2\]"),
        ((X[:0], Y[:0]), ValueError, "there are no samples"),
        (iter([(X, Y)]), TypeError, "a generator gives its batches once"),
        (tf.data.Dataset.from_tensors((X, Y)).repeat(), ValueError, "has no end; .* data.take"),
        ({"val": 3}, TypeError, r"predictions 'val': give \(x, y\)"),
        ({3: (X, Y)}, TypeError, "named by str"),
        ((X, Y, Y, Y), ValueError, "not a tuple of 4"),
        ((keras.Input((2,)), Y), TypeError, "KerasTensor has no values"),
    ],
)
def test_wrong_samples_are_refused_at_once(given, error, message, tmp_path):
    with pytest.raises(error, match=message):
        tap.keras.Recorder(tmp_path / "run", predictions=given)
    assert not (tmp_path / "run").exists()


def test_wrong_samples_are_refused_by_tap_sample():
    with pytest.raises(ValueError, match="count must be above 0"):
        tap.sample(X, Y, 0)
    with pytest.raises(TypeError, match="the labels of a data set are in its batches"):
        tap.sample(tf.data.Dataset.from_tensors(X), Y)
    with pytest.raises(ValueError, match="ids are a list, one for each of 20 samples"):
        tap.sample(X, Y, 3, ids=[1, 2])
    with pytest.raises(ValueError, match="the data set is empty"):
        tap.sample(lambda: iter(()), count=3)
