"""tap.watch: loops that users write, eager and in functions; what is recorded is what was computed."""

from __future__ import annotations

import logging

import keras
import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap

X = np.random.default_rng(0).normal(size=(32, 4)).astype(np.float32)
Y = np.random.default_rng(1).integers(0, 3, 32)
BATCHES = [(tf.constant(X[i : i + 8]), tf.constant(Y[i : i + 8])) for i in range(0, 32, 8)]
LOSS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def make_model() -> keras.Model:
    keras.utils.set_random_seed(0)
    return keras.Sequential(
        [
            keras.layers.Input((4,)),
            keras.layers.Dense(8, activation="relu", name="a"),
            keras.layers.Dense(3, name="b"),
        ]
    )


def make_step(model, optimizer, *, seen=None):
    def train_step(x, y):
        with tf.GradientTape() as tape:
            outputs = model(x, training=True)
            loss = LOSS(y, outputs)
        gradients = tape.gradient(loss, model.trainable_variables)
        if seen is not None:
            seen.append((outputs.numpy(), [one.numpy() for one in gradients], [v.numpy() for v in model.variables]))
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    return train_step


def read(run):
    return tap.open(run.path)["."]


@pytest.mark.parametrize("compiled", [False, True])
def test_layers_gradients_and_weights_of_each_step(tmp_path, compiled):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    step = make_step(model, optimizer)
    step = tf.function(step) if compiled else step
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer):
        for x, y in BATCHES:
            run.scalar("loss", step(x, y))
    there = read(run)
    assert there.scalars("loss").step.tolist() == [0, 1, 2, 3]
    for tag in ("activations/a", "activations/b", "gradients/a/kernel", "gradients/b/bias", "weights/a/kernel"):
        assert there.steps(tag).tolist() == [0, 1, 2, 3], tag


def test_what_is_recorded_is_what_was_computed(tmp_path):
    model, optimizer = make_model(), keras.optimizers.Adam()
    seen: list = []
    step = make_step(model, optimizer, seen=seen)
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer, what="tensor"):
        for x, y in BATCHES:
            step(x, y)
    there = read(run)
    for number, (outputs, gradients, weights) in enumerate(seen):
        np.testing.assert_array_equal(there.tensor("activations/b", step=number), outputs)
        np.testing.assert_array_equal(there.tensor("gradients/a/kernel", step=number), gradients[0])
        np.testing.assert_array_equal(there.tensor("weights/a/kernel", step=number), weights[0])


def test_eager_and_compiled_loops_record_the_same(tmp_path):
    stored = []
    for compiled in (False, True):
        model, optimizer = make_model(), keras.optimizers.SGD(0.1)
        step = make_step(model, optimizer)
        step = tf.function(step) if compiled else step
        with tap.Run(tmp_path / str(compiled)) as run, tap.watch(run, model, optimizer=optimizer, what="tensor"):
            for x, y in BATCHES:
                step(x, y)
        stored.append(read(run))
    eager, graph = stored
    assert eager.tags() == graph.tags()
    for tag in eager.tags():
        for number in range(4):
            np.testing.assert_allclose(
                eager.tensor(tag, step=number), graph.tensor(tag, step=number), rtol=1e-4, atol=1e-6
            )


def test_a_call_without_a_tape_is_of_the_phase_val(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    step, forward = tf.function(make_step(model, optimizer)), tf.function(lambda x: model(x))
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer):
        for x, y in BATCHES:
            step(x, y)
        forward(BATCHES[0][0])
        forward(BATCHES[1][0])
    there = read(run)
    assert there.steps("activations/a").tolist() == [0, 1, 2, 3]
    assert there.steps("val/activations/a").tolist() == [4, 4]


def test_a_loop_inside_of_one_function(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    step = make_step(model, optimizer)
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)
    optimizer.build(model.trainable_variables)

    @tf.function
    def epoch():
        for x, y in data:
            step(x, y)

    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer, every=2) as watched:
        epoch()
        epoch()
        assert watched.notes == []
    there = read(run)
    for tag in ("activations/a", "gradients/a/kernel", "weights/b/kernel"):
        assert there.steps(tag).tolist() == [0, 2, 4, 6], tag


def test_a_forward_pass_in_a_function_of_its_own(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    forward = tf.function(lambda x: model(x, training=True))

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = LOSS(y, forward(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer):
        for x, y in BATCHES:
            step(x, y)
    there = read(run)
    for tag in ("activations/a", "gradients/a/kernel", "weights/a/kernel"):
        assert there.steps(tag).tolist() == [0, 1, 2, 3], tag


def test_a_model_that_is_called_twice_in_a_step(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - model(-x, training=True)) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))

    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer):
        for x, _ in BATCHES:
            step(x)
    there = read(run)
    assert there.steps("activations/a").tolist() == there.steps("activations/a#1").tolist() == [0, 1, 2, 3]


