"""However fit ends, the model is as it was, goes on working, and what was recorded until then can be read."""

from __future__ import annotations

import select
import signal

import keras
import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap
from tensortap.hooks import patch


class UserError(Exception):
    """Of the user's own code."""


def raising(error: BaseException, at_batch: int):
    """Callback that raises after a batch."""

    class Raising(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == at_batch:
                raise error

    return Raising()


def fit_with_callback(model, data, error, recorder):
    callbacks = [recorder, raising(error, 1)]
    model.fit(**data, epochs=3, callbacks=callbacks)


def fit_with_train_step(model, data, error, recorder):
    plain, steps = model.train_step, []

    def train_step(batch):
        steps.append(1)
        if len(steps) == 3:
            raise error
        return plain(batch)

    object.__setattr__(model, "train_step", train_step)
    try:
        model.compile(optimizer=model.optimizer, loss="mse", run_eagerly=True)
        model.fit(**data, epochs=3, callbacks=[recorder])
    finally:
        assert vars(model)["train_step"] is train_step, "a patch of the user's own is given back"
        object.__delattr__(model, "train_step")
        model.compile(optimizer=model.optimizer, loss="mse")


def fit_with_data(model, data, error, recorder):
    def batches():
        yield data["x"][:4], data["y"][:4]
        yield data["x"][4:], data["y"][4:]
        raise error

    spec = (tf.TensorSpec((4, 3)), tf.TensorSpec((4, 1)))
    model.fit(tf.data.Dataset.from_generator(batches, output_signature=spec), verbose=0, callbacks=[recorder])


def fit_with_generator(model, data, error, recorder):
    class Batches(keras.utils.PyDataset):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            if index == 2:
                raise error
            return data["x"][:4], data["y"][:4]

    model.fit(Batches(), verbose=0, shuffle=False, callbacks=[recorder])


ENDINGS = {
    "a callback": fit_with_callback,
    "train_step": fit_with_train_step,
    "a dataset": fit_with_data,
    "a generator": fit_with_generator,
}


@pytest.mark.parametrize("error_type", [UserError, KeyboardInterrupt], ids=["raises", "Ctrl-C"])
@pytest.mark.parametrize("place", ENDINGS)
def test_after_a_fit_that_ended_early_the_model_works_and_nothing_more_is_recorded(
    place, error_type, build_model, data, read_run, tmp_path
):
    model, error = build_model(), error_type("of the user")
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    with pytest.raises(BaseException) as raised:  # TensorFlow makes its own of what a dataset raises
        ENDINGS[place](model, data, error, recorder)
    assert raised.value is error or place in ("a dataset", "a generator")
    parts = [*model._flatten_layers(), model.optimizer]
    assert [name for part in parts for name in vars(part) if patch.find(part, name) is not None] == []
    before = {tag: list(read_run(recorder).steps(tag)) for tag in read_run(recorder).tags()}
    assert before["activations/a"] == [0, 1]
    assert before["gradients/b/kernel"] == [0, 1]

    model.save(tmp_path / "model.keras")
    if error_type is KeyboardInterrupt:
        model.export(tmp_path / "exported", verbose=False)
        assert b"Tensortap" not in (tmp_path / "exported" / "saved_model.pb").read_bytes()
        model.evaluate(data["x"], data["y"], verbose=0)
        model.predict(data["x"], verbose=0)
    model.fit(**data)
    assert {tag: list(read_run(recorder).steps(tag)) for tag in read_run(recorder).tags()} == before


@pytest.mark.parametrize("mode", ["eager", "jit", "tf_keras"])
def test_ctrl_c_undoes_everything_in_other_modes_too(
    mode, build_model, data, state_of, changes_since, read_run, tmp_path
):
    model = build_model(mode)
    model.fit(**data)
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    if mode == "tf_keras":
        import tf_keras

        stop = tf_keras.callbacks.LambdaCallback(
            on_batch_end=lambda batch, logs: (_ for _ in ()).throw(KeyboardInterrupt)
        )
    else:
        stop = raising(KeyboardInterrupt(), 0)
    with pytest.raises(KeyboardInterrupt):
        model.fit(**data, callbacks=[recorder, stop])
    assert changes_since(model, before) == set()
    model.fit(**data)
    assert list(read_run(recorder).steps("activations/a")) == [2]
    with_recorder = model.fit(**data, callbacks=[recorder])
    assert len(with_recorder.epoch) == 1
    assert list(read_run(recorder).steps("activations/a"))[-2:] == [5, 6]


def test_an_error_of_another_callbacks_set_model_undoes_what_was_attached(
    build_model, data, state_of, changes_since, tmp_path
):
    class Refusing(keras.callbacks.Callback):
        def set_model(self, model):
            raise UserError

    model = build_model()
    before = state_of(model)
    with pytest.raises(UserError):
        model.fit(**data, callbacks=[tap.keras.Recorder(tmp_path / "run"), Refusing()])
    assert changes_since(model, before) == set()


def test_early_stopping_and_stop_training_end_as_always(build_model, data, read_run, tmp_path):
    stopping = keras.callbacks.EarlyStopping(monitor="loss", patience=0, min_delta=1e9)
    recorder = tap.keras.Recorder(tmp_path / "early", every=1)
    history = build_model().fit(**data, epochs=9, callbacks=[recorder, stopping])
    assert len(history.epoch) == 2
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 2, 3]

    class Stop(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            self.model.stop_training = True

    recorder = tap.keras.Recorder(tmp_path / "stop", every=1)
    model = build_model()
    model.fit(**data, epochs=9, callbacks=[recorder, Stop()])
    assert list(read_run(recorder).steps("activations/a")) == [0]
    assert "call" not in vars(model.layers[-1])


INTERRUPTED = """
    import signal, sys
    import keras, numpy as np, tensorflow as tf
    import tensortap as tap

    directory = sys.argv[1]
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="a")])
    model.compile("sgd", "mse")
    recorder = tap.keras.Recorder(directory + "/run", every=1)
    x = np.ones((4, 3), "f")

    class Tell(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == 3:
                print("training", flush=True)

    try:
        endless = tf.data.Dataset.from_tensors((x, x[:, :2])).repeat()
        model.fit(endless, steps_per_epoch=10**9, verbose=0, callbacks=[recorder, Tell()])
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("interrupted", flush=True)
        stopped = int(model.optimizer.iterations)
        model.save(directory + "/model.keras")
        model.export(directory + "/exported", verbose=False)
        model.fit(x, x[:, :2], verbose=0)
        assert vars(model.layers[-1]).get("call") is None
        print(stopped, flush=True)
"""


def test_a_real_sigint_ends_the_training_and_leaves_a_model_that_can_be_saved(start_program, tmp_path):
    process = start_program(INTERRUPTED, tmp_path)
    assert process.stdout.readline() == "training\n"
    for _ in range(20):
        # Again, because TensorFlow loses one in about fifteen: it falls into code of its own that drops exceptions.
        process.send_signal(signal.SIGINT)
        if select.select([process.stdout], [], [], 3)[0]:
            break
    else:
        pytest.fail("it does not end")
    assert process.stdout.readline() == "interrupted\n"
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err[-2000:]
    stopped = int(out)
    steps = tap.open(tmp_path, cache=False)["run"].steps("activations/a")
    assert np.array_equal(steps, np.arange(len(steps))), "each step once, from the first on"
    assert stopped - 1 <= len(steps) <= stopped + 1
    assert b"Tensortap" not in (tmp_path / "exported" / "saved_model.pb").read_bytes()
