"""What people ask of fit at each epoch: arrays, checkpoints that join them, a progress line, a log that grows."""

import csv
import re

import numpy as np
import pytest

EPOCHS = range(5)


@pytest.fixture(scope="module")
def trained(run_script_in, tmp_path_factory):
    """(where this has run, what it printed, the truth): three epochs, and then two more."""
    folder = tmp_path_factory.mktemp("each_epoch")
    printed = run_script_in(
        folder,
        """
        import json, os
        import keras, numpy as np
        import tensortap as tap
        keras.utils.set_random_seed(3)
        x = np.random.default_rng(0).normal(size=(96, 6)).astype("float32")
        y = np.abs(x[:, :3]).argmax(axis=1)
        x_val, y_val = x[64:], y[64:]
        layers = [keras.layers.Dense(8, "relu", name="hidden"), keras.layers.Dense(3, "softmax", name="out")]
        model = keras.Sequential([keras.Input((6,)), *layers])
        model.compile(keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["accuracy"])
        truth = {"y_val": y_val}

        def forward(inputs):
            kernel, bias, out_kernel, out_bias = model.get_weights()
            hidden = np.maximum(inputs @ kernel + bias, 0)
            raised = np.exp(hidden @ out_kernel + out_bias)
            return hidden, raised / raised.sum(axis=1, keepdims=True)

        class Truth(keras.callbacks.Callback):
            def on_epoch_begin(self, epoch, logs=None):  # one batch an epoch: its activations are of these weights
                truth[f"hidden_{epoch}"] = forward(x[:64])[0]
            def on_epoch_end(self, epoch, logs=None):
                truth[f"predictions_{epoch}"] = forward(x_val)[1]
                truth[f"loss_{epoch}"] = logs["loss"]

        for first, last in ((0, 3), (3, 5)):
            layer = tap.keras.Recorder(
                "runs/layer", mode="resume", metrics=False, gradients=False, weights=False,
                activations=tap.capture("hidden", every=tap.epochs(1), what="tensor"),
                sinks=[tap.sinks.npy("output/data", pattern="epoch_{epoch}.npy", mode="append")],
            )
            whole = tap.keras.Recorder(
                "runs/whole", mode="resume", activations=False, gradients=False, weights=False,
                predictions=(x_val, y_val), checkpoints="checkpoints",
                sinks=[
                    tap.sinks.npy("validation_output", mode="append"),
                    tap.sinks.csv("log", mode="append"),
                    tap.sinks.print(samples=0),
                ],
            )
            with layer, whole:
                fitted = dict(batch_size=64, shuffle=False, verbose=0, initial_epoch=first, epochs=last)
                model.fit(x[:64], y[:64], callbacks=[layer, whole, Truth()], **fitted)

        links = [os.readlink(entry) for entry in os.scandir("/proc/self/fd") if os.path.exists(entry)]
        truth["open_files"] = [link for link in links if link.startswith(os.getcwd())]
        for epoch in range(5):
            model.load_weights(f"checkpoints/epoch_{epoch}.weights.h5")
            truth[f"restored_{epoch}"] = model.predict(x_val, verbose=0)
        np.savez("truth.npz", **truth)
        """,
    )
    return folder, printed, np.load(folder / "truth.npz")


def test_001_2_a_layers_activations_each_epoch_in_a_directory_that_is_made(trained):
    folder, _, truth = trained
    assert sorted(path.name for path in (folder / "output/data").iterdir()) == [f"epoch_{n}.npy" for n in EPOCHS]
    for epoch in EPOCHS:
        array = np.load(folder / f"output/data/epoch_{epoch}.npy", allow_pickle=False)
        assert array.shape == (64, 8)
        np.testing.assert_allclose(array, truth[f"hidden_{epoch}"], rtol=1e-4, atol=1e-6)


def test_001_4_predictions_and_labels_of_the_validation_set_each_epoch(trained):
    folder, _, truth = trained
    for epoch in EPOCHS:
        predictions = np.load(folder / f"validation_output/epoch_{epoch}_predictions.npy", allow_pickle=False)
        np.testing.assert_allclose(predictions, truth[f"predictions_{epoch}"], rtol=1e-4)
        labels = np.load(folder / f"validation_output/epoch_{epoch}_labels.npy", allow_pickle=False)
        np.testing.assert_array_equal(labels, truth["y_val"])
    assert not np.allclose(truth["predictions_0"], truth["predictions_4"])  # they are of their epochs


def test_001_6_checkpoints_have_the_numbers_of_the_outputs_that_they_gave(trained):
    folder, _, truth = trained
    for epoch in EPOCHS:
        recorded = np.load(folder / f"validation_output/epoch_{epoch}_predictions.npy", allow_pickle=False)
        np.testing.assert_allclose(recorded, truth[f"restored_{epoch}"], rtol=1e-5)


def test_001_7_a_line_of_progress_for_each_epoch(trained):
    _, printed, truth = trained
    lines = re.findall(r"^epoch (\d+)  step \d+ .*?loss (\S+)  accuracy (\S+)", printed, re.MULTILINE)
    assert [int(epoch) for epoch, _, _ in lines] == list(EPOCHS)
    for epoch, loss, _ in lines:
        assert float(loss) == pytest.approx(float(truth[f"loss_{epoch}"]), rel=1e-3)


def test_001_8_a_log_file_to_which_a_later_fit_appends(trained):
    folder, _, truth = trained
    with (folder / "log/metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == list(EPOCHS)
    for row in rows:
        assert float(row["loss"]) == pytest.approx(float(truth[f"loss_{row['epoch']}"]), rel=1e-6)


def test_001_10_no_file_stays_open(trained):
    _, _, truth = trained
    assert truth["open_files"].tolist() == []
