"""Recording never harms: what goes wrong in it costs itself alone, and is said once."""

from __future__ import annotations

import logging

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras

import tensortap as tap
from tensortap.watching import keras_graph, keras_values, run_taps, tensorflow_op, traced_functions
from tensortap.watching import layers as watched_layers
from tensortap.watching.metric_taps import MetricTaps
from tensortap.watching.passing import Pass
from tensortap.watching.variable_taps import VariableTaps

KINDS = ("activations", "gradients", "weights", "updates", "slots", "activation_gradients", "input_gradients")

# What may fail while recording -> what the note says.
FAILURES = {
    "a tap's number": (run_taps.RunTaps, "_tap", "could not be recorded"),
    "the names of layers": (watched_layers, "chosen_layers", "new layers could not be recorded"),
    "the choice of variables": (VariableTaps, "choose", "new layers could not be recorded"),
    "the step": (keras_values, "step_of", "the beginning of a step could not be recorded"),
    "gathering": (Pass, "add", "could not be recorded"),
    "the op of the step": (Pass, "emit", "could not be recorded"),
    "the op that taps": (tensorflow_op, "tap", "could not be recorded"),
    "the op that begins": (tensorflow_op, "begin", "the beginning of a step could not be recorded"),
    "weights": (VariableTaps, "emit_weights", "gradients and weights could not be recorded"),
    "updates": (VariableTaps, "see_update", "updates could not be recorded"),
    "metrics": (MetricTaps, "see_result", "the metrics of a step could not be recorded"),
    "the learning rate": (MetricTaps, "see_learning_rate", "gradients and weights could not be recorded"),
    "the graph": (keras_graph, "record_step", "the graph of the training step could not be recorded"),
    "epochs": (run_taps.RunTaps, "begin_epoch", "the beginning of an epoch could not be recorded"),
}


@pytest.fixture(scope="module")
def weights_by_mode() -> dict[str, list]:
    return {}


@pytest.fixture
def plain_weights(build_model, data, weights_by_mode):
    """mode -> the weights after a fit without a recorder."""

    def of(mode: str) -> list:
        if mode not in weights_by_mode:
            model = build_model(mode)
            model.fit(**data)
            weights_by_mode[mode] = model.get_weights()
        return weights_by_mode[mode]

    return of


@pytest.fixture
def fit_failing(build_model, data, monkeypatch, tmp_path):
    """(mode, failures) -> (model, recorder) after a fit in which these failed, from its first step on."""

    def fail(*args, **kwargs):
        raise ZeroDivisionError("of our own making")

    def fit(mode: str, failures) -> tuple:
        model = build_model(mode)
        more = KINDS if len(failures) > 1 else ("updates",)  # tracing them all takes long
        recorder = tap.keras.Recorder(tmp_path / "run", **dict.fromkeys(more, True), every=1)
        library = tf_keras if mode == "tf_keras" else keras
        later = library.callbacks.LambdaCallback()
        # What raises while the recorder is attached, the user is told before the training. From then on nothing may.
        later.set_model = lambda model: [monkeypatch.setattr(*FAILURES[one][:2], fail) for one in failures]
        model.fit(**data, callbacks=[recorder, later])
        monkeypatch.undo()
        return model, recorder

    return fit


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_while_recording_leaves_the_training_as_it_is_and_is_said_once(
    failure, fit_failing, plain_weights, caplog
):
    with caplog.at_level(logging.WARNING, "tensortap"):
        model, recorder = fit_failing("graph", [failure])
    assert all(np.array_equal(*pair) for pair in zip(model.get_weights(), plain_weights("graph"), strict=True))
    note = f"{FAILURES[failure][2]}: ZeroDivisionError: of our own making"
    assert any(note in one for one in recorder.notes), recorder.notes
    logged = [record.getMessage() for record in caplog.records if record.name == "tensortap"]
    assert logged == [f"{recorder.run.path}: {one}" for one in recorder.notes]
    assert len(set(logged)) == len(logged)
    assert "call" not in vars(model.layers[-1])


