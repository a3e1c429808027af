"""What people ask of intermediate tensors: taps inside of models, numbers inside of functions, whole loops."""

import csv

import numpy as np
import pytest
from tensorboard.util.tensor_util import make_ndarray

import tensortap as tap

STEPS = list(range(24))
LAYERS = {"attention": ["scores"], "hidden": ["kernel", "bias"], "out": ["kernel", "bias"]}


@pytest.fixture(scope="module")
def loop(run_example_in, tmp_path_factory):
    """(where the example has run, what it printed on stdout, the truth): the same training again without Tensortap."""
    folder = tmp_path_factory.mktemp("loop")
    printed = run_example_in(
        folder,
        "intermediate_tensors.py",
        """
        truth = {name: [] for name in ("loss", "gradient", "input_gradient", "share", "output", "hidden", "accuracy")}
        keras.utils.set_random_seed(0)
        layers = [Attention(), keras.layers.Dense(16, "tanh"), keras.layers.Dense(1)]
        model = keras.Sequential([keras.Input((8,)), *layers])
        optimizer = keras.optimizers.Adam(1e-2)
        for epoch in range(3):
            truth["share"].append(tf.nn.softmax(layers[0].scores))
            for inputs, labels in data:
                with tf.GradientTape() as tape:
                    tape.watch(inputs)
                    loss = loss_of(labels, model(inputs, training=True))
                truth["hidden"].append(layers[1](inputs * tf.nn.softmax(layers[0].scores)))
                *gradients, of_input = tape.gradient(loss, [*model.trainable_variables, inputs])
                truth["loss"].append(loss); truth["gradient"].append(gradients[0])
                truth["input_gradient"].append(of_input)
                optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            truth["output"].append(tf.sigmoid(model(x_val)))
            truth["accuracy"].append(np.mean(np.round(truth["output"][-1]) == y_val))
        np.savez("truth.npz", **{name: np.stack(values) for name, values in truth.items()})

        # Under fit: the tap in the layer's call records by itself.
        class Doubled(keras.layers.Layer):
            def call(self, inputs):
                return tap.tap(inputs * 2, "doubled", what="tensor", show=True)

        model = keras.Sequential([keras.Input((8,)), Doubled(), keras.layers.Dense(1)])
        model.compile("sgd", loss_of)
        with tap.Run("runs/fit"):
            model.fit(x[:256], y[:256], batch_size=64, shuffle=False, verbose=0)
        np.save("x.npy", x)
        """,
        errors=folder / "stderr",
    )
    return folder, printed, np.load(folder / "truth.npz")


def histograms(events, tag):
    return [(event.step, make_ndarray(event.tensor_proto)) for event in events.Tensors(tag)]


def test_000_13_a_tensor_inside_of_model_code_is_printed_and_kept_under_fit_and_in_functions(loop):
    folder, printed, truth = loop
    for tag, shape in (("attention/share", "[8]"), ("doubled", "[64,8]")):  # on stdout, not on stderr as tf.print
        lines = [line for line in printed.splitlines() if line.startswith(f"{tag} ")]
        assert len(lines) >= 3 and all(f"float32 {shape}" in line for line in lines)
        assert tag not in (folder / "stderr").read_text()
    assert f"[{truth['share'][0][0]:.4g}, {truth['share'][0][1]:.4g}, " in printed
    runs = tap.open(folder / "runs")
    np.testing.assert_allclose(runs["loop"].tensor("attention/share", step=0), truth["share"][0], rtol=1e-5)
    for step in range(4):
        batch = np.load(folder / "x.npy")[64 * step : 64 * (step + 1)]
        np.testing.assert_array_equal(runs["fit"].tensor("doubled", step=step), 2 * batch)


def test_000_15_the_loss_of_every_step_from_inside_of_a_function(loop, read_events):
    folder, _, truth = loop
    losses = histograms(read_events(folder / "runs/loop"), "loss")
    assert [step for step, _ in losses] == STEPS  # optimizer.iterations
    np.testing.assert_allclose([float(value) for _, value in losses], truth["loss"], rtol=1e-3)


def test_000_17_histograms_of_any_tensor_of_the_step_and_of_gradients(loop, read_events):
    folder, _, truth = loop
    events = read_events(folder / "runs/loop")
    for tag in ("gradient_of_scores", "gradients/attention/scores"):
        recorded = histograms(events, tag)
        assert [step for step, _ in recorded] == STEPS
        assert all(rows[:, 2].sum() == 8 for _, rows in recorded)
    run = tap.open(folder / "runs")["loop"]
    np.testing.assert_allclose(
        run.stats("gradient_of_scores").l2, np.linalg.norm(truth["gradient"], axis=1), rtol=1e-2, atol=1e-6
    )
    np.testing.assert_array_equal(run.stats("gradient_of_scores").l2, run.stats("gradients/attention/scores").l2)


def test_001_5_an_output_for_validation_data_after_each_epoch_of_a_gradient_tape_loop(loop):
    folder, _, truth = loop
    for epoch in range(3):
        array = np.load(folder / f"arrays/epoch_{epoch}_validation_output.npy", allow_pickle=False)
        assert array.shape == (64, 1)
        np.testing.assert_allclose(array, truth["output"][epoch], rtol=1e-3)


def test_002_4_intermediate_tensors_stored_at_chosen_points(loop):
    folder, _, truth = loop
    run = tap.open(folder / "runs")["loop"]
    # The first batch of each epoch, and of its validation.
    assert run.steps("attention/share").tolist() == [0, 8, 16]
    assert run.steps("val/attention/share").tolist() == [8, 16, 24]
    for epoch in range(3):
        array = np.load(folder / f"arrays/epoch_{epoch}_attention_share.npy", allow_pickle=False)
        np.testing.assert_allclose(array, truth["share"][epoch], rtol=1e-4)


def test_002_9_everything_is_recorded_by_one_call_and_merged_by_none(loop):
    folder, _, truth = loop
    run = tap.open(folder / "runs")["loop"]
    tags = {f"activations/{layer}" for layer in LAYERS} | {"input_gradients/input", "gradient_of_scores"}
    for kind in ("gradients", "weights"):
        tags |= {f"{kind}/{layer}/{name}" for layer, names in LAYERS.items() for name in names}
    assert tags <= set(run.tags(kind="stats"))
    for tag in tags:
        assert run.stats(tag).step.tolist() == STEPS, tag
    for tag, name in (("activations/hidden", "hidden"), ("input_gradients/input", "input_gradient")):
        expected = np.sqrt((truth[name] ** 2).sum(axis=(1, 2)))
        np.testing.assert_allclose(run.stats(tag).l2, expected, rtol=1e-2)


def test_003_2_metrics_as_csv_from_a_gradient_tape_loop(loop):
    folder, _, truth = loop
    with (folder / "out/metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["epoch"]) for row in rows] == [0, 1, 2]
    np.testing.assert_allclose([float(row["loss"]) for row in rows], truth["loss"][7::8], rtol=1e-3)
    np.testing.assert_allclose([float(row["val_accuracy"]) for row in rows], truth["accuracy"], atol=0.02)
    with (folder / "out/steps.csv").open(newline="") as file:
        losses = {int(row["step"]): float(row["loss"]) for row in csv.DictReader(file) if row["loss"]}
    assert sorted(losses) == STEPS
    np.testing.assert_allclose([losses[step] for step in STEPS], truth["loss"], rtol=1e-3)
