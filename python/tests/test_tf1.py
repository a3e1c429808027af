"""tap.tf1: tensors of tf.compat.v1 graphs are recorded out of the sessions that run them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import tensortap as tap

v1 = tf.compat.v1


class Net:
    """A graph that trains: pred = x @ w + b; each training step adds one to the global step."""

    def __init__(self, *, global_step: bool = True) -> None:
        with tf.Graph().as_default() as self.graph:
            v1.set_random_seed(3)
            self.x = v1.placeholder(tf.float32, [None, 3], name="x")
            self.y = v1.placeholder(tf.float32, [None, 1], name="y")
            self.w = v1.get_variable("w", [3, 1], initializer=v1.zeros_initializer(), use_resource=True)
            self.out = tf.identity(tf.matmul(self.x, self.w), name="out")
            self.loss = tf.reduce_mean(tf.square(self.out - self.y), name="loss")
            step = v1.train.get_or_create_global_step() if global_step else None
            self.train = v1.train.GradientDescentOptimizer(0.1).minimize(self.loss, global_step=step)
            self.initialise = v1.global_variables_initializer()

    def feed(self, size: int = 8) -> dict:
        x = np.random.default_rng(1).normal(size=(size, 3)).astype(np.float32)
        return {self.x: x, self.y: x[:, :1] - x[:, 1:2]}


@pytest.fixture
def net():
    return Net()


def train(net: Net, hook, steps: int, **more) -> list[tuple]:
    """(out, loss) as the training itself saw them, beside what the hook recorded."""
    with net.graph.as_default(), v1.train.MonitoredSession(hooks=[hook]) as session:
        return [session.run([net.out, net.loss, net.train], net.feed(), **more)[:2] for _ in range(steps)]


# --- RecorderHook


def test_a_hook_records_what_the_training_itself_computed(net, read_run, tmp_path):
    hook = tap.tf1.RecorderHook(
        tmp_path / "run", tensors={"out": net.out, "loss": "loss:0"}, every=2, what=("stats", "tensor")
    )
    seen = train(net, hook, 5)
    assert hook.run.closed and hook.notes == []
    read = read_run(hook)
    assert list(read.steps("out")) == [0, 2, 4]
    for step in (0, 2, 4):
        np.testing.assert_array_equal(read.tensor("out", step=step), seen[step][0])
    assert list(read.stats("out").phase) == ["train"] * 3
    assert list(read.scalars("loss").step) == [0, 2, 4]
    assert list(read.scalars("loss").value) == [seen[step][1] for step in (0, 2, 4)]
    assert read.tags(kind="graphs")


def test_a_scalar_can_be_had_at_each_step_and_goes_to_a_sub_run(net, read_run, tmp_path):
    hook = tap.tf1.RecorderHook(
        tmp_path / "run", {"out": net.out, "loss": net.loss}, every=tap.steps([3]), scalars_every=1, sub="train"
    )
    seen = train(net, hook, 4)
    read = read_run(hook)
    assert list(read.steps("train/out")) == [3]
    assert list(read.scalars("train/loss").value) == [loss for _, loss in seen]
    assert (Path(hook.run.path) / "train").is_dir()


def test_epochs_of_a_hook_end_with_their_last_step_and_number_its_checkpoints(net, read_run, tmp_path):
    rule = tap.epochs(2, steps_per_epoch=3)
    hook = tap.tf1.RecorderHook(tmp_path / "run", {"out": net.out}, every=rule, what="tensor", checkpoints=True)
    epochs = []

    class Watch(v1.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            epochs.append(hook.run.epoch)

    with net.graph.as_default(), v1.train.MonitoredSession(hooks=[hook, Watch()]) as session:
        weights = []
        for _ in range(9):
            session.run(net.train, net.feed())
            weights.append(session._tf_sess().run(net.w))
    assert epochs == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert list(read_run(hook).steps("out")) == [2, 8]
    saved = Path(hook.run.path) / "checkpoints"
    assert sorted(path.name for path in saved.glob("*.index")) == ["model-0.index", "model-2.index"]
    np.testing.assert_array_equal(tf.train.load_checkpoint(str(saved / "model-2")).get_tensor("w"), weights[8])


def test_without_a_global_step_the_hook_counts_runs(read_run, tmp_path):
    net = Net(global_step=False)
    hook = tap.tf1.RecorderHook(tmp_path / "run", {"loss": net.loss}, every=2)
    train(net, hook, 4)
    assert list(read_run(hook).scalars("loss").step) == [0, 2]


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"out": "owt:0"}, r"'out': the graph has no tensor 'owt:0'.*'out:0'"),
        ({"out": "matmul"}, r"'out': the graph has no tensor 'matmul:0'"),
        ({"out": lambda: Net().out}, r"'out': 'out:0' belongs to another graph"),
    ],
)
def test_a_wrong_tensor_is_reported_before_the_training(net, tensors, message, tmp_path):
    tensors = {tag: one() if callable(one) else one for tag, one in tensors.items()}
    with pytest.raises(ValueError, match=message):
        train(net, tap.tf1.RecorderHook(tmp_path / "run", tensors), 1)


def test_what_no_session_can_run_is_refused_when_the_hook_is_made(net, tmp_path):
    with pytest.raises(TypeError, match="eager tensor"):
        tap.tf1.RecorderHook(tmp_path / "run", {"out": tf.constant([1.0])})
    with pytest.raises(TypeError, match="'out' must be a tensor or its name"):
        tap.tf1.RecorderHook(tmp_path / "run", {"out": 3})
    with pytest.raises(ValueError, match="steps_per_epoch=100"):
        tap.tf1.RecorderHook(tmp_path / "run", {"out": net.out}, every=tap.epochs(1))
    assert not (tmp_path / "run").exists()


def test_a_run_that_feeds_less_goes_on_unrecorded(net, read_run, tmp_path):
    hook = tap.tf1.RecorderHook(tmp_path / "run", {"loss": net.loss})
    with net.graph.as_default(), v1.train.MonitoredSession(hooks=[hook]) as session:
        assert session.run(net.out, {net.x: np.zeros((1, 3))}).shape == (1, 1)
        session.run(net.train, net.feed())
    assert list(read_run(hook).scalars("loss").step) == [0]
    assert hook.notes == ["a run of the session was not recorded: loss need y:0, which it does not feed"]


def test_beside_the_training_op_other_runs_are_left_alone(read_run, tmp_path):
    net = Net(global_step=False)
    hook = tap.tf1.RecorderHook(tmp_path / "run", {"loss": net.loss}, beside=net.train)
    with net.graph.as_default(), v1.train.MonitoredSession(hooks=[hook]) as session:
        seen = []
        for _ in range(3):
            session.run({"out": net.out}, net.feed(2))
            seen.append(session.run({"a": [net.train, net.loss]}, net.feed())["a"][1])
    assert list(read_run(hook).scalars("loss", raw=True).step) == [0, 1, 2]
    assert list(read_run(hook).scalars("loss").value) == seen
    assert hook.notes == []


def test_a_run_that_is_closed_while_the_session_runs_ends_the_recording_alone(net, run, read_run):
    hook = tap.tf1.RecorderHook(run, {"loss": net.loss}, checkpoints=True)
    with net.graph.as_default(), v1.train.MonitoredSession(hooks=[hook]) as session:
        session.run(net.train, net.feed())
        run.close()
        session.run(net.train, net.feed())
        assert session._tf_sess().run(v1.train.get_global_step()) == 2
    assert list(read_run(run).scalars("loss").step) == [0]


def test_the_hook_leaves_an_open_run_open(net, run, read_run):
    train(net, tap.tf1.RecorderHook(run, {"loss": net.loss}), 2)
    assert not run.closed
    with pytest.raises(TypeError, match="is open already"):
        tap.tf1.RecorderHook(run, {"loss": net.loss}, sinks=[tap.sinks.print()])


# --- SessionRecorder


def test_a_capture_runs_once_records_and_returns_the_values(net, read_run, tmp_path):
    feed = net.feed()
    with v1.Session(graph=net.graph) as session, tap.tf1.SessionRecorder(tmp_path / "run", session) as rec:
        session.run(net.initialise)
        for epoch in range(3):
            values, _ = rec.capture(
                {"out": net.out, "loss": net.loss}, feed, step=epoch, sub="test", fetches=net.train, phase="val"
            )
            assert rec.run.epoch == epoch
            last = values
        assert session.run(v1.train.get_global_step(net.graph)) == 3
    read = read_run(rec)
    assert list(read.steps("test/out")) == [0, 1, 2]
    np.testing.assert_array_equal(read.tensor("test/out", step=2), last["out"])
    assert read.stats("test/out").max[2] == last["out"].max()
    assert read.scalars("test/loss").value[2] == last["loss"]
    assert read.tags(kind="graphs") and rec.notes == []


def test_captures_without_a_step_have_the_global_step_before_the_update(net, read_run, tmp_path):
    with v1.Session(graph=net.graph) as session, tap.tf1.SessionRecorder(tmp_path / "run") as rec:
        session.run(net.initialise)
        for _ in range(3):
            rec.capture(net.loss, net.feed(), fetches=net.train)
        rec.scalar("mine", 1.5)
        rec.capture({"w": net.w}, epoch=7, what="stats")
        assert rec.run.epoch == 7
    read = read_run(rec)
    assert list(read.scalars("loss").step) == [0, 1, 2]
    assert list(read.scalars("mine").step) == [2]
    assert list(read.steps("w")) == [3]


def test_predictions_come_in_batches_with_labels_and_ids(net, read_run, tmp_path):
    feed = net.feed(10)
    runs = []

    class Counted(v1.Session):
        def run(self, *args, **kwargs):
            runs.append(args)
            return super().run(*args, **kwargs)

    with Counted(graph=net.graph) as session, tap.tf1.SessionRecorder(tmp_path / "run", session) as rec:
        session.run([net.initialise])
        session.run(net.train, feed)
        expected = session.run(net.out, feed)
        before = len(runs)
        outputs = rec.predictions("val", net.out, net.y, feed, ids=np.arange(100, 110), step=4, batch_size=4)
        assert len(runs) - before == 3
        rec.predictions("again", "out:0", feed[net.y], [{net.x: feed[net.x][:5]}, {net.x: feed[net.x][5:]}], step=4)
    np.testing.assert_allclose(outputs, expected, rtol=1e-6)
    read = read_run(rec)
    val, again = (read.predictions(name, step=4) for name in ("val", "again"))
    np.testing.assert_array_equal(val.y_pred, outputs)
    np.testing.assert_array_equal(val.y_true, feed[net.y])
    assert list(val.ids) == list(range(100, 110))
    np.testing.assert_allclose(again.y_pred, expected, rtol=1e-6)
    assert list(again.ids) == list(range(10))


def test_checkpoints_have_the_number_of_the_outputs(net, read_run, tmp_path):
    with v1.Session(graph=net.graph) as session, tap.tf1.SessionRecorder(tmp_path / "run", session) as rec:
        with net.graph.as_default():
            saver = v1.train.Saver(max_to_keep=None)
        session.run(net.initialise)
        paths = []
        for epoch in range(2):
            session.run(net.train, net.feed())
            rec.capture({"out": net.out}, {net.x: net.feed()[net.x]}, step=epoch)
            paths.append(rec.checkpoint(saver, step=epoch))
        session.run(net.train, net.feed())
        saver.restore(session, paths[1])
        restored = session.run(net.out, net.feed())
    assert [Path(path).relative_to(rec.run.path).as_posix() for path in paths] == [
        "checkpoints/model-0",
        "checkpoints/model-1",
    ]
    np.testing.assert_array_equal(read_run(rec).tensor("out", step=1), restored)


def test_a_recorder_says_what_is_wrong_and_opens_nothing(net, tmp_path):
    with pytest.raises(TypeError, match=r"sess is a tf.compat.v1.Session"):
        tap.tf1.SessionRecorder(tmp_path / "run", "session")
    rec = tap.tf1.SessionRecorder(tmp_path / "run")
    with pytest.raises(ValueError, match="there is no session"):
        rec.capture({"out": net.out})
    with v1.Session(graph=net.graph) as session:
        with pytest.raises(ValueError, match="no tensor 'nothing:0'"):
            rec.capture({"out": "nothing"})
        with pytest.raises(tf.errors.InvalidArgumentError, match="placeholder"):
            session.run(net.initialise)
            rec.capture({"out": net.out})
    rec.close()


# --- programs of their own: these settings last as long as the process

LEGACY = """
    import os, sys
    os.environ["TF_USE_LEGACY_KERAS"] = "1"
    import numpy as np, tensorflow as tf
    tf.compat.v1.disable_v2_behavior()
    import tensortap as tap

    x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
    y = x[:, :1]
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, "relu", name="hidden", input_shape=(4,)),
                                 tf.keras.layers.Dense(1, name="head")])
    model.compile("sgd", "mse")
    session = tf.compat.v1.keras.backend.get_session()
    rec = tap.tf1.SessionRecorder(sys.argv[1], session)
    for epoch in range(2):
        model.fit(x, y, batch_size=8, verbose=0)
        hidden = rec.capture({"hidden": model.layers[0].output}, {model.input: x[:5]}, step=epoch)["hidden"]
        rec.predictions("val", model.output, y, {model.input: x}, step=epoch, batch_size=8)
    np.savez("session.npz", hidden=hidden, val=model.predict(x))
    assert rec.notes == [], rec.notes
    rec.close()

    class MapsRun(tap.Run):
        def feature_maps(self, tag, values, step=None, *, samples=4):
            self.tensor(tag.replace("feature_maps", "maps"), values, step)

    run = MapsRun(sys.argv[1] + "-fit")
    rec = tap.keras.Recorder(run, predictions=(x, y), checkpoints=True)
    maps = tap.keras.Recorder(run, images="hidden", metrics=False, weights=False)
    both = [rec, maps]
    rec.plan(model)
    history = model.fit(x, y, batch_size=8, epochs=2, verbose=0, validation_data=(x[3:], y[3:]), callbacks=both)
    assert len(rec.notes) == 1 and rec.notes[0].startswith("eager execution is disabled"), rec.notes
    rec.close()
    run.close()
    hidden = session.run(model.layers[0].output, {model.input: x[3:7]})
    weights = dict(zip(("kernel", "bias"), model.layers[0].get_weights()))
    np.savez("fit.npz", hidden=hidden, val=model.predict(x), **weights, **history.history)
    model.layers[0].set_weights([0 * value for value in weights.values()])
    model.load_weights(run.path + "/checkpoints/epoch_1.h5")
    assert (model.layers[0].get_weights()[0] == weights["kernel"]).all()
    """


@pytest.fixture(scope="module")
def legacy(tmp_path_factory):
    """Where this program has run."""
    directory = tmp_path_factory.mktemp("legacy")
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LEGACY), "run"], cwd=directory, stderr=subprocess.PIPE, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    return directory


def test_layers_of_tf_keras_are_captured_in_a_session_without_eager_execution(legacy):
    read, truth = tap.open(legacy)["run"], np.load(legacy / "session.npz")
    np.testing.assert_array_equal(read.tensor("hidden", step=1), truth["hidden"])
    np.testing.assert_allclose(read.predictions("val", step=1).y_pred, truth["val"], rtol=1e-5)


def test_a_fit_of_tf_keras_without_eager_execution_is_recorded_at_the_ends_of_its_epochs(legacy):
    read, truth = tap.open(legacy)["run-fit"], np.load(legacy / "fit.npz")
    assert list(read.steps("predictions/val")) == [12, 16]
    np.testing.assert_allclose(read.predictions("val", step=16).y_pred, truth["val"], rtol=1e-5)
    np.testing.assert_allclose(read.tensor("maps/hidden", step=16), truth["hidden"], rtol=1e-5)  # of validation_data
    np.testing.assert_allclose(read.scalars("train/epoch_loss").value, truth["loss"], rtol=1e-6)
    np.testing.assert_allclose(read.scalars("val/loss").value, truth["val_loss"], rtol=1e-6)
    assert read.stats("weights/hidden/kernel").max[-1] == truth["kernel"].max()
    assert {"keras", "__run_graph__"} <= set(read.tags(kind="graphs"))
