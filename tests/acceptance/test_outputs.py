"""What people ask of recording outputs: samples with labels after epochs, printed, as CSV, in databases, as files."""

import csv
import json
import re
import sqlite3

import numpy as np
import pandas
import pytest
from PIL import Image

import tensortap as tap

EPOCHS = [0, 2, 4]
COLUMNS = ["epoch", "step", "id", "label", *(f"class_{k}" for k in range(4))]


@pytest.fixture(scope="module")
def database(server, new_database):
    name = new_database()
    return server.url(name, sslmode="require"), lambda sql: server.ask(name, sql)


@pytest.fixture(scope="module")
def outputs(run_example_in, tmp_path_factory, database):
    """(where the example has run, what it printed, the truth about its model)"""
    folder = tmp_path_factory.mktemp("outputs")
    printed = run_example_in(
        folder,
        "record_outputs.py",
        """
        import json
        samples = {"again": tap.sample(x_val, y_val, 10, seed=1), "other": tap.sample(x_val, y_val, 10, seed=2)}
        np.savez(
            "truth.npz", y_val=y_val, y_train=y_train, report=json.dumps(rec.report()),
            val=model.predict(x_val, verbose=0), train=model.predict(x_train, verbose=0),
            **{name: sample.ids for name, sample in samples.items()},
        )
        """,
        database[0],
    )
    return folder, printed, np.load(folder / "truth.npz")


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def class_values(row) -> list[float]:
    return [float(row[f"class_{k}"]) for k in range(4)]


def test_000_4_a_seeded_sample_of_validation_outputs_with_their_true_labels(outputs):
    folder, _, truth = outputs
    last = tap.open(folder / "runs")["outputs"].predictions("val")
    assert len(set(last.ids.tolist())) == 10  # without replacement
    assert last.ids.tolist() != list(range(10)) and last.ids.max() < 200
    np.testing.assert_array_equal(last.ids, truth["again"])
    assert last.ids.tolist() != truth["other"].tolist()
    np.testing.assert_array_equal(last.y_true, truth["y_val"][last.ids])
    np.testing.assert_allclose(last.y_pred, truth["val"][last.ids], rtol=1e-5)


def test_000_5_every_few_epochs_and_of_the_training_set_at_a_stated_cost(outputs):
    folder, printed, truth = outputs
    run = tap.open(folder / "runs")["outputs"]
    for name in ("val", "train"):
        assert run.steps(f"predictions/{name}").tolist() == [32 * (epoch + 1) for epoch in EPOCHS]
    last = run.predictions("train")
    np.testing.assert_array_equal(last.y_true, truth["y_train"][last.ids])
    np.testing.assert_allclose(last.y_pred, truth["train"][last.ids], rtol=1e-5)
    assert re.search(r"predictions/train .*each 2 epochs", printed)  # the plan
    seconds = run.scalars("tensortap/predictions_seconds")
    assert len(seconds) == len(EPOCHS) and 0 < seconds.value[-1] < 1
    report = json.loads(str(truth["report"]))
    assert report["dropped"] == 0 and 0 < report["caller_seconds"] < 1


def test_000_6_a_readable_line_for_each_sample(outputs):
    folder, printed, _ = outputs
    rows = [row for row in rows_of(folder / "out/predictions.csv") if row["epoch"] == "4"]
    for row in rows[:3]:
        values = class_values(row)
        found = re.search(
            rf"val id {row['id']}  label {row['label']}  predicted (\d) \((\S+)\)\n",
            printed[printed.index("epoch 4") :],
        )
        assert int(found[1]) == np.argmax(values) and float(found[2]) == pytest.approx(max(values), rel=1e-3)
    assert "... and 7 more" in printed and re.search(r"val: \d+ of 10 right", printed)


def test_000_7_a_csv_that_every_reader_parses_one_row_per_sample(outputs):
    folder, _, truth = outputs
    text = (folder / "out/predictions.csv").read_text()
    assert text.splitlines()[0].split(",") == COLUMNS
    assert len(text.splitlines()) == 1 + 10 * len(EPOCHS)
    rows = rows_of(folder / "out/predictions.csv")
    assert [int(row["epoch"]) for row in rows] == [epoch for epoch in EPOCHS for _ in range(10)]  # appended
    for row in rows:
        assert int(row["label"]) == truth["y_val"][int(row["id"])]
    for row in rows[-10:]:
        assert class_values(row) == pytest.approx(truth["val"][int(row["id"])], rel=1e-5)
    table = pandas.read_csv(folder / "out/predictions.csv")
    assert table.shape == (30, len(COLUMNS)) and all(kind.kind in "if" for kind in table.dtypes)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_000_8_the_same_rows_in_a_database(outputs, database, kind):
    folder, _, _ = outputs
    query = "SELECT epoch, step, id, label, output FROM {}predictions WHERE name = 'val' ORDER BY epoch, sequence, item"
    if kind == "sqlite":
        with sqlite3.connect(folder / "outputs.db") as file:
            found = [(*row[:4], json.loads(row[4])) for row in file.execute(query.format(""))]
    else:
        found = database[1](query.format("tensortap."))
    expected = [
        (int(row["epoch"]), int(row["step"]), row["id"], float(row["label"]), class_values(row))
        for row in rows_of(folder / "out/predictions.csv")
    ]
    assert len(found) == 30
    for row, other in zip(found, expected, strict=True):
        assert tuple(row[:4]) == other[:4]
        np.testing.assert_array_equal(np.float32(row[4]), np.float32(other[4]))


