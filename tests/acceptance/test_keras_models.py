"""What people ask of recording models of every kind, with rules of every kind; two scripts, read without TensorFlow."""

import json

import numpy as np
import pytest

import tensortap as tap


@pytest.fixture(scope="module")
def models(run_script_in, tmp_path_factory):
    """(runs, truth) of models of every kind."""
    folder = tmp_path_factory.mktemp("models")
    run_script_in(
        folder,
        """
        import keras, numpy as np, tensorflow as tf
        import tensortap as tap

        keras.utils.set_random_seed(1)
        layers = keras.layers
        x = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
        y = x.sum(axis=1, keepdims=True)
        truth = {}

        # Sequential, not built yet.
        model = keras.Sequential([layers.Dense(8, "relu", name="first"), layers.Dropout(0.5, name="drop")])
        model.add(layers.Dense(1, name="last"))
        model.compile("sgd", "mse")
        with tap.keras.Recorder("runs/sequential", every=1, what=("stats", "tensor")) as rec:
            model.fit(x, y, batch_size=16, verbose=0, callbacks=[rec])
            assert rec.notes == []

        # Functional, with a model inside, a layer that is called twice, and two outputs.
        inside = keras.Sequential([layers.Dense(8, "tanh", name="dense")], name="inside")
        shared = layers.Dense(8, name="shared")
        inputs = keras.Input((8,), name="in")
        deep = inside(shared(shared(inputs)))
        outputs = {"mean": layers.Dense(1, name="mean")(deep), "spread": layers.Dense(1, name="spread")(deep)}
        model = keras.Model(inputs, outputs)
        model.compile("sgd", {"mean": "mse", "spread": "mae"})
        both = {"mean": y, "spread": abs(y)}
        with tap.keras.Recorder("runs/functional", every=1) as rec:
            model.fit(x, both, batch_size=16, verbose=0, callbacks=[rec])
            assert rec.notes == []
        with tap.keras.Recorder("runs/one_output", activations="spread", gradients=False, weights=False,
                                every=1, what="tensor") as rec:
            model.fit(x, both, batch_size=16, verbose=0, callbacks=[rec])
            truth["spread"] = model.predict(x, batch_size=64, verbose=0, callbacks=[rec])["spread"]

        # Subclassed.
        class Block(layers.Layer):
            def __init__(self, **kwargs):
                super().__init__(**kwargs)
                self.inner = layers.Dense(8, "relu", name="inner")
            def call(self, x):
                return x + self.inner(x)

        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.blocks = [Block(name="block1"), Block(name="block2")]
                self.head = layers.Dense(1, name="head")
            def call(self, x):
                for block in self.blocks:
                    x = block(x)
                return self.head(x)

        model = Net()
        model.compile(keras.optimizers.SGD(0.0), "mse")
        with tap.keras.Recorder("runs/subclassed", every=1, input_gradients=True, what="tensor") as rec:
            model.fit(x, y, batch_size=64, shuffle=False, verbose=0, callbacks=[rec])
            assert rec.notes == []
        inputs = tf.constant(x)
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            loss = tf.reduce_mean((model(inputs, training=True) - y) ** 2)
        truth["input_gradient"] = tape.gradient(loss, inputs).numpy()

        # Inference: evaluate and predict, and what one says about their results oneself.
        with tap.Run("runs/inference") as run:
            rec = tap.keras.Recorder(run, every=1, what=("stats", "tensor"))
            truth["test_loss"] = model.evaluate(x, y, batch_size=32, verbose=0, callbacks=[rec])
            truth["predicted"] = model.predict(x, batch_size=32, verbose=0, callbacks=[rec])
            rec.close()
            run.histogram("predictions", truth["predicted"], step=0, phase="predict")
            run.image("predictions/image", truth["predicted"].reshape(8, 8), step=0, scale="minmax")
            run.audio("predictions/sound", truth["predicted"].ravel() / 100, rate=8000, step=0)
            run.text("predictions/about", f"{len(x)} samples", step=0)
        np.savez("truth.npz", **truth)
        """,
    )
    return tap.open(folder / "runs"), np.load(folder / "truth.npz")


