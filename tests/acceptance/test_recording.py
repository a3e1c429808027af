"""What people ask of recording itself, each as the script they would write."""

import numpy as np
from tensorboard.util.tensor_util import make_ndarray


def values_of(accumulator, tag):
    return [(event.step, make_ndarray(event.tensor_proto)) for event in accumulator.Tensors(tag)]


def test_002_1_scalars_histograms_images_audio_and_text_of_tensors(run_script, read_events):
    run_script("""
        import tensorflow as tf
        import tensortap as tap
        x = tf.random.stateless_normal((64, 16, 16, 3), seed=(1, 2))
        with tap.Run("runs/a") as run:
            run.scalar("mean", tf.reduce_mean(x), step=0)
            run.histogram("x", x, step=0)
            run.image("x/images", tf.clip_by_value(x[:4], 0, 1), step=0)
            run.audio("x/sound", tf.reshape(x, [-1])[:1000] / 10, rate=8000, step=0)
            run.text("x/about", "a **normal** tensor", step=0)
            run.tensor("x/raw", x, step=0)
    """)
    events = read_events("runs/a")
    assert set(events.Tags()["tensors"]) == {"mean", "x", "x/images", "x/sound", "x/about"}
    ((_, mean),) = values_of(events, "mean")
    assert abs(float(mean)) < 0.05
    ((_, rows),) = values_of(events, "x")
    assert rows[:, 2].sum() == 64 * 16 * 16 * 3
    ((_, images),) = values_of(events, "x/images")
    assert len(images) == 2 + 4 and images[2].startswith(b"\x89PNG")
    ((_, sound),) = values_of(events, "x/sound")
    assert sound[0][:4] == b"RIFF"
    ((_, text),) = values_of(events, "x/about")
    assert text.item() == b"a **normal** tensor"


def test_002_3_a_log_path_that_cannot_be_written_is_reported_at_once(run_script, tmp_path):
    (tmp_path / "taken").write_text("a file, not a directory")
    printed = run_script('import tensortap as tap; tap.Run("taken/run"); print("never reached")', fails=True)
    assert "taken/run" in printed and "Not a directory" in printed
    assert "never reached" not in printed


def test_002_5_train_and_test_are_separate_and_share_a_plot(run_script, read_events):
    run_script("""
        import numpy as np, keras
        import tensortap as tap
        keras.utils.set_random_seed(1)
        x = np.random.rand(256, 4); y = (x.sum(axis=1) > 2).astype("int32")
        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(2, "softmax")])
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        with tap.Run("runs/a") as run:
            train, test = run.sub("train"), run.sub("test")
            for epoch in range(3):
                for start in range(0, 192, 32):
                    logs = model.train_on_batch(x[start:start+32], y[start:start+32], return_dict=True)
                    step = int(model.optimizer.iterations.numpy()) - 1
                    train.scalar("loss", logs["loss"], step=step); train.scalar("accuracy", logs["accuracy"], step=step)
                logs = model.evaluate(x[192:], y[192:], verbose=0, return_dict=True)
                test.scalar("loss", logs["loss"], step=step); test.scalar("accuracy", logs["accuracy"], step=step)
    """)
    for part, points in (("train", 18), ("test", 3)):
        events = read_events(f"runs/a/{part}")
        assert set(events.Tags()["tensors"]) == {"loss", "accuracy"}
        assert len(values_of(events, "loss")) == points
    assert [step for step, _ in values_of(read_events("runs/a/train"), "loss")] == list(range(18))


def test_002_6_plain_python_numbers_are_accepted(run_script, read_events):
    run_script("""
        import tensortap as tap
        with tap.Run("runs/a") as run:
            for step, value in enumerate([1, 0.5, True, float("nan"), 10**20]):
                run.scalar("x", value, step=step)
    """)
    values = [float(value) for _, value in values_of(read_events("runs/a"), "x")]
    assert values[:3] == [1.0, 0.5, 1.0] and np.isnan(values[3]) and values[4] == np.float32(1e20)


def test_002_8_the_histogram_of_a_weight_at_every_step(run_script, read_events):
    run_script("""
        import numpy as np, tensorflow as tf, keras
        import tensortap as tap
        layers = [keras.layers.Dense(8, name="a"), keras.layers.Dense(1, name="b")]
        model = keras.Sequential([keras.Input((4,)), *layers], name="net")
        optimizer = keras.optimizers.SGD(0.1)
        optimizer.build(model.trainable_variables)

        @tf.function
        def train_step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
            optimizer.apply(tape.gradient(loss, model.trainable_variables))
            return loss

        x = np.random.rand(32, 4).astype("f4"); y = x.sum(axis=1, keepdims=True)
        with tap.Run("runs/a", tensorboard="all") as run:
            for step in range(150):
                train_step(x, y)
                for variable in model.trainable_variables:
                    run.histogram(f"weights/{variable.path}", variable, step=step)
    """)
    events = read_events("runs/a")
    tags = set(events.Tags()["tensors"])
    assert tags == {f"weights/net/{layer}/{name}" for layer in "ab" for name in ("kernel", "bias")}
    steps = values_of(events, "weights/net/a/kernel")
    assert [step for step, _ in steps] == list(range(150))
    assert all(rows[:, 2].sum() == 32 for _, rows in steps)
    assert not np.array_equal(steps[0][1], steps[-1][1])


def test_000_18_a_gradient_tape_loop_with_a_time_stamped_directory(run_script, read_events, tmp_path):
    run_script("""
        import tensorflow as tf
        import tensortap as tap
        w = tf.Variable(3.0)
        with tap.new_run("runs") as run:
            train, val = run.sub("train"), run.sub("val")
            for step in range(20):
                with tf.GradientTape() as tape:
                    loss = w * w
                w.assign_sub(0.1 * tape.gradient(loss, w))
                train.scalar("loss", loss, step=step)
                if step % 5 == 0:
                    val.scalar("loss", w * w, step=step)
    """)
    (directory,) = (tmp_path / "runs").iterdir()
    assert directory.name[:4].isdigit() and directory.name[4] == "-"
    losses = values_of(read_events(directory / "train"), "loss")
    assert [float(value) for _, value in losses[:2]] == [9.0, np.float32(2.4 * 2.4)]
    assert len(losses) == 20 and len(values_of(read_events(directory / "val"), "loss")) == 4


def test_000_16_every_trainable_variable_has_a_name_of_its_own(run_script, read_events):
    run_script("""
        import keras
        import tensortap as tap
        model = keras.Sequential([keras.Input((4,))] + [keras.layers.Dense(4) for _ in range(3)])
        with tap.Run("runs/a") as run:
            for step in range(2):
                for variable in model.trainable_variables:
                    run.histogram(variable.path, variable, step=step)
    """)
    assert len(read_events("runs/a").Tags()["tensors"]) == 6
