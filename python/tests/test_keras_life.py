"""A Recorder's life: fits in a row, several recorders, other models, compile() in between, and its end."""

from __future__ import annotations

import functools
import gc
import weakref

import keras
import pytest
import tensorflow as tf
import tf_keras

import tensortap as tap


@pytest.fixture
def counted(build_model):
    """(model, traces): `traces` grows by one whenever the layer `a` is traced, or runs eagerly."""

    def build(mode: str = "graph", **more):
        model, traces = build_model(mode, **more), []
        layer = model.get_layer("a")
        plain = layer.call

        @functools.wraps(plain)
        def call(*args, **kwargs):
            traces.append(1)
            return plain(*args, **kwargs)

        object.__setattr__(layer, "call", call)
        return model, traces

    return build


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_only_the_fit_with_the_recorder_is_recorded_and_what_was_compiled_before_comes_back(
    mode, counted, data, read_run, tmp_path
):
    model, traces = counted(mode)
    model.fit(**data)
    plain_function, first = model.train_function, len(traces)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, callbacks=[recorder])
    second = len(traces)
    assert second > first, "functions that were traced without taps are traced again"
    assert model.train_function is plain_function
    model.fit(**data)
    assert len(traces) == second, "no third trace"
    assert list(read_run(recorder).steps("activations/a")) == [2, 3]


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_fits_in_a_loop_with_the_same_recorder_trace_once(mode, counted, data, read_run, tmp_path):
    model, traces = counted(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, validation_data=(data["x"], data["y"]), callbacks=[recorder])
    first = len(traces)
    for _ in range(2):
        model.fit(**data, validation_data=(data["x"], data["y"]), callbacks=[recorder])
    assert len(traces) == first
    read = read_run(recorder)
    assert list(read.steps("gradients/b/kernel")) == [0, 1, 2, 3, 4, 5]
    assert list(read.scalars("val/loss").step) == [2, 4, 6]


def test_attached_in_a_loop_traces_once_too(counted, data, tmp_path):
    model, traces = counted()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    counts = []
    for _ in range(3):
        with recorder.attached(model):
            model.train_on_batch(data["x"], data["y"])
        counts.append(len(traces))
    assert counts[0] == counts[1] == counts[2]


@pytest.mark.parametrize("mode", ["graph", "eager", "jit", "tf_keras"])
def test_two_recorders_at_once_each_record_by_their_own_rules(
    mode, counted, data, state_of, changes_since, read_run, tmp_path
):
    model, traces = counted(mode)
    model.fit(**data)
    before, plain_function = state_of(model), model.train_function
    first = tap.keras.Recorder(tmp_path / "first", activations="a", gradients=False, weights=False, every=1)
    second = tap.keras.Recorder(tmp_path / "second", activations="b", gradients="a/*", weights=False, every=2)
    for _ in range(2):
        model.fit(**data, callbacks=[first, second])
    # Whose function is whose: alone, then together again, nothing is traced that was traced before.
    model.fit(**data, callbacks=[first])
    count = len(traces)
    model.fit(**data, callbacks=[second, first])
    if mode != "eager":
        assert len(traces) == count
        assert model.train_function is plain_function
    assert changes_since(model, before) == set()
    one, other = read_run(first), read_run(second)
    assert [t for t in one.tags() if t.startswith(("act", "grad"))] == ["activations/a"]
    assert [t for t in other.tags() if t.startswith(("act", "grad"))] == [
        "activations/b",
        "gradients/a/bias",
        "gradients/a/kernel",
    ]
    assert list(one.steps("activations/a")) == [2, 3, 4, 5, 6, 7, 8, 9]
    assert list(other.steps("activations/b")) == [2, 4, 8]
    assert (first.notes, second.notes) == ([], [])


def test_one_of_two_recorders_can_leave_and_the_other_goes_on(build_model, data, read_run, tmp_path):
    model = build_model("jit")
    first, second = (tap.keras.Recorder(tmp_path / name, every=1) for name in ("first", "second"))
    first.attach(model)
    second.attach(model)
    model.train_on_batch(data["x"], data["y"])
    first.detach()
    model.train_on_batch(data["x"], data["y"])
    second.detach()
    assert model.jit_compile is True
    assert list(read_run(first).steps("activations/a")) == [0]
    assert list(read_run(second).steps("activations/a")) == [0, 1]


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_compile_between_fits_records_the_new_optimizer_and_metrics(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, callbacks=[recorder])
    optimizer = model.optimizer
    model.compile(optimizer=optimizer, loss="mse", metrics=["mae"], jit_compile=mode == "jit")
    model.fit(**data, callbacks=[recorder])
    library = tf_keras if mode == "tf_keras" else keras
    model.compile(optimizer=library.optimizers.SGD(0.25), loss="mse", metrics=["mape"], jit_compile=mode == "jit")
    model.fit(**data, callbacks=[recorder])
    read = read_run(recorder)
    assert list(read.scalars("train/mae", raw=True).step) == [2, 3]
    assert list(read.scalars("train/mape", raw=True).step) == [0, 1]
    rates = read.scalars("train/learning_rate", raw=True)
    assert list(rates.step) == [0, 1, 2, 3, 0, 1]
    assert list(rates.value[4:]) == [0.25, 0.25]
    assert list(read.steps("gradients/a/kernel", raw=True)) == [0, 1, 2, 3, 0, 1]
    assert (model.jit_compile or False) is (mode == "jit")


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_compile_while_attached_goes_on_recording_also_when_xla_is_asked_for(
    mode, build_model, data, state_of, read_run, tmp_path
):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    recorder.attach(model)
    model.train_on_batch(data["x"], data["y"])
    model.compile(optimizer="sgd", loss="mse", jit_compile=True)
    model.train_on_batch(data["x"], data["y"])
    recorder.detach()
    assert model.jit_compile is True
    model.train_on_batch(data["x"], data["y"])
    assert list(read_run(recorder).steps("gradients/a/kernel", raw=True)) == [0, 0]
    assert recorder.notes == []


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_a_kept_function_that_is_traced_again_for_another_shape_is_recorded(
    mode, build_model, data, read_run, tmp_path
):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, callbacks=[recorder])
    model.fit(**{**data, "batch_size": 3}, callbacks=[recorder])
    assert list(read_run(recorder).stats("activations/a").count) == [16, 16, 12, 12, 8]
    assert list(read_run(recorder).steps("gradients/a/kernel")) == [0, 1, 2, 3, 4]