@pytest.fixture(scope="module")
def rules(run_script_in, tmp_path_factory):
    """(runs, what the script printed): one each epoch, one at little cost, and networks that do not learn."""
    folder = tmp_path_factory.mktemp("rules")
    printed = run_script_in(
        folder,
        """
        import json, keras, numpy as np
        import tensortap as tap

        keras.utils.set_random_seed(1)
        layers = keras.layers
        x = np.random.default_rng(0).normal(size=(320, 8)).astype("float32")
        y = (x.sum(axis=1) > 0).astype("int32")

        def network(*hidden):
            model = keras.Sequential([keras.Input((8,)), *hidden, layers.Dense(2, name="out")])
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
            model.compile(keras.optimizers.SGD(0.1), loss, metrics=["accuracy"])
            return model

        model = network(layers.Dense(16, "relu", name="hidden"), layers.Dense(16, "relu", name="hidden2"))
        with tap.keras.Recorder("runs/epochs", every=tap.epochs(1), what=("stats", tap.first(4))) as rec:
            model.fit(x, y, epochs=3, validation_split=0.2, verbose=0, callbacks=[rec])

        # A subset, seldom; what it would cost, and what it did cost.
        rec = tap.keras.Recorder("runs/cheap", activations="hidden*", gradients="out/kernel", weights=False, every=5)
        rec.plan(model)
        model.fit(x, y, batch_size=32, epochs=2, verbose=0, callbacks=[rec])
        rec.close()
        print("report:", json.dumps(rec.report()))

        # Eight sigmoids: gradients vanish on the way back. A ReLU that never fires: nothing before it learns.
        deep = [layers.Dense(8, "sigmoid", name=f"layer{i}") for i in range(8)]
        dead = layers.Dense(8, "relu", bias_initializer=keras.initializers.Constant(-100.0), name="dead")
        large = [layers.Dense(8, kernel_initializer=keras.initializers.RandomNormal(stddev=5.0), name=f"layer{i}")
                 for i in range(6)]
        networks = {"vanishing": deep, "dead": [layers.Dense(8, name="before"), dead], "exploding": large}
        for name, hidden in networks.items():
            with tap.keras.Recorder(f"runs/{name}", updates=True, every=1) as rec:
                network(*hidden).fit(x, y, batch_size=32, verbose=0, callbacks=[rec])
        """,
    )
    return tap.open(folder / "runs"), printed


def test_000_1_one_of_several_outputs_is_recorded_by_its_name(models):
    runs, truth = models
    run = runs["one_output"]
    assert run.tags(kind="tensors") == ["activations/spread", "predict/activations/spread"]
    assert run.steps("activations/spread").tolist() == [4, 5, 6, 7]
    np.testing.assert_array_equal(run.tensor("predict/activations/spread"), truth["spread"])
    # And all of them where nothing is chosen.
    assert {"activations/mean", "activations/spread"} <= set(runs["functional"].tags())


def test_001_1_outputs_at_each_epoch_beyond_loss_and_accuracy(rules):
    run = rules[0]["epochs"]
    begin, end = [0, 8, 16], [8, 16, 24]
    for layer in ("hidden", "hidden2", "out"):
        assert run.stats(f"activations/{layer}").step.tolist() == begin
        assert run.tensor(f"activations/{layer}", step=8).shape == (4, 2 if layer == "out" else 16)
        assert run.stats(f"gradients/{layer}/kernel").step.tolist() == begin
        assert run.stats(f"weights/{layer}/kernel").step.tolist() == end
        assert run.stats(f"val/activations/{layer}").step.tolist() == end


