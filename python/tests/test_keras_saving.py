"""Saving, exporting and copying a model know nothing of a recorder that is attached to it."""

from __future__ import annotations

import copy
import pickle

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras
from tensorflow.core.protobuf import saved_model_pb2

import tensortap as tap
from tensortap.hooks import patch

EVERYTHING = {
    "updates": True,
    "slots": True,
    "activation_gradients": True,
    "input_gradients": True,
    "every": 1,
}


def ops_of(directory) -> set[str]:
    """The types of all ops of a SavedModel."""
    saved = saved_model_pb2.SavedModel.FromString((directory / "saved_model.pb").read_bytes())
    ops = set()
    for graph in saved.meta_graphs:
        ops |= {node.op for node in graph.graph_def.node}
        ops |= {node.op for function in graph.graph_def.library.function for node in function.node_def}
        ops |= {op.name for op in graph.meta_info_def.stripped_op_list.op}
    return ops


def functional(mode: str):
    """A model that clone_model and all ways of saving take."""
    library = tf_keras if mode == "tf_keras" else keras
    library.utils.set_random_seed(3)
    inputs = library.Input((3,))
    hidden = library.layers.Dense(4, "relu", name="a")(inputs)
    model = library.Model(inputs, library.layers.Dense(1, name="b")(library.layers.Dropout(0.5)(hidden)), name="small")
    options = {"run_eagerly": True} if mode == "eager" else {"jit_compile": mode == "jit"}
    model.compile(library.optimizers.SGD(0.1, clipnorm=1.0), "mse", **options)
    return model


def save_everything(model, directory, x) -> None:
    """All that users do with a trained model; each copy must give what the model gives."""
    library = tf_keras if isinstance(model, tf_keras.Model) else keras
    wanted = np.asarray(model(x))
    model.save(directory / "model.keras")
    model.save_weights(directory / "model.weights.h5")
    model.export(directory / "exported", **({} if library is tf_keras else {"verbose": False}))
    tf.saved_model.save(model, directory / "saved")
    if library is tf_keras:
        model.save(directory / "legacy", save_format="tf")
    cloned = library.models.clone_model(model)
    cloned.set_weights(model.get_weights())
    for other in (
        library.models.load_model(directory / "model.keras"),
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        copy.copy(model),
        cloned,
    ):
        assert np.array_equal(np.asarray(other(x)), wanted)
        if other is not model:
            parts = [*other._flatten_layers(), getattr(other, "optimizer", None) or other]
            assert [name for part in parts for name in vars(part) if patch.find(part, name) is not None] == []
    library.models.load_model(directory / "model.keras").load_weights(directory / "model.weights.h5")
    if library is keras:
        copy.deepcopy(model.optimizer)  # tf_keras refuses in any case
    names = ("exported", "saved", "legacy") if library is tf_keras else ("exported", "saved")
    for name in names:
        ops = ops_of(directory / name)
        assert "MatMul" in ops or "BatchMatMulV2" in ops
        assert {op for op in ops if op.startswith("Tensortap")} == set()


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_inside_of_fit_a_callback_saves_the_plain_model(mode, data, read_run, tmp_path):
    model = functional(mode)
    done = []

    def save(epoch, logs):
        save_everything(model, tmp_path, data["x"])
        done.append(epoch)

    library = tf_keras if mode == "tf_keras" else keras
    recorder = tap.keras.Recorder(tmp_path / "run", **EVERYTHING)
    model.fit(**data, callbacks=[recorder, library.callbacks.LambdaCallback(on_epoch_end=save)])
    assert done == [0]
    # Neither was the saving recorded, nor did it end the recording.
    model.fit(**data, callbacks=[recorder])
    read = read_run(recorder)
    assert list(read.steps("activations/a")) == [0, 1, 2, 3]
    assert {tag for tag in read.tags() if tag.startswith(("val/", "predict/"))} == set()
    assert recorder.notes == []


@pytest.mark.parametrize("mode", ["eager", "tf_keras"])
def test_an_attached_recorder_saves_the_plain_model(mode, data, read_run, tmp_path):
    model = functional(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", **EVERYTHING)
    with recorder.attached(model):
        model.train_on_batch(data["x"], data["y"])
        save_everything(model, tmp_path, data["x"])
        model.train_on_batch(data["x"], data["y"])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1]
    assert recorder.notes == []


def test_what_was_exported_runs_where_there_is_no_tensortap(data, run_program, tmp_path):
    model = functional("graph")
    with tap.keras.Recorder(tmp_path / "run", **EVERYTHING).attached(model):
        model.train_on_batch(data["x"], data["y"])
        model.export(tmp_path / "exported", verbose=False)
        model.save(tmp_path / "model.keras")
    np.save(tmp_path / "x.npy", data["x"])
    program = """
        import sys
        sys.modules["tensortap"] = None  # importing it fails
        import keras, numpy as np, tensorflow as tf
        directory = sys.argv[1]
        x = np.load(directory + "/x.npy")
        exported = tf.saved_model.load(directory + "/exported")
        served = exported.serve(x).numpy()
        loaded = keras.models.load_model(directory + "/model.keras")
        loaded.fit(x, x[:, :1], verbose=0)
        np.save(directory + "/served.npy", served)
    """
    ended = run_program(program, tmp_path)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert np.allclose(np.load(tmp_path / "served.npy"), np.asarray(model(data["x"])), atol=1e-6)


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_a_training_that_is_resumed_from_a_file_goes_on_with_its_steps(mode, build_model, data, read_run, tmp_path):
    library = tf_keras if mode == "tf_keras" else keras
    model = build_model(mode)
    with tap.keras.Recorder(tmp_path / "run", every=1) as recorder:
        model.fit(**data, epochs=2, callbacks=[recorder])
    model.save(tmp_path / "model.keras")
    resumed = library.models.load_model(tmp_path / "model.keras")
    with tap.keras.Recorder(tmp_path / "run", every=1, mode="resume") as again:
        resumed.fit(**data, initial_epoch=2, epochs=3, callbacks=[again])
    read = read_run(again)
    assert list(read.steps("activations/a")) == [0, 1, 2, 3, 4, 5]
    assert list(read.scalars("train/loss").step) == [0, 1, 2, 3, 4, 5]
    assert list(read.scalars("train/epoch").value) == [0, 1, 2]
    assert list(read.scalars("train/epoch").step) == [0, 2, 4]