def test_a_subclassed_model_that_is_built_by_its_first_call(tmp_path):
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = keras.layers.Dense(8, activation="relu", name="hidden")
            self.out = keras.layers.Dense(3, name="out")

        def call(self, x, training=False):
            return self.out(self.hidden(x))

    for compiled in (False, True):
        model, optimizer = Net(), keras.optimizers.SGD(0.1)
        if compiled:  # tf.function makes no variables but in its first call
            optimizer.build([])
            model(BATCHES[0][0])
            optimizer = keras.optimizers.SGD(0.1)
        step = make_step(model, optimizer)
        step = tf.function(step) if compiled else step
        with tap.Run(tmp_path / str(compiled)) as run, tap.watch(run, model, optimizer=optimizer):
            for x, y in BATCHES:
                step(x, y)
        there = read(run)
        for tag in ("activations/hidden", "activations/out", "gradients/hidden/kernel"):
            assert there.steps(tag).tolist() == [0, 1, 2, 3], (compiled, tag, there.tags())


def test_a_function_that_was_traced_before_is_named_with_the_remedy(tmp_path, caplog):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    train_step = tf.function(make_step(model, optimizer))
    train_step(*BATCHES[0])
    with (
        caplog.at_level(logging.WARNING, "tensortap"),
        tap.Run(tmp_path / "a") as run,
        tap.watch(run, model, optimizer=optimizer) as watched,
    ):
        run.scalar("loss", train_step(*BATCHES[1]))
        assert "train_step was traced before tap.watch" in watched.notes[0]
        assert "train_step = tf.function(train_step.python_function)" in caplog.text
        train_step = tf.function(train_step.python_function)
        run.scalar("loss", train_step(*BATCHES[2]))
        assert len(watched.notes) == 1
    there = read(run)
    assert there.scalars("loss").step.tolist() == [1, 2]
    assert there.steps("activations/a").tolist() == [2]


def test_functions_of_the_models_variables_alone_are_named_only_if_they_are_older(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    step = tf.function(make_step(model, optimizer))
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer) as watched:
        norm = tf.function(lambda: tf.add_n([tf.norm(variable) for variable in model.trainable_variables]))
        for x, y in BATCHES:
            step(x, y)
            norm()
        assert watched.notes == []
    assert read(run).steps("activations/a").tolist() == [0, 1, 2, 3]


def test_a_function_that_was_traced_under_an_earlier_watch_is_named_too(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    train_step = tf.function(make_step(model, optimizer))
    for name, notes in (("a", 0), ("b", 1)):
        with tap.Run(tmp_path / name) as run, tap.watch(run, model, optimizer=optimizer) as watched:
            train_step(*BATCHES[0])
            assert len(watched.notes) == notes


@pytest.mark.parametrize("compiled", [False, True])
def test_tf_keras_models_and_its_old_optimizers(tmp_path, compiled):
    import tf_keras

    layers = [tf_keras.layers.Input((4,)), tf_keras.layers.Dense(3, name="a")]
    for optimizer in (tf_keras.optimizers.Adam(), tf_keras.optimizers.legacy.SGD()):
        model = tf_keras.Sequential(layers)
        step = make_step(model, optimizer)
        if compiled:
            if hasattr(optimizer, "build"):
                optimizer.build(model.trainable_variables)
            step = tf.function(step)
        with tap.Run(tmp_path / type(optimizer).__name__) as run, tap.watch(run, model, optimizer=optimizer):
            for x, y in BATCHES:
                step(x, y)
        for tag in ("activations/a", "gradients/a/kernel", "weights/a/bias"):
            assert read(run).steps(tag).tolist() == [0, 1, 2, 3], tag


def test_a_function_that_does_not_touch_the_model_is_not_named(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    other = tf.function(lambda x: x * 2)
    other(X)
    step = tf.function(make_step(model, optimizer))
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer) as watched:
        step(*BATCHES[0])
        other(X)
        assert watched.notes == []


def test_two_optimizers_of_one_step_are_one_batch(tmp_path):
    model = make_model()
    optimizers = [keras.optimizers.SGD(0.1), keras.optimizers.SGD(0.01)]
    halves = [model.layers[0].trainable_variables, model.layers[1].trainable_variables]
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizers):
        for x, y in BATCHES:
            with tf.GradientTape() as tape:
                loss = LOSS(y, model(x, training=True))
            gradients = tape.gradient(loss, halves)
            for optimizer, variables, values in zip(optimizers, halves, gradients, strict=True):
                optimizer.apply_gradients(zip(values, variables, strict=True))
    there = read(run)
    for tag in ("activations/a", "gradients/a/kernel", "gradients/b/kernel", "weights/a/kernel"):
        assert there.steps(tag).tolist() == [0, 1, 2, 3], tag