@pytest.mark.parametrize("mode", ["eager", "jit", "tf_keras"])
@pytest.mark.parametrize("failures", [["a tap's number"], ["the op that taps", "the op of the step"], [*FAILURES]])
def test_failures_in_other_modes_leave_the_training_as_it_is(failures, mode, fit_failing, plain_weights, data):
    model, recorder = fit_failing(mode, failures)
    tolerance = 1e-6 if mode == "jit" else 0.0
    for one, other in zip(model.get_weights(), plain_weights(mode), strict=True):
        assert np.allclose(one, other, rtol=0, atol=tolerance)
    assert recorder.notes
    assert all("ZeroDivisionError: of our own making" in one for one in recorder.notes)
    assert "call" not in vars(model.layers[-1])


@pytest.mark.parametrize(
    "failing", [(watched_layers, "chosen_layers"), (traced_functions, "record")], ids=lambda f: f[1]
)
def test_a_model_that_cannot_be_attached_to_is_trained_all_the_same(
    failing, build_model, data, plain_weights, state_of, monkeypatch, tmp_path
):
    def fail(*args, **kwargs):
        raise ZeroDivisionError("of our own making")

    model = build_model()
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run")
    monkeypatch.setattr(*failing, fail)
    with recorder.attached(model):
        assert state_of(model) == before
    model.fit(**data, validation_data=(data["x"], data["y"]), callbacks=[recorder])
    assert all(np.array_equal(*pair) for pair in zip(model.get_weights(), plain_weights("graph"), strict=True))
    assert recorder.notes == ["the model could not be recorded: ZeroDivisionError: of our own making"]


