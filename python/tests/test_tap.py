"""tap.tap, symbolic tensors in run.scalar and its like, and tap.every_op: recorded where and when they execute."""

from __future__ import annotations

import logging
import subprocess
import sys
import time

import keras
import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap

X = tf.constant([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])


def read(run):
    return tap.open(run.path)["."]


def values(run, tag):
    there = read(run)
    return [there.tensor(tag, step=int(step)).tolist() for step in there.steps(tag)]


# --- where


def test_an_eager_tensor_an_array_and_a_list_come_back_as_they_are(tmp_path):
    array = np.arange(3.0)
    with tap.Run(tmp_path / "a") as run:
        run.step = 5
        assert tap.tap(X, "tensor", what="tensor") is X
        assert tap.tap(array, "array") is array
        assert tap.tap([array, {"b": array}], "nest")[1]["b"] is array
    there = read(run)
    assert there.tags() == ["array", "nest", "nest:1/b", "tensor"]
    np.testing.assert_array_equal(there.tensor("tensor", step=5), X)


def test_inside_of_a_function_it_records_whenever_that_runs(tmp_path):
    @tf.function
    def double(x):
        return tap.tap(x * 2, "double", what="tensor")

    with tap.Run(tmp_path / "a") as run:
        for step in range(3):
            run.step = step
            double(X + step)
    assert values(run, "double") == [((X + step) * 2).numpy().tolist() for step in range(3)]


def test_one_trace_serves_every_run_and_none(tmp_path):
    @tf.function
    def function(x):
        return tap.tap(x, "x")

    function(X)
    for name in ("a", "b"):
        with tap.Run(tmp_path / name) as run:
            function(X)
            function(X)
        assert read(run).steps("x").tolist() == [0, 1]
    function(X)
    assert function.experimental_get_tracing_count() == 1


def test_the_innermost_run_records_or_the_one_that_is_given(tmp_path):
    with tap.Run(tmp_path / "outer") as outer:
        with tap.Run(tmp_path / "inner") as inner:
            tap.tap(X, "nearest")
            tap.tap(X, "given", run=outer)
        tap.tap(X, "later")
    assert read(inner).tags() == ["nearest"]
    assert read(outer).tags() == ["given", "later"]


def test_iterations_of_loops_have_numbers(tmp_path):
    @tf.function
    def loops(x):
        for i in tf.range(3):
            x = tap.tap(x + 1, "outer", what="tensor")
            for _ in tf.range(i):
                tap.tap(x, "inner")
        return tf.map_fn(lambda row: tap.tap(row, "row", what="tensor"), x)

    with tap.Run(tmp_path / "a") as run:
        loops(X)
        loops(X)
    there = read(run)
    assert there.steps("outer").tolist() == there.steps("outer#2").tolist() == [0, 1]
    for iteration, tag in enumerate(["outer", "outer#1", "outer#2"]):
        np.testing.assert_array_equal(there.tensor(tag, step=1), X + iteration + 1)
    assert [tag for tag in there.tags() if "inner" in tag] == ["inner#1.0", "inner#2.0", "inner#2.1"]
    np.testing.assert_array_equal(there.tensor("row#1", step=0), X[1] + 3)


def test_only_the_branch_that_runs_records(tmp_path):
    @tf.function
    def branch(x):
        return tf.cond(tf.reduce_sum(x) > 0, lambda: tap.tap(x, "above"), lambda: tap.tap(x, "below"))

    with tap.Run(tmp_path / "a") as run:
        branch(X)
    assert read(run).tags() == ["above"]


def test_inside_of_a_layer_under_fit_with_its_phases(tmp_path):
    class Doubled(keras.layers.Layer):
        def call(self, x):
            return tap.tap(x * 2, "doubled", what="tensor")

    model = keras.Sequential([keras.layers.Input((3,)), Doubled(), keras.layers.Dense(1, name="last")])
    model.compile("sgd", "mse")
    x = np.ones((8, 3), np.float32)
    with tap.keras.Recorder(tmp_path / "a", every=100) as recorder:
        model.fit(x, x[:, :1], batch_size=2, validation_split=0.5, epochs=2, verbose=0, callbacks=[recorder])
    stats = read(recorder.run)
    phases = stats.stats("activations/last")  # the recorder's own are there too
    assert len(phases.step) == 1
    tensors = [stats.tensor("doubled", step=int(step)) for step in stats.steps("doubled")]
    assert stats.steps("doubled").tolist() == [0, 1, 2, 3]
    assert stats.steps("val/doubled").tolist() == [2, 2, 4, 4]
    assert all((tensor == 2).all() for tensor in tensors)