@pytest.fixture(scope="module")
def maps(run_script_in, tmp_path_factory):
    """Where a segmentation and a forecast were trained, and their outputs of the last epoch as predict() gives them."""
    folder = tmp_path_factory.mktemp("maps")
    run_script_in(
        folder,
        """
        import keras, numpy as np
        import tensortap as tap
        keras.utils.set_random_seed(1)
        none = dict(activations=False, gradients=False, weights=False)

        x = np.random.default_rng(0).random((10, 256, 256, 1), "float32")
        mask = (x > 0.5).astype("uint8")
        head = keras.layers.Conv2D(1, 1, activation="sigmoid")
        model = keras.Sequential([keras.Input((256, 256, 1)), keras.layers.Conv2D(2, 3, padding="same"), head])
        model.compile("adam", "binary_crossentropy")
        sinks = [tap.sinks.npy("maps"), tap.sinks.png("maps")]
        with tap.keras.Recorder("runs/maps", predictions=(x, mask), sinks=sinks, **none) as rec:
            model.fit(x, mask, batch_size=5, epochs=2, callbacks=[rec], verbose=0)
        np.savez("maps.npz", predictions=model.predict(x, verbose=0), labels=mask)

        wave = np.sin(np.arange(400) / 5).reshape(20, 20, 1).astype("float32")
        layers = [keras.layers.GRU(4, return_sequences=True), keras.layers.Dense(1)]
        model = keras.Sequential([keras.Input((20, 1)), *layers])
        model.compile("adam", "mse")
        sinks = [tap.sinks.npy("series"), tap.sinks.csv("series")]
        with tap.keras.Recorder("runs/series", predictions=(wave, wave[:, ::-1]), sinks=sinks, **none) as rec:
            model.fit(wave, wave[:, ::-1], epochs=2, callbacks=[rec], verbose=0)
        np.savez("series.npz", predictions=model.predict(wave, verbose=0), labels=wave[:, ::-1])
        """,
    )
    return folder


def test_000_10_all_predictions_as_one_array_file_with_their_shape_and_dtype(maps):
    truth = np.load(maps / "maps.npz")
    predictions = np.load(maps / "maps/epoch_1_predictions.npy", allow_pickle=False)
    assert predictions.shape == (10, 256, 256, 1) and predictions.dtype == np.float32
    np.testing.assert_allclose(predictions, truth["predictions"], rtol=1e-5)
    labels = np.load(maps / "maps/epoch_1_labels.npy", allow_pickle=False)
    assert labels.dtype == np.uint8
    np.testing.assert_array_equal(labels, truth["labels"])


def test_000_11_one_scaled_image_file_for_each_prediction(maps):
    truth = np.load(maps / "maps.npz")["predictions"]
    assert len(list((maps / "maps").glob("epoch_1_*.png"))) == 10
    for sample in range(10):
        with Image.open(maps / f"maps/epoch_1_predictions_{sample}.png") as picture:
            pixels = np.asarray(picture.convert("L"), float)
        values = truth[sample, ..., 0]
        scaled = (values - values.min()) / (values.max() - values.min()) * 255
        assert pixels.shape == (256, 256) and np.abs(pixels - scaled).max() <= 1


def test_000_12_sequences_are_recorded_as_class_vectors_are(maps):
    truth = np.load(maps / "series.npz")
    for name in ("predictions", "labels"):
        array = np.load(maps / f"series/epoch_1_{name}.npy", allow_pickle=False)
        assert array.shape == (20, 20, 1)
        np.testing.assert_allclose(array, truth[name], rtol=1e-5, atol=1e-7)
    rows = [row for row in rows_of(maps / "series/predictions.csv") if row["epoch"] == "1"]
    for row in rows:
        columns = [float(row[f"output_{t}_0"]) for t in range(20)]
        np.testing.assert_allclose(columns, truth["predictions"][int(row["id"]), :, 0], rtol=1e-5, atol=1e-7)
        labels = [float(row[f"label_{t}_0"]) for t in range(20)]
        np.testing.assert_allclose(labels, truth["labels"][int(row["id"]), :, 0], rtol=1e-6)
    stored = tap.open(maps / "runs")["series"].predictions("val")
    np.testing.assert_array_equal(stored.y_pred, np.load(maps / "series/epoch_1_predictions.npy"))