def test_001_9_a_subset_seldom_and_a_report_of_what_it_cost(rules):
    runs, printed = rules
    run = runs["cheap"]
    assert set(run.tags(kind="stats")) == {"activations/hidden", "activations/hidden2", "gradients/out/kernel"}
    assert run.stats("activations/hidden").step.tolist() == [24, 29, 34, 39]
    assert "3 tensors; all of them at once:" in printed and "each 5 batches" in printed
    report = json.loads(printed.rpartition("report:")[2])
    assert report["dropped"] == 0 and report["bytes"] > 0
    assert 0 < report["caller_seconds"] < 1 and 0 < report["worker_seconds"] < 1


def test_002_2_evaluate_and_predict_are_recorded_as_training_is(models):
    runs, truth = models
    run = runs["inference"]
    for phase in ("val", "predict"):
        for layer in ("block1/inner", "block2/inner", "head"):
            stats = run.stats(f"{phase}/activations/{layer}")
            assert stats.phase.tolist() == [phase] * 2  # two batches
            assert stats.sequence.tolist() == [0, 2]  # after each of them the values
    last = run.tensor("predict/activations/head")
    np.testing.assert_array_equal(last, truth["predicted"][32:])
    assert run.scalars("val/loss").value[-1] == pytest.approx(float(truth["test_loss"]), rel=1e-6)
    assert run.stats("predictions").max[0] == truth["predicted"].max()
    assert (run.images("predictions/image")[0].width, run.audio("predictions/sound")[0].rate) == (8, 8000)
    assert run.text("predictions/about") == "64 samples"


def test_002_11_vanishing_and_exploding_gradients_and_layers_that_do_not_learn_are_seen_over_the_steps(rules):
    runs, _ = rules

    def norms(run, layer):
        gradient = run.stats(f"gradients/{layer}/kernel")
        assert gradient.step.tolist() == list(range(10))
        return gradient.l2

    vanishing = [np.median(norms(runs["vanishing"], f"layer{i}")) for i in range(8)]
    assert vanishing == sorted(vanishing) and vanishing[0] < vanishing[7] * 1e-3
    dead = runs["dead"]
    for layer in ("before", "dead"):
        assert (norms(dead, layer) == 0).all()
        assert (dead.scalars(f"update_ratio/{layer}/kernel").value == 0).all()
    outputs = dead.stats("activations/dead")
    assert (outputs.zeros == outputs.count).all()
    assert (dead.scalars("update_ratio/out/bias").value[1:] > 0).all()
    assert norms(runs["exploding"], "layer0")[0] > 1e3


def test_004_4_models_of_every_kind_have_all_their_layers_recorded(models):
    runs, _ = models
    layers = {
        "sequential": {"first", "drop", "last"},
        "functional": {"inside/dense", "shared", "shared#1", "mean", "spread"},
        "subclassed": {"block1/inner", "block2/inner", "head"},
    }
    for name, expected in layers.items():
        tags = [tag for tag in runs[name].tags() if tag.startswith("activations/")]
        assert set(tags) == {f"activations/{layer}" for layer in expected}
        steps = [0] if name == "subclassed" else [0, 1, 2, 3]
        assert all(sorted(set(runs[name].steps(tag).tolist())) == steps for tag in tags)
    # The dropout of the training itself: each output is zero or twice what went in.
    before, after = (runs["sequential"].tensor(f"activations/{layer}", step=3) for layer in ("first", "drop"))
    assert ((after == 0) | (after == 2 * before)).all() and 0.2 < (after[before > 0] == 0).mean() < 0.8


def test_004_5_activation_histograms_of_every_layer_each_epoch(rules):
    run = rules[0]["epochs"]
    for layer, width in (("hidden", 16), ("hidden2", 16), ("out", 2)):
        histograms = run.histograms(f"activations/{layer}")
        assert [one.step for one in histograms] == [0, 8, 16]
        assert all(one.count.sum() == 32 * width for one in histograms)


def test_004_6_the_gradient_with_respect_to_the_input(models):
    runs, truth = models
    recorded = runs["subclassed"].tensor("input_gradients/input", step=0)
    np.testing.assert_allclose(recorded, truth["input_gradient"], rtol=1e-5, atol=1e-7)
    assert np.abs(recorded).max() > 0
