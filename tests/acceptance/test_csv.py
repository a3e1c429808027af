"""What people ask of CSV: metrics, outputs beside labels, weights of every rank; read by Python's csv and by pandas."""

import csv

import numpy as np
import pandas
import pytest

RATES = ("rate_0.001", "rate_0.01")
METRICS = {"loss", "accuracy", "val_loss", "val_accuracy"}


@pytest.fixture(scope="module")
def tables(run_example_in, tmp_path_factory):
    """(where the example has run, the truth about its second model)"""
    folder = tmp_path_factory.mktemp("csv")
    run_example_in(
        folder,
        "to_csv.py",
        """
        history = {f"history/{name}": values for name, values in model.history.history.items()}
        weights = {f"weights/{v.path.removeprefix(model.name + '/')}": v.numpy() for v in model.weights}
        np.savez("truth.npz", predictions=model.predict(x[300:], verbose=0), labels=y[300:], **history, **weights)

        class Odd(keras.layers.Layer):
            def build(self, shape):
                self.scale = self.add_weight(shape=(), initializer="ones", dtype="bfloat16", name="scale")
                self.half = self.add_weight(shape=(1, 2, 1, 2), initializer="normal", dtype="float16", name="half")
                options = {"initializer": "ones", "dtype": "int32", "trainable": False}
                self.calls = self.add_weight(shape=(2,), name="calls", **options)
            def call(self, inputs):
                factor = keras.ops.cast(self.scale, "float32") + keras.ops.sum(keras.ops.cast(self.half, "float32"))
                return inputs * factor

        def block(name):
            layers = [keras.layers.Dense(8, name="dense"), Odd(name="odd")]
            return keras.Sequential([keras.Input((8,)), *layers], name=name)

        blocks = {"a": block("a"), "b": block("b")}
        odd = keras.Sequential([keras.Input((8,)), *blocks.values()])
        odd.compile("sgd", "mse")
        choice = tap.capture("**", every=tap.epochs(1), what="tensor")
        options = {"weights": choice, "activations": False, "gradients": False, "sinks": tap.sinks.csv("out/odd")}
        with tap.keras.Recorder("runs/odd", **options) as rec:
            odd.fit(x[:64, :, 0, 0], x[:64, :, 0, 0], callbacks=[rec], verbose=0)
        truth = {
            f"{name}/{layer.name}/{variable.name}": variable.numpy().astype("float64")
            for name, one in blocks.items() for layer in one.layers for variable in layer.weights
        }
        np.savez("odd.npz", **truth)
        """,
    )
    return folder, np.load(folder / "truth.npz")


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def assert_equal_weights(rows, truth: dict[str, np.ndarray]):
    """Every element of every variable has a row of its own, and no row is anything else."""
    found = {(f"{row['layer']}/{row['parameter']}", row["index"]): float(row["value"]) for row in rows}
    assert len(found) == len(rows)
    expected = {
        (path, ",".join(map(str, index))): value
        for path, array in truth.items()
        for index, value in np.ndenumerate(array)
    }
    assert found.keys() == expected.keys()
    np.testing.assert_allclose([found[key] for key in expected], list(expected.values()), rtol=1e-6)


def test_003_1_one_row_per_epoch_with_header_and_without_blank_lines(tables):
    folder, truth = tables
    text = (folder / "out/rate_0.01/metrics.csv").read_bytes().decode()
    lines = text.splitlines()
    assert len(lines) == 1 + 4 and all(lines) and text.endswith("\n")
    rows = rows_of(folder / "out/rate_0.01/metrics.csv")
    assert lines[0].startswith("epoch,step,") and METRICS | {"learning_rate"} <= rows[0].keys()
    assert [int(row["epoch"]) for row in rows] == [0, 1, 2, 3]
    for name in METRICS:
        np.testing.assert_allclose([float(row[name]) for row in rows], truth[f"history/{name}"], rtol=1e-5)
    assert all(float(row["learning_rate"]) == np.float32(0.01) for row in rows)


def test_003_3_runs_are_compared_from_their_files(tables):
    folder, _ = tables
    both = pandas.concat({name: pandas.read_csv(folder / f"out/{name}/metrics.csv") for name in RATES}, names=["run"])
    assert len(both) == 8 and not both[sorted(METRICS)].isna().any().any()
    wide = both.reset_index("run").pivot(index="epoch", columns="run", values="val_loss")
    assert wide.shape == (4, 2) and (wide["rate_0.001"] != wide["rate_0.01"]).all()
    assert both.loc["rate_0.001", "learning_rate"].iloc[0] == pytest.approx(0.001)


def test_003_4_label_and_one_column_per_class(tables):
    folder, truth = tables
    rows = rows_of(folder / "out/rate_0.01/predictions.csv")
    assert list(rows[0]) == ["epoch", "step", "id", "label", "class_0", "class_1", "class_2"]
    last = [row for row in rows if row["epoch"] == "3"]
    assert len(rows) == 400 and len(last) == 100
    assert [int(row["label"]) for row in last] == truth["labels"].tolist()
    values = [[float(row[f"class_{k}"]) for k in range(3)] for row in last]
    np.testing.assert_allclose(values, truth["predictions"], rtol=1e-4, atol=1e-7)


def test_003_5_rows_name_their_samples(tables):
    folder, truth = tables
    table = pandas.read_csv(folder / "out/rate_0.01/predictions.csv")
    last = table[table.epoch == 3].set_index("id")
    assert last.index.is_unique and last.index[0] == "picture_300.png"
    assert last.loc["picture_317.png", "label"] == truth["labels"][17]
    assert last.loc["picture_317.png", "class_1"] == pytest.approx(truth["predictions"][17, 1], rel=1e-4)


def test_003_6_weights_and_biases_as_layer_parameter_index_value(tables):
    folder, truth = tables
    rows = rows_of(folder / "out/rate_0.01/weights.csv")
    assert list(rows[0]) == ["epoch", "step", "layer", "parameter", "index", "value"]
    last = [row for row in rows if row["epoch"] == "3" and row["layer"] == "classes"]
    assert_equal_weights(last, {f"classes/{name}": truth[f"weights/classes/{name}"] for name in ("kernel", "bias")})
    assert sorted({row["epoch"] for row in rows}) == ["0", "1", "2", "3"]


def test_003_7_convolutions_batch_norm_scalars_and_every_dtype_with_names_of_their_own(tables):
    folder, truth = tables
    rows = [row for row in rows_of(folder / "out/rate_0.01/weights.csv") if row["epoch"] == "3"]
    weights = {name.removeprefix("weights/"): truth[name] for name in truth.files if name.startswith("weights/")}
    assert weights["conv/kernel"].ndim == 4 and "norm/moving_variance" in weights
    assert_equal_weights(rows, weights)
    odd = np.load(folder / "odd.npz")
    assert set(odd.files) == {
        f"{b}/{n}" for b in "ab" for n in ("dense/kernel", "dense/bias", "odd/scale", "odd/half", "odd/calls")
    }
    assert_equal_weights(rows_of(folder / "out/odd/weights.csv"), {name: odd[name] for name in odd.files})