def test_what_is_no_model_is_refused(tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run")
    for wrong in (None, keras.layers.Dense(1), "model"):
        with pytest.raises(TypeError, match=f"a Recorder records Keras models, not {type(wrong).__name__}"):
            recorder.attach(wrong)
    elsewhere = type("Model", (), {"train_step": None, "layers": []})()  # as Keras has them on other backends
    with pytest.raises(TypeError, match="a Recorder records Keras on TensorFlow; this Keras runs on another backend"):
        recorder.attach(elsewhere)
    assert not (tmp_path / "run").exists()


def test_an_undo_that_fails_keeps_no_other_from_being_undone(build_model, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    recorder.attach(model)
    watch = recorder._recording._watch
    watch._undo.insert(3, lambda: 1 / 0)
    recorder.detach()
    assert "train_step" not in vars(model)
    assert "call" not in vars(model.layers[0])
    assert recorder.notes == ["the end of recording could not be recorded: ZeroDivisionError: division by zero"]


def test_what_the_user_raises_is_not_swallowed(build_model, data, tmp_path):
    model = build_model()
    layer = model.layers[-1]

    def call(inputs, training=None):
        raise ValueError("the user's own")

    object.__setattr__(layer, "call", call)
    with pytest.raises(ValueError, match="the user's own"):
        model.fit(**data, callbacks=[tap.keras.Recorder(tmp_path / "run")])
    assert vars(layer)["call"] is call


def test_a_step_inside_of_a_function_that_xla_compiles_is_left_alone(build_model, data, read_run, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    step = tf.function(lambda x, y: model.train_step((x, y)), jit_compile=True)
    model.optimizer.build(model.trainable_variables)
    with recorder.attached(model):
        logs = step(tf.constant(data["x"]), tf.constant(data["y"]))
    assert float(logs["loss"]) > 0
    assert recorder.notes == ["train_step is not recorded: it is called inside of a function that XLA compiles"]
    assert read_run(recorder).tags("stats") == []


def test_a_full_queue_drops_and_counts_and_the_training_goes_on(data, plain_weights, build_model, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(
        tmp_path / "run", every=1, what="tensor", queue_bytes=1 << 20, activations=True, tensorboard=False
    )
    wide = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1 << 19, use_bias=False, name="wide")])
    wide.compile("sgd", "mse")
    wide.predict(data["x"], batch_size=4, verbose=0, callbacks=[recorder])  # 8 MB a batch, more than the queue holds
    model.fit(**data, callbacks=[recorder])
    report = recorder.report()
    assert report["dropped"] >= 2
    assert report["written"] > 0
    assert report["offered"] == report["written"] + report["dropped"]
    assert all(np.array_equal(*pair) for pair in zip(model.get_weights(), plain_weights("graph"), strict=True))


class Odd(keras.layers.Layer):
    """A layer with outputs that are no plain tensors."""

    def __init__(self, kind: str, **options):
        super().__init__(**options)
        self.kind = kind

    def call(self, x):
        return {
            "string": lambda: tf.strings.as_string(x),
            "none": lambda: None,
            "nest": lambda: {"left": x, "right": [x * 2, None]},
            "ragged": lambda: tf.RaggedTensor.from_tensor(x),
            "sparse": lambda: tf.sparse.from_dense(x),
            "scalar": lambda: tf.reduce_sum(x),
            "empty": lambda: x[:0],
            "bool": lambda: x > 0,
            "complex": lambda: tf.complex(x, x),
            "quantized": lambda: tf.quantization.quantize(x, -1.0, 1.0, tf.qint8)[0],
            "variant": lambda: tf.raw_ops.TensorListFromTensor(tensor=x, element_shape=[3]),
        }[self.kind]()


class OddModel(keras.Model):
    """Calls an odd layer beside its way."""

    def __init__(self, kind: str):
        super().__init__()
        self.odd = Odd(kind, name="odd")
        self.head = keras.layers.Dense(1, name="head")

    def call(self, x):
        self.odd(x)
        return self.head(x)


# kind of output -> the tags it gives, with how many values
ODD_OUTPUTS = {
    "string": {},
    "none": {},
    "nest": {"activations/odd": 12, "activations/odd:1": 12},
    "ragged": {"activations/odd": 12},
    "sparse": {"activations/odd": 12},
    "scalar": {"activations/odd": 1},
    "empty": {"activations/odd": 0},
    "bool": {"activations/odd": 12},
    "complex": {"activations/odd": 12},
    "quantized": {},
    "variant": {},
}


@pytest.mark.parametrize(
    ("kind", "eagerly"),
    [*((kind, False) for kind in ODD_OUTPUTS), ("string", True), ("nest", True), ("quantized", True)],
)
def test_layers_with_odd_outputs_are_recorded_as_far_as_they_hold_numbers(kind, eagerly, data, read_run, tmp_path):
    model = OddModel(kind)
    model.compile("sgd", "mse", run_eagerly=eagerly)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1, activation_gradients=kind not in ("quantized", "variant"))
    model.fit(**data, callbacks=[recorder])
    read = read_run(recorder)
    found = {tag: read.stats(tag).count for tag in read.tags("stats") if tag.startswith("activations/odd")}
    assert {tag: list(counts) for tag, counts in found.items()} == {
        tag: [count] * 2 for tag, count in ODD_OUTPUTS[kind].items()
    }
    assert list(read.steps("activations/head")) == [0, 1]
    report = recorder.report()
    # What has no numbers that could be recorded is counted; what is no tensor at all is nothing.
    assert report["dropped"] == (2 if kind == "quantized" else 0)
    assert recorder.notes == []


@pytest.mark.parametrize("mode", ["graph", "eager", "tf_keras"])
def test_a_batch_without_samples_is_recorded_as_one(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1, what=("stats", "tensor"))
    with recorder.attached(model):
        model.train_on_batch(data["x"], data["y"])
        model.train_on_batch(data["x"][:0], data["y"][:0])
    read = read_run(recorder)
    assert list(read.stats("activations/a").count) == [32, 0]
    assert read.tensor("activations/a", step=1).shape == (0, 4)
    assert recorder.notes == []