def test_a_function_with_taps_that_somebody_kept_records_nothing_after_the_fit(build_model, data, read_run, tmp_path):
    model, kept = build_model(), []
    keeping = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: kept.append(model.train_function))
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    model.fit(**data, callbacks=[recorder, keeping])
    batch = (tf.constant(data["x"][:4]), tf.constant(data["y"][:4]))
    kept[0](iter(tf.data.Dataset.from_tensors(batch)))
    assert int(model.optimizer.iterations) == 3
    assert list(read_run(recorder).steps("activations/a")) == [0, 1]
    model.fit(**data, callbacks=[recorder])
    assert list(read_run(recorder).steps("activations/a")) == [0, 1, 3, 4]


def test_functions_that_the_user_threw_away_are_not_used_again(counted, data, tmp_path):
    model, traces = counted()
    model.fit(**data)
    recorder = tap.keras.Recorder(tmp_path / "run")
    model.fit(**data, callbacks=[recorder])
    model.make_train_function(force=True)
    count = len(traces)
    model.fit(**data, callbacks=[recorder])
    assert len(traces) > count


def test_an_optimizer_that_is_replaced_while_attached_is_recorded(build_model, data, read_run, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    old = model.optimizer
    recorder.attach(model)
    model.optimizer = keras.optimizers.SGD(0.75)
    model.train_on_batch(data["x"], data["y"])
    recorder.detach()
    assert list(read_run(recorder).scalars("train/learning_rate").value) == [0.75]
    assert "apply" not in vars(old)
    assert "apply" not in vars(model.optimizer)


def test_a_recorder_goes_from_model_to_model(build_model, data, state_of, read_run, tmp_path):
    one, other = build_model(), build_model()
    one.train_on_batch(data["x"], data["y"])
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    before = state_of(one)
    recorder.attach(one)
    one.train_on_batch(data["x"], data["y"])
    recorder.set_model(other)  # as fit does
    assert state_of(one) == before
    one.train_on_batch(data["x"], data["y"])
    other.train_on_batch(data["x"], data["y"])
    recorder.detach()
    assert recorder.model is None
    assert list(read_run(recorder).steps("activations/a", raw=True)) == [1, 0]


@pytest.mark.parametrize("mode", ["graph", "jit", "tf_keras"])
def test_a_model_is_freed_once_the_recorder_let_go_of_it(mode, build_model, data, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", every=1, input_gradients=True)
    model = build_model(mode)
    model.fit(**data, callbacks=[recorder])
    recorder.detach()
    gone = [weakref.ref(model), weakref.ref(model.layers[-1]), weakref.ref(model.optimizer)]
    keras.backend.clear_session()
    del model
    gc.collect()
    assert [one() for one in gone] == [None, None, None]


def test_a_model_is_freed_with_a_recorder_that_nobody_closed(build_model, data, tmp_path):
    model = build_model()
    model.fit(**data, callbacks=[tap.keras.Recorder(tmp_path / "run")])
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_a_model_is_freed_with_a_recorder_that_nobody_detached(build_model, data, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run")
    recorder.attach(model)
    model.train_on_batch(data["x"], data["y"])
    gone = [weakref.ref(model), weakref.ref(recorder)]
    del model, recorder
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_a_recorder_takes_a_run_and_leaves_it_open(build_model, data, run, read_run):
    with tap.keras.Recorder(run, every=1) as recorder:
        build_model().fit(**data, callbacks=[recorder])
    assert not run.closed
    run.scalar("after", 1.0, step=0)
    assert {"after", "activations/a"} <= set(read_run(run).tags())


def test_a_closed_run_is_refused_before_the_training(build_model, data, state_of, changes_since, tmp_path):
    model = build_model()
    before, weights = state_of(model), model.get_weights()
    run = tap.Run(tmp_path / "run")
    recorder = tap.keras.Recorder(run)
    run.close()
    with pytest.raises(ValueError, match=r"run .*run is closed; make a new Recorder"):
        model.fit(**data, callbacks=[recorder])
    own = tap.keras.Recorder(tmp_path / "own")
    own.close()
    with pytest.raises(ValueError, match="is closed; make a new Recorder"):
        model.fit(**data, callbacks=[own])
    assert all((one == other).all() for one, other in zip(weights, model.get_weights(), strict=True))
    assert changes_since(model, before) == set()


def test_a_run_that_is_closed_while_fit_runs_ends_the_recording_alone(build_model, data, read_run, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run", every=1)
    close = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: recorder.run.close())
    history = build_model().fit(**data, epochs=3, callbacks=[recorder, close])
    assert len(history.epoch) == 3
    assert list(read_run(recorder).steps("activations/a")) == [0, 1]
    assert recorder.notes == []
