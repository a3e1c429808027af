"""What people ask of TensorFlow 1's way: graph, Session and feed_dict; with tf_keras; beside eager tensors."""

import csv
import re

import numpy as np
import pytest

import tensortap as tap

EPOCHS = range(5)


def load(path) -> np.ndarray:
    return np.load(path, allow_pickle=False)


@pytest.fixture(scope="module")
def session(run_example_in, tmp_path_factory):
    """(where the example has run, what it printed, the truth): what the graph gives with the weights of each epoch."""
    folder = tmp_path_factory.mktemp("session")
    printed = run_example_in(
        folder,
        "each_epoch_tf1.py",
        """
        import gc
        truth = {"is_closed": session._closed, "default_session": tf.get_default_session() is not None}
        truth["sessions"] = sum(isinstance(one, tf.Session) for one in gc.get_objects())
        links = [os.readlink(entry) for entry in os.scandir("/proc/self/fd") if os.path.exists(entry)]
        truth["open_files"] = [link for link in links if link.startswith(os.getcwd())]
        with tf.Session() as another:
            for epoch in range(5):
                saver.restore(another, f"runs/tf1/checkpoints/model-{epoch}")
                wanted = {"out": logits, "activations": hidden, "predictions": probabilities}
                wanted |= {"loss": loss, "accuracy": accuracy, "global_step": tf.train.get_global_step()}
                values = another.run(wanted, {x: x_val, y: y_val})
                truth |= {f"{name}_{epoch}": value for name, value in values.items()}
        np.savez("truth.npz", y_val=y_val, **truth)
        """,
    )
    return folder, printed, np.load(folder / "truth.npz")


def test_001_3_a_graph_with_a_session_and_feed_dict(session):
    folder, _, truth = session
    for epoch in EPOCHS:
        for name in ("out", "activations"):
            array = load(folder / f"output_data/epoch_{epoch}_{name}.npy")
            np.testing.assert_allclose(array, truth[f"{name}_{epoch}"], rtol=1e-5, atol=1e-6)
    run = tap.open(folder / "runs")["tf1"]
    assert run.scalars("train/loss").step.tolist() == list(range(40))
    assert run.scalars("train/loss").value[-8:].mean() < run.scalars("train/loss").value[:8].mean()
    assert run.tags(kind="graphs")
    for epoch in EPOCHS:
        recorded = load(folder / f"output_data/epoch_{epoch}_predictions.npy")
        np.testing.assert_allclose(recorded, truth[f"predictions_{epoch}"], rtol=1e-5)
        np.testing.assert_array_equal(load(folder / f"output_data/epoch_{epoch}_labels.npy"), truth["y_val"])


def test_001_5_a_tensor_evaluated_on_validation_data_after_each_epoch_of_a_loop(session):
    folder, _, truth = session
    outputs = [load(folder / f"output_data/epoch_{epoch}_out.npy") for epoch in EPOCHS]
    assert all(one.shape == (64, 2) for one in outputs)
    assert not np.allclose(outputs[0], outputs[4])
    np.testing.assert_allclose(outputs[4], truth["out_4"], rtol=1e-5, atol=1e-6)


def test_001_6_savers_checkpoints_have_the_numbers_of_the_outputs_that_they_gave(session):
    folder, _, truth = session
    assert [int(truth[f"global_step_{epoch}"]) for epoch in EPOCHS] == [8, 16, 24, 32, 40]
    for epoch in EPOCHS:
        array = load(folder / f"output_data/epoch_{epoch}_out.npy")
        np.testing.assert_allclose(array, truth[f"out_{epoch}"], rtol=1e-5, atol=1e-6)


def test_001_7_a_line_of_progress_for_each_epoch_of_a_session(session):
    _, printed, truth = session
    lines = re.findall(r"^epoch (\d+)  step .*?test_loss (\S+)", printed, re.MULTILINE)
    assert [int(epoch) for epoch, _ in lines] == list(EPOCHS)
    assert float(lines[-1][1]) == pytest.approx(float(truth["loss_4"]), rel=1e-3)