def test_between_the_layers_of_a_functional_model(tmp_path):
    inputs = keras.Input((3,))
    outputs = keras.layers.Dense(1)(tap.tap(keras.layers.Dense(2, name="hidden")(inputs), "between"))
    model = keras.Model(inputs, outputs)
    with tap.Run(tmp_path / "a") as run:
        model(X)
    assert read(run).tags() == ["between"]
    copy = keras.Model.from_config(model.get_config())
    assert [type(layer).__name__ for layer in copy.layers] == [type(layer).__name__ for layer in model.layers]


def test_between_the_layers_of_a_functional_tf_keras_model_and_to_a_given_run(tmp_path):
    import tf_keras

    with tap.Run(tmp_path / "a") as run, tap.Run(tmp_path / "b"):
        for number, package in enumerate((keras, tf_keras)):
            inputs = package.Input((3,))
            tapped = tap.tap(package.layers.Dense(2)(inputs), f"between{number}", run=run)
            package.Model(inputs, package.layers.Dense(1)(tapped))(X)
    assert read(run).tags() == ["between0", "between1"]


def test_in_a_graph_of_tf1_it_runs_with_what_is_fetched(tmp_path):
    with tf.Graph().as_default():
        x = tf.compat.v1.placeholder(tf.float32, [None])
        tripled = tap.tap(x * 3, "tripled", what="tensor")
        after = tripled + 1
        with tf.compat.v1.Session() as session, tap.Run(tmp_path / "a") as run:
            for step in (3, 4):
                run.step = step
                assert session.run(after, {x: [step]}).tolist() == [3 * step + 1]
            session.run(x, {x: [1.0]})
    assert read(run).steps("tripled").tolist() == [3, 4]


def test_replicas_have_tags_of_their_own(run_program, tmp_path):
    source = """
        import sys
        import tensorflow as tf, tensortap as tap
        devices = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(devices[0], [tf.config.LogicalDeviceConfiguration()] * 2)
        strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
        with tap.Run(sys.argv[1]):
            tf.function(lambda: strategy.run(lambda: tap.tap(tf.ones([2]), "x")))()
    """
    done = run_program(source, tmp_path / "a")
    assert done.returncode == 0, done.stderr
    assert tap.open(tmp_path)["a"].tags() == ["x@0", "x@1"]


def test_gradients_flow_through_it():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.reduce_sum(tf.function(lambda x: tap.tap(x * x, "square"))(X))
    np.testing.assert_array_equal(tape.gradient(y, X), 2 * X)


def test_xla_compiles_around_it_and_a_warning_says_so(caplog):
    function = tf.function(lambda x: tap.tap(x * 2, "compiled by XLA"), jit_compile=True)
    with caplog.at_level(logging.WARNING, "tensortap"):
        np.testing.assert_array_equal(function(X), X * 2)
    assert "compiled by XLA is not recorded" in caplog.text


def test_an_exported_model_needs_no_tensortap(tmp_path):
    class Tapped(keras.layers.Layer):
        def call(self, x):
            return tap.tap(x, "exported")

    model = keras.Sequential([keras.layers.Input((3,)), Tapped()])
    model.export(tmp_path / "model", verbose=False)
    source = f"import tensorflow as tf; print(tf.saved_model.load({str(tmp_path / 'model')!r}).serve(tf.ones((1, 3))))"
    result = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert "[[1. 1. 1.]]" in result.stdout, result.stderr


# --- when


