"""What people ask of one training with fit, all read from the files that a single recorded fit left behind."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from google.protobuf import text_format
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.context import RequestContext
from tensorboard.plugins import base_plugin
from tensorboard.plugins.graph import graphs_plugin
from tensorboard.util.tensor_util import make_ndarray

import tensortap as tap

STEPS = list(range(30))
# Keras calls every kernel "kernel"; layers without a name of their own are numbered.
SIZES = {"conv2d": (4 * 9, 4), "dense": (144 * 8, 8), "dense_1": (8 * 8, 8), "dense_2": (8 * 2, 2)}
TRAINABLE = {f"{layer}/{name}": sizes[i] for layer, sizes in SIZES.items() for i, name in enumerate(("kernel", "bias"))}


@pytest.fixture(scope="module")
def directory(run_script_in, tmp_path_factory):
    """Where this script has run: three epochs of ten batches each from a tf.data pipeline."""
    folder = tmp_path_factory.mktemp("fit")
    run_script_in(
        folder,
        """
        import keras, numpy as np, tensorflow as tf
        import tensortap as tap

        keras.utils.set_random_seed(1)
        x = np.random.default_rng(0).normal(size=(320, 8, 8, 1)).astype("float32")
        y = (x.mean(axis=(1, 2, 3)) > 0).astype("int32")
        train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(320, seed=1).batch(32).prefetch(2)
        test = tf.data.Dataset.from_tensor_slices((x[:64], y[:64])).batch(32)
        layers = keras.layers
        convolution = [keras.Input((8, 8, 1)), layers.Conv2D(4, 3, activation="relu"), layers.Flatten()]
        dense = [layers.Dense(8, "relu"), layers.Dense(8, "relu"), layers.Dense(2, "softmax")]
        model = keras.Sequential([*convolution, *dense], name="net")
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        before = {f"before/{v.path}": v.numpy() for v in model.trainable_variables}

        rec = tap.keras.Recorder("runs/fit", updates=True, every=1, tensorboard="all")
        history = model.fit(train, epochs=3, validation_data=test, callbacks=[rec], verbose=0).history
        rec.close()

        report = rec.report()
        assert report["written"] == report["offered"] and report["dropped"] == 0 and rec.notes == []
        assert int(model.optimizer.iterations) == 30
        np.savez("truth.npz", **{f"history/{k}": v for k, v in history.items()}, **before, written=report["written"])
        """,
    )
    return folder


@pytest.fixture(scope="module")
def truth(directory):
    return np.load(directory / "truth.npz")


@pytest.fixture(scope="module")
def run(directory):
    return tap.open(directory / "runs")["fit"]


def histograms_of(accumulator, tag):
    """(step, rows of left, right, count) as stock TensorBoard has them."""
    return [(event.step, make_ndarray(event.tensor_proto)) for event in accumulator.Tensors(tag)]


def test_000_16_each_trainable_variable_has_a_histogram_at_every_step_of_fit(directory, read_events):
    events = read_events(directory / "runs/fit")
    tags = [tag for tag in events.Tags()["tensors"] if tag.startswith("weights/")]
    assert sorted(tags) == sorted(f"weights/{path}" for path in TRAINABLE)
    for path, size in TRAINABLE.items():
        histograms = histograms_of(events, f"weights/{path}")
        assert [step for step, _ in histograms] == STEPS
        assert all(rows[:, 2].sum() == size for _, rows in histograms)


def test_000_20_what_a_tf_data_pipeline_trains_is_recorded_whole(directory, run, truth):
    program = Path(sys.executable).with_name("tensortap")
    checked = subprocess.run([program, "check", "runs"], cwd=directory, capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and "0 damaged" in checked.stdout
    assert all(file["damaged"] == 0 for file in tap.open(directory / "runs").health())
    series = [one for one in run.series() if one["kind"] in ("stats", "scalars", "graphs")]
    assert sum(one["count"] for one in series) == truth["written"]
    for layer in ("conv2d", "flatten", *SIZES):
        assert run.stats(f"activations/{layer}").sequence.tolist() == STEPS
    for path in TRAINABLE:
        first = truth[f"before/net/{path}"]
        weights = run.stats(f"weights/{path}")
        assert weights.l2[0] == pytest.approx(np.linalg.norm(first.astype("float64")), rel=1e-12)
        assert run.stats(f"gradients/{path}").step.tolist() == STEPS
    # The batches are of equal size, so that Keras' mean of an epoch is the mean of the batches.
    by_epoch = run.scalars("train/loss").value.reshape(3, 10).mean(axis=1)
    np.testing.assert_allclose(by_epoch, truth["history/loss"], rtol=1e-6)


def test_002_1_statistics_of_every_tensor_of_a_training(run):
    for tag in ("activations/conv2d", "gradients/dense/kernel", "weights/dense/kernel", "updates/dense/kernel"):
        stats = run.stats(tag)
        assert len(stats.step) == 30
        assert (stats.min <= stats.p50).all() and (stats.p50 <= stats.max).all() and (stats.std > 0).all()
    relu = run.stats("activations/conv2d")
    assert (relu.min == 0).all() and (relu.zeros > 0).all() and (relu.count == 32 * 6 * 6 * 4).all()


def test_002_5_loss_and_accuracy_of_each_step_of_fit_beside_those_of_validation(directory, run, truth, read_events):
    for name in ("loss", "accuracy"):
        assert run.scalars(f"train/{name}").step.tolist() == STEPS
        validation = run.scalars(f"val/{name}")
        assert validation.step.tolist() == [10, 20, 30]
        np.testing.assert_allclose(validation.value, truth[f"history/val_{name}"], rtol=1e-6)
        np.testing.assert_allclose(run.scalars(f"train/epoch_{name}").value, truth[f"history/{name}"], rtol=1e-6)
    # The same tag in both sub-runs: TensorBoard draws them into one plot.
    for part in ("train", "val"):
        assert {"loss", "accuracy"} <= set(read_events(directory / "runs/fit" / part).Tags()["tensors"])


def test_002_7_the_graph_of_a_fit_opens_in_stock_tensorboard(directory):
    multiplexer = plugin_event_multiplexer.EventMultiplexer(tensor_size_guidance={"scalars": 0})
    multiplexer.AddRunsFromDirectory(str(directory / "runs")).Reload()
    provider = data_provider.MultiplexerDataProvider(multiplexer, str(directory / "runs"))
    plugin = graphs_plugin.GraphsPlugin(base_plugin.TBContext(data_provider=provider))
    # The page opens on the op graph, and says "Malformed GraphDef" of a run that has none.
    assert plugin.info_impl(RequestContext(), "")["fit"]["run_graph"]
    text, _ = plugin.graph_impl(RequestContext(), "fit", None, False, "")
    ops = text_format.Parse(text, GraphDef())
    forward = [node.op for node in ops.node if node.name.startswith("net")]
    assert forward.count("Conv2D") == 1 and forward.count("MatMul") == 3 and forward.count("Relu") == 3
    assert any(node.op == "Conv2DBackpropFilter" for node in ops.node)
    assert not any("Tensortap" in node.op for node in ops.node)
    text, _ = plugin.graph_impl(RequestContext(), "fit", "keras", True, "")
    inputs = {node.name: list(node.input) for node in text_format.Parse(text, GraphDef()).node}
    assert inputs["net/dense_1"] == ["net/dense"]
    program = Path(sys.executable).with_name("tensortap")
    shown = subprocess.run([program, "show", "runs", "fit", "keras"], cwd=directory, capture_output=True, text=True)
    assert shown.returncode == 0 and "dense_2" in shown.stdout


def test_002_8_a_weights_histogram_at_every_step_of_fit(directory, read_events):
    histograms = histograms_of(read_events(directory / "runs/fit"), "weights/dense/kernel")
    assert [step for step, _ in histograms] == STEPS
    assert all(not np.array_equal(one, other) for (_, one), (_, other) in pairwise(histograms))


def test_002_10_an_intermediate_activations_histogram_at_every_step_of_fit(directory, run, read_events):
    histograms = histograms_of(read_events(directory / "runs/fit"), "activations/dense_1")
    assert [step for step, _ in histograms] == STEPS
    assert all(rows[:, 2].sum() == 32 * 8 for _, rows in histograms)
    assert run.histogram("activations/dense_1", step=17).count.sum() == 32 * 8