def test_001_10_training_and_evaluation_are_apart_and_nothing_is_left_open(session):
    folder, _, truth = session
    run = tap.open(folder / "runs")["tf1"]
    test = run.scalars("test/loss")
    assert test.step.tolist() == [8, 16, 24, 32, 40]  # the global step, beside which the training's loss is drawn
    np.testing.assert_allclose(test.value, [truth[f"loss_{epoch}"] for epoch in EPOCHS], rtol=1e-5)
    with (folder / "out/metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == list(EPOCHS)
    for row, epoch in zip(rows, EPOCHS, strict=True):
        assert float(row["test_accuracy"]) == pytest.approx(float(truth[f"accuracy_{epoch}"]), rel=1e-6)
    assert truth["is_closed"] and not truth["default_session"]
    assert int(truth["sessions"]) == 1 and truth["open_files"].tolist() == []


def test_002_9_what_was_tapped_records_with_every_run_of_the_session_and_nothing_is_merged(session):
    folder, _, truth = session
    run = tap.open(folder / "runs")["tf1"]
    hidden = run.stats("hidden")
    assert len(hidden.step) == 40 + 3 * 5  # each training step, and the three runs on x_val after each epoch
    assert sorted(set(hidden.step.tolist())) == list(range(41))
    np.testing.assert_allclose(hidden.max[-1], truth["activations_4"].max(), rtol=1e-5)


@pytest.fixture(scope="module")
def legacy(run_script_in, tmp_path_factory):
    """A tf_keras model in a graph, trained by fit within a session."""
    folder = tmp_path_factory.mktemp("legacy")
    run_script_in(
        folder,
        """
        import numpy as np, tensorflow as tf
        import tensortap as tap
        tf.compat.v1.disable_eager_execution()
        keras = tf.keras
        x = np.random.default_rng(0).normal(size=(96, 6)).astype("float32")
        y = np.abs(x[:, :3]).argmax(axis=1)
        x_val, y_val = x[64:], y[64:]
        truth = {"y_val": y_val}
        with tf.compat.v1.Session() as session:
            tf.compat.v1.keras.backend.set_session(session)
            layers = [keras.layers.Dense(8, "relu", name="hidden"), keras.layers.Dense(3, "softmax", name="out")]
            model = keras.Sequential([keras.Input((6,)), *layers])
            model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])

            class Truth(keras.callbacks.Callback):
                def on_epoch_end(self, epoch, logs=None):
                    truth[f"predictions_{epoch}"] = model.predict(x_val)

            fit = tap.keras.Recorder(
                "runs/fit", predictions=(x_val, y_val), sinks=[tap.sinks.npy("fit"), tap.sinks.csv("fit")]
            )
            with fit, tap.tf1.SessionRecorder("runs/beside", session, sinks=[tap.sinks.npy("beside")]) as beside:
                class Beside(keras.callbacks.Callback):
                    def on_epoch_end(self, epoch, logs=None):
                        beside.capture({"hidden": model.layers[0].output}, {model.input: x_val}, step=epoch)
                        truth[f"hidden_{epoch}"] = session.run(model.layers[0].output, {model.input: x_val})
                history = model.fit(x[:64], y[:64], epochs=3, verbose=0, callbacks=[fit, Beside(), Truth()])
            truth["loss"] = history.history["loss"]
        np.savez("truth.npz", **truth)
        """,
        environment={"TF_USE_LEGACY_KERAS": "1"},
    )
    return folder, np.load(folder / "truth.npz")


def test_001_3_tf_keras_in_a_session_has_its_outputs_recorded_by_fit_and_beside_it(legacy):
    folder, truth = legacy
    for epoch in range(3):
        array = load(folder / f"fit/epoch_{epoch}_predictions.npy")
        np.testing.assert_allclose(array, truth[f"predictions_{epoch}"], rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(load(folder / f"fit/epoch_{epoch}_labels.npy"), truth["y_val"])
        array = load(folder / f"beside/epoch_{epoch}_hidden.npy")
        np.testing.assert_allclose(array, truth[f"hidden_{epoch}"], rtol=1e-5, atol=1e-6)
    with (folder / "fit/metrics.csv").open(newline="") as file:
        losses = [float(row["loss"]) for row in csv.DictReader(file)]
    np.testing.assert_allclose(losses, truth["loss"], rtol=1e-6)


def test_000_2_tensors_of_a_session_and_eager_tensors_are_recorded_alike(run_script, tmp_path):
    run_script("""
        import numpy as np, tensorflow as tf
        import tensortap as tap
        x = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
        w = np.random.default_rng(1).normal(size=(4, 3)).astype("float32")

        with tap.Run("runs/eager", sinks=[tap.sinks.npy("eager")]) as run:
            for step in range(3):
                out = tf.tanh((x + step) @ w)
                run.tensor("out", out, step=step); run.histogram("out", out, step=step)
                run.scalar("mean", tf.reduce_mean(out), step=step)

        v1 = tf.compat.v1
        with tf.Graph().as_default():
            placeholder = v1.placeholder(tf.float32, [None, 4])
            out = tf.tanh(placeholder @ w)
            step = v1.train.get_or_create_global_step()
            tensors, options = {"out": out, "mean": tf.reduce_mean(out)}, {"what": ("stats", "tensor")}
            hook = tap.tf1.RecorderHook("runs/hook", tensors, sinks=[tap.sinks.npy("hook")], **options)
            advance = v1.assign_add(step, 1)
            with v1.train.MonitoredSession(hooks=[hook]) as session:
                for number in range(3):
                    session.run(advance, {placeholder: x + number})
            with v1.Session() as session:
                rec = tap.tf1.SessionRecorder("runs/session", session, sinks=[tap.sinks.npy("session")])
                for number in range(3):
                    rec.capture(tensors, {placeholder: x + number}, step=number)
                rec.close()
        np.save("truth.npy", [np.tanh((x + step) @ w) for step in range(3)])
    """)
    truth, runs = load(tmp_path / "truth.npy"), tap.open(tmp_path / "runs")
    files = {"eager": "step_{}_out.npy", "hook": "step_{}_out.npy", "session": "epoch_{}_out.npy"}
    for name in ("eager", "hook", "session"):
        run = runs[name]
        assert {"out", "mean"} <= set(run.tags())
        assert run.steps("out").tolist()[:1] == [0] and set(run.steps("out").tolist()) == {0, 1, 2}
        np.testing.assert_allclose(run.scalars("mean").value, truth.mean(axis=(1, 2)), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(run.stats("out").l2, np.sqrt((truth**2).sum(axis=(1, 2))), rtol=1e-5)
        for step in range(3):
            np.testing.assert_allclose(run.tensor("out", step=step), truth[step], rtol=1e-5, atol=1e-6)
            array = load(tmp_path / name / files[name].format(step))
            np.testing.assert_array_equal(array, run.tensor("out", step=step))