def test_every_counts_batches(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for step in range(7):
            run.step = step
            tap.tap(X, "third", every=3)
            tap.tap(X, "chosen", every=tap.steps([1, 5]))
    there = read(run)
    assert there.steps("third").tolist() == [0, 3, 6]
    assert there.steps("chosen").tolist() == [1, 5]


def test_while_no_run_is_open_it_costs_little():
    # Not one hundredth of what a step of the smallest network takes.
    for _ in range(100):
        tap.tap(X, "off")
    started = time.perf_counter()
    for _ in range(10_000):
        tap.tap(X, "off")
    assert (time.perf_counter() - started) / 10_000 < 50e-6


def test_strings_are_not_recorded_and_do_no_harm(tmp_path, caplog):
    @tf.function
    def texts(x):
        return tap.tap(x, "texts")

    with tap.Run(tmp_path / "a") as run, caplog.at_level(logging.WARNING, "tensortap"):
        assert texts(tf.constant(["a"])).numpy().tolist() == [b"a"]
        tap.tap(X, "numbers")
    assert "holds no numbers" in caplog.text
    assert read(run).tags() == ["numbers"]


# --- shown


def test_what_is_shown_is_limited_and_says_so(start_program, tmp_path):
    source = """
        import time
        import tensorflow as tf, tensortap as tap
        @tf.function
        def f(x):
            return tap.tap(x, "hidden/x", show=True)
        for i in range(200):
            f(tf.constant([[1.0, 2.0], [3.0, float("nan")]]))
        time.sleep(1.1)
        f(tf.zeros([2, 2]))
    """
    process = start_program(source)
    out, _ = process.communicate(timeout=120)
    lines = [line for line in out.splitlines() if line.startswith("hidden/x")]
    assert lines[0] == "hidden/x  step 0  float32 [2,2]  min 1  mean 2  max 3  std 0.8165  nan 1  [1, 2, 3, nan]"
    assert len(lines) <= 6
    assert lines[-1].endswith("not shown)")


def test_eager_tensors_are_shown_through_pythons_own_output(capsys):
    tap.tap(np.arange(20.0).reshape(4, 5), "eagerly shown", show=True)
    expected = "float64 [4,5]  min 0  mean 9.5  max 19  std 5.766  [0, 1, 2, 3, 4, 5, ...]"
    assert expected in capsys.readouterr().out


# --- symbolic tensors in calls of a run


def test_a_run_takes_symbolic_tensors_with_the_optimizers_step(tmp_path):
    optimizer, variable = keras.optimizers.SGD(0.5), tf.Variable([1.0, 2.0])
    optimizer.build([variable])
    with tap.Run(tmp_path / "a") as run:

        @tf.function
        def step():
            run.scalar("loss", tf.reduce_sum(variable), step=optimizer.iterations)
            run.histogram("variable", variable, step=optimizer.iterations)
            run.tensor("square", variable**2, step=optimizer.iterations)
            run.image("picture", tf.reshape(variable, [1, 2]), step=optimizer.iterations)
            optimizer.apply([tf.ones([2])], [variable])

        for _ in range(3):
            step()
    there = read(run)
    assert there.scalars("loss").step.tolist() == [0, 1, 2]
    assert there.scalars("loss").value.tolist() == [3.0, 2.0, 1.0]
    assert there.steps("variable").tolist() == there.steps("picture").tolist() == [0, 1, 2]
    assert values(run, "square")[1] == [0.25, 2.25]


def test_without_a_step_it_is_that_of_the_run(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        function = tf.function(lambda x: run.sub("val").scalar("mean", tf.reduce_mean(x)))
        for run.step in (10, 20):
            function(X)
    assert tap.open(run.path)["."].scalars("val/mean").step.tolist() == [10, 20]


def test_a_closed_run_is_left_alone(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        function = tf.function(lambda x: run.scalar("mean", tf.reduce_mean(x), step=0))
        function(X)
    function(X)
    assert len(read(run).scalars("mean").value) == 1


def test_other_calls_say_to_use_tap(run):
    with pytest.raises(TypeError, match=r"tap\.tap"):
        tf.function(lambda x: run.predictions("val", y_pred=x, step=0)).get_concrete_function(X)
    with pytest.raises(TypeError, match=r"tap\.tap"):
        tf.function(lambda x: run.text("note", tf.strings.as_string(x), step=0)).get_concrete_function(X)


# --- every op


def test_every_op_that_matches_is_recorded(tmp_path):
    def network(x):
        return tf.nn.relu(tf.matmul(x, x, transpose_b=True)) + 1

    with tap.Run(tmp_path / "a") as run:
        with tap.every_op(run, "MatMul|Relu", what="tensor") as ops:
            function = tf.function(network)
            function(X)
            assert ops.tags == ["ops/network/MatMul", "ops/network/Relu"]
        later = tf.function(network)
        later(X)
    there = read(run)
    assert there.tags() == ["ops/network/MatMul", "ops/network/Relu"]
    np.testing.assert_allclose(there.tensor("ops/network/Relu", step=0), tf.nn.relu(X @ tf.transpose(X)))


def test_every_op_sees_a_training_step_whole(tmp_path):
    model, optimizer = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2, name="d")]), None
    optimizer = keras.optimizers.SGD()
    optimizer.build(model.trainable_variables)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        optimizer.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        return loss

    with tap.Run(tmp_path / "a") as run, tap.every_op(run) as ops:
        first = step(X)
        step(X)
    tags = read(run).tags()
    assert set(ops.tags) <= set(tags)
    assert any("/d_1/MatMul" in tag or "/d/MatMul" in tag for tag in tags)
    assert any("gradient_tape" in tag for tag in tags)
    assert first.numpy() > 0
    assert read(run).steps(ops.tags[0]).tolist() == [0, 1]


def test_a_pattern_that_is_none_is_told(run):
    with pytest.raises(Exception, match=r"unterminated|missing"):
        tap.every_op(run, "(")
