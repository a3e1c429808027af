"""Log directories that other programs wrote are read alike: tf.summary, Keras, the V1 API, tensorboardX."""

from __future__ import annotations

import io

import numpy as np
import pyarrow
import pytest
from PIL import Image
from tensorboardX import SummaryWriter

import tensortap as tap


@pytest.fixture(scope="module")
def tf():
    return pytest.importorskip("tensorflow")


@pytest.fixture(scope="module")
def of_tensorflow(tf, tmp_path_factory):
    logs = tmp_path_factory.mktemp("tf")
    with tf.summary.create_file_writer(str(logs / "a")).as_default():
        for step in range(10):
            tf.summary.scalar("loss", 1 / (step + 1), step=step, description="how *wrong*")
            tf.summary.histogram("w", tf.range(100, dtype=tf.float32) * (step + 1), step=step)
        tf.summary.image("in", tf.zeros((2, 4, 5, 3), tf.uint8), step=3)
        tf.summary.audio("s", tf.zeros((1, 10, 1)), 8000, step=3)
        tf.summary.text("note", "**md**", step=3)
        tf.summary.text("table", tf.constant([["a", "b"]]), step=3)
        tf.summary.write("mine", tf.constant([[1, 2], [3, 4]], tf.int16), step=4)
        tf.summary.write("words", tf.constant(["x", "ü"]), step=4)
        tf.summary.write("brain", tf.cast(tf.range(3), tf.bfloat16), step=4)

        with tf.Graph().as_default() as graph:
            tf.constant(1.0, name="one")
        tf.summary.graph(graph)
    return tap.open(logs)["a"]


@pytest.mark.needs_tensorflow
def test_scalars_of_tf_summary(of_tensorflow):
    points = of_tensorflow.scalars("loss")
    assert np.array_equal(points.value, (1 / np.arange(1, 11)).astype(np.float32))
    assert points.step.tolist() == list(range(10))
    (series,) = [each for each in of_tensorflow.series() if each["tag"] == "loss"]
    assert series["plugin"] == "scalars" and series["description"] == "how *wrong*"


@pytest.mark.needs_tensorflow
def test_tags_of_tf_summary_have_their_kinds(of_tensorflow):
    assert of_tensorflow.tags("histograms") == ["w"]
    assert of_tensorflow.tags("images") == ["in"]
    assert of_tensorflow.tags("audio") == ["s"]
    assert of_tensorflow.tags("text") == ["note", "table"]
    assert of_tensorflow.state in ("live", "unknown")


@pytest.mark.needs_tensorflow
def test_histograms_of_tf_summary(of_tensorflow):
    found = of_tensorflow.histograms("w")
    assert [each.step for each in found] == list(range(10))
    last = of_tensorflow.histogram("w")
    assert last.count.sum() == 100 and (last.left[0], last.right[-1]) == (0, 990)
    assert of_tensorflow.steps("w").tolist() == list(range(10))


@pytest.mark.needs_tensorflow
def test_media_of_tf_summary(of_tensorflow):
    pictures = of_tensorflow.images("in")
    assert [Image.open(io.BytesIO(each)).size for each in pictures] == [(5, 4)] * 2
    assert (pictures[0].width, pictures[0].height) == (5, 4)
    (sound,) = of_tensorflow.audio("s")
    assert sound[:4] == b"RIFF" and sound.rate == 8000
    assert of_tensorflow.text("note") == "**md**"
    assert of_tensorflow.text("table").tolist() == [["a", "b"]]


@pytest.mark.needs_tensorflow
def test_tensors_of_tf_summary(of_tensorflow):
    found = of_tensorflow.tensor("mine")
    assert found.dtype == np.int16 and found.tolist() == [[1, 2], [3, 4]]
    words = of_tensorflow.tensor("words")
    assert words.dtype == object and words.tolist() == [b"x", "ü".encode()]
    assert of_tensorflow.tensor("words", slices=np.s_[1]) == "ü".encode()
    brain = of_tensorflow.tensor("brain")
    assert brain.dtype.name == "bfloat16" and brain.astype(int).tolist() == [0, 1, 2]


@pytest.mark.needs_tensorflow
def test_graphs_of_tf_summary(tf, of_tensorflow):
    graph = of_tensorflow.graph()
    assert graph.form == "graph_def"
    assert [node.name for node in tf.compat.v1.GraphDef.FromString(graph).node] == ["one"]


@pytest.mark.needs_tensorflow
def test_keras_writes_train_and_validation_that_are_one_run(tf, tmp_path):
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x, y = np.ones((8, 3)), np.ones((8, 1))
    board = tf.keras.callbacks.TensorBoard(str(tmp_path / "a"), histogram_freq=1)
    model.fit(x, y, epochs=2, validation_data=(x, y), callbacks=[board], verbose=0)
    runs = tap.open(tmp_path)
    assert list(runs) == ["a"]
    tags = runs["a"].tags("scalars")
    assert {"train/epoch_loss", "validation/epoch_loss"} <= set(tags)
    assert len(runs["a"].scalars("train/epoch_loss")) == 2
    assert len(runs["a"].tags("histograms")) == 2


@pytest.mark.needs_tensorflow
def test_the_v1_api_is_read_too(tf, tmp_path):
    with tf.Graph().as_default():
        writer = tf.compat.v1.summary.FileWriter(str(tmp_path / "a"))
        summary = tf.compat.v1.Summary()
        summary.value.add(tag="loss", simple_value=0.25)
        summary.value.add(tag="acc", simple_value=0.5)
        writer.add_summary(summary, 7)
        writer.close()
    run = tap.open(tmp_path)["a"]
    assert run.tags() == ["acc", "loss"]
    assert run.scalars("loss").value.tolist() == [0.25] and run.scalars("acc").step.tolist() == [7]


@pytest.fixture
def of_tensorboardx(tmp_path):
    with SummaryWriter(str(tmp_path / "x")) as writer:
        for step in range(5):
            writer.add_scalar("loss", step / 2, step)
            writer.add_histogram("w", np.arange(50.0), step)
        writer.add_image("in", np.zeros((3, 4, 5), np.uint8), 2)
        writer.add_text("note", "hello", 2)
        writer.add_hparams({"lr": 0.1, "name": "adam"}, {"metric": 1.0}, name="h")
    return tap.open(tmp_path)


def test_tensorboardx_is_read(of_tensorboardx):
    run = of_tensorboardx["x"]
    assert run.scalars("loss").value.tolist() == [0, 0.5, 1, 1.5, 2]
    assert [each.count.sum() for each in run.histograms("w")] == [50] * 5
    (picture,) = run.images("in")
    assert (picture.width, picture.height) == (5, 4)
    (tag,) = run.tags("text")
    assert run.text(tag) == "hello"
    assert of_tensorboardx["x/h"].hparams() == {"lr": 0.1, "name": "adam"}
    assert pyarrow.table(of_tensorboardx.table("scalars", tags="loss")).num_rows == 5


def test_files_that_are_no_event_files_are_left_alone(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "checkpoint.index").write_bytes(b"x")
    (tmp_path / "a" / "events.out.tfevents.1.host").write_bytes(b"this is no event file at all, only text")
    runs = tap.open(tmp_path)
    (report,) = runs.health()
    assert report["damaged"] and report["records"] == 0