def test_every_kind_and_epochs_of_the_run(tmp_path):
    model, optimizer = make_model(), keras.optimizers.Adam()
    step = tf.function(make_step(model, optimizer))
    kinds = {"updates": True, "slots": True, "activation_gradients": True, "input_gradients": True}
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer, every=tap.epochs(1), **kinds):
        for epoch in range(2):
            run.epoch = epoch
            for x, y in BATCHES:
                step(x, y)
    there = read(run)
    for prefix in (
        "activations/a",
        "activation_gradients/a",
        "gradients/a/kernel",
        "updates/a/kernel",
        "weights/a/bias",
    ):
        assert there.steps(prefix).tolist() == [0, 4], prefix
    assert there.steps("input_gradients/input").tolist() == [0, 4]
    assert any(tag.startswith("slots/") for tag in there.tags())


def test_globs_choose_and_a_wrong_one_is_told_at_once(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    step = tf.function(make_step(model, optimizer))
    with tap.Run(tmp_path / "a") as run:
        with pytest.raises(ValueError, match="no layer matches 'c\\*'"):
            tap.watch(run, model, optimizer=optimizer, activations="c*")
        assert "call" not in vars(model)
        with tap.watch(run, model, optimizer=optimizer, activations="a", gradients="b/kernel", weights=False):
            step(*BATCHES[0])
    assert read(run).tags() == ["activations/a", "gradients/b/kernel"]


def test_afterwards_everything_is_as_it_was(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    function, tape = type(tf.function(lambda: 0)), tf.GradientTape
    before = (function.__call__, tape.__enter__, tape.__exit__, tape.gradient, dict(vars(optimizer)).keys())
    step = tf.function(make_step(model, optimizer))
    with tap.Run(tmp_path / "a") as run:
        with tap.watch(run, model, optimizer=optimizer):
            step(*BATCHES[0])
        step(*BATCHES[1])
    assert read(run).steps("activations/a").tolist() == [0]
    assert "call" not in vars(model)
    assert all("call" not in vars(layer) for layer in model.layers)
    after = (function.__call__, tape.__enter__, tape.__exit__, tape.gradient, dict(vars(optimizer)).keys())
    assert before[:4] == after[:4]
    assert "apply" not in vars(optimizer)


def test_an_error_in_the_loop_undoes_it_too(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    with tap.Run(tmp_path / "a") as run:
        with pytest.raises(ZeroDivisionError), tap.watch(run, model, optimizer=optimizer):
            raise ZeroDivisionError
        assert "call" not in vars(model)


def test_a_function_that_xla_compiles_runs_and_is_noted(tmp_path):
    model, optimizer = make_model(), keras.optimizers.SGD(0.1)
    optimizer.build(model.trainable_variables)
    step = tf.function(make_step(model, optimizer), jit_compile=True)
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer) as watched:
        step(*BATCHES[0])
        assert "XLA" in watched.notes[0]


def test_mixed_precision_gradients_are_unscaled(tmp_path):
    model = make_model()
    plain = keras.optimizers.SGD(0.1)
    optimizer = keras.optimizers.LossScaleOptimizer(plain, initial_scale=1024.0)
    gradients = []

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = LOSS(y, model(x, training=True))
            scaled = optimizer.scale_loss(loss)
        values = tape.gradient(scaled, model.trainable_variables)
        gradients.append(values[0].numpy() / 1024)
        optimizer.apply_gradients(zip(values, model.trainable_variables, strict=True))

    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer, what="tensor"):
        step(*BATCHES[0])
    np.testing.assert_allclose(read(run).tensor("gradients/a/kernel", step=0), gradients[0], rtol=1e-6)


def test_replicas_have_tags_of_their_own(tmp_path):
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        model, optimizer = make_model(), keras.optimizers.SGD(0.1)
        optimizer.build(model.trainable_variables)
    step = make_step(model, optimizer)
    with tap.Run(tmp_path / "a") as run, tap.watch(run, model, optimizer=optimizer):
        for x, y in BATCHES[:2]:
            tf.function(lambda x, y: strategy.run(step, (x, y)))(x, y)
    assert read(run).steps("activations/a").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("runs/a", "model"), "tap.watch records to a tap.Run, not str"),
        (("run", 3), "watches Keras models, Keras layers and tf.Modules; not int"),
        (("run", "model", 7), "optimizer is one with apply_gradients"),
    ],
)
def test_wrong_arguments_are_told_at_once(run, arguments, message):
    values = {"run": run, "model": make_model()}
    with pytest.raises(TypeError, match=message):
        tap.watch(*[values.get(one, one) if isinstance(one, str) else one for one in arguments])


def test_updates_need_an_optimizer(run):
    with pytest.raises(ValueError, match="optimizer="):
        tap.watch(run, make_model(), updates=True)
