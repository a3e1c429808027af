"""Images, sound, curves and meshes are what TensorBoard's own writers would have written."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image
from tensorboard.plugins.audio import metadata as audio_metadata
from tensorboard.plugins.image import metadata as image_metadata
from tensorboard.plugins.mesh import metadata as mesh_metadata
from tensorboard.plugins.mesh import summary as mesh_summary
from tensorboard.plugins.pr_curve import metadata as pr_curve_metadata
from tensorboard.plugins.pr_curve import summary as pr_curve_summary

import tensortap as tap

PNG_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


def pixels(png: bytes) -> np.ndarray:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    array = np.asarray(image)
    channels = 1 if array.ndim == 2 else array.shape[2]
    assert image.mode == PNG_MODES[channels]
    return array.reshape(*array.shape[:2], channels)


def written_by_tensorflow(tmp_path, write) -> np.ndarray:
    """The one tensor that `write` makes tf.summary write."""
    writer = tf.summary.create_file_writer(str(tmp_path / "theirs"))
    with writer.as_default(step=0):
        write()
    writer.close()
    (path,) = (tmp_path / "theirs").glob("events*")
    for event in tf.compat.v1.train.summary_iterator(str(path)):
        for value in event.summary.value:
            return tf.make_ndarray(value.tensor)
    raise AssertionError("tf.summary wrote nothing")


def as_batch(image: np.ndarray) -> np.ndarray:
    if image.ndim == 2:
        image = image[..., np.newaxis]
    return image if image.ndim == 4 else image[np.newaxis]


@pytest.mark.parametrize("tag", ["gray", "gray channel", "gray alpha", "rgb", "rgba", "batch"])
def test_bytes_come_back_as_exactly_the_pixels_that_were_recorded(everything, accumulated, tensors_of, tag):
    found = tensors_of(accumulated, f"images/{tag}")
    assert [step for step, _ in found] == list(range(len(everything.images[tag])))
    for (_, strings), image in zip(found, everything.images[tag], strict=True):
        batch = as_batch(image)
        assert strings.shape == (2 + len(batch),)
        assert strings[:2].tolist() == [str(batch.shape[2]).encode(), str(batch.shape[1]).encode()]
        for png, wanted in zip(strings[2:], batch, strict=True):
            assert np.array_equal(pixels(png), wanted)


@pytest.mark.parametrize("tag", ["floats", "half floats", "doubles", "sixteen bits"])
def test_other_dtypes_are_scaled_as_tf_summary_image_scales_them(everything, accumulated, tensors_of, tmp_path, tag):
    image = everything.images[tag][0]
    theirs = written_by_tensorflow(tmp_path, lambda: tf.summary.image("x", image, max_outputs=10))
    (_, ours) = tensors_of(accumulated, f"images/{tag}")[0]
    assert ours[:2].tolist() == theirs[:2].tolist()
    assert len(ours) == len(theirs) == 2 + len(image)
    for our_png, their_png in zip(ours[2:], theirs[2:], strict=True):
        assert np.array_equal(pixels(our_png), pixels(their_png))


def test_many_channels_become_one_grid_with_a_tile_for_each(everything, accumulated, tensors_of):
    (_, strings) = tensors_of(accumulated, "images/grid")[0]
    assert strings.shape == (3,)
    grid = pixels(strings[2])
    assert strings[:2].tolist() == [str(grid.shape[1]).encode(), str(grid.shape[0]).encode()]
    # 12 channels of 6 x 5: 4 columns, 3 rows, each element enlarged 5 times, lines between.
    assert grid.shape == (3 * 31 + 1, 4 * 26 + 1, 1)
    values = everything.images["grid"][0][:, :, 7]
    tile = grid[1 + 31 : 1 + 31 + 30, 1 + 3 * 26 : 1 + 3 * 26 + 25, 0]
    last_row = tile[-5::5, 2::5].ravel()  # below the label
    scaled = (values - values.min()) / (values.max() - values.min()) * 255
    assert np.abs(last_row - scaled[-1]).max() <= 0.51


def test_image_metadata_is_what_the_image_plugin_parses(accumulated):
    metadata = accumulated.SummaryMetadata("images/rgb")
    assert metadata.plugin_data.plugin_name == image_metadata.PLUGIN_NAME
    image_metadata.parse_plugin_metadata(metadata.plugin_data.content)


@pytest.mark.parametrize("tag", ["mono", "stereo", "clips"])
def test_sound_is_byte_for_byte_what_tf_summary_audio_writes(everything, accumulated, tensors_of, tmp_path, tag):
    samples = everything.audio[tag]
    batch = samples if samples.ndim == 3 else samples.reshape(1, len(samples), -1)
    theirs = written_by_tensorflow(tmp_path, lambda: tf.summary.audio("x", batch, 16000, max_outputs=10))
    (_, ours) = tensors_of(accumulated, f"audio/{tag}")[0]
    # tf.summary writes labels beside the clips, which no reader shows.
    assert ours.reshape(len(batch), -1)[:, 0].tolist() == theirs[:, 0].tolist()


@pytest.mark.parametrize("tag", ["mono", "clips"])
def test_sound_has_the_shape_that_needs_no_migration_once_the_data_class_is_set(
    everything, accumulated, tensors_of, tag
):
    """TensorBoard drops the labels of [clips,2] only from tags without a data class."""
    (_, ours) = tensors_of(accumulated, f"audio/{tag}")[0]
    assert ours.shape == (3 if tag == "clips" else 1,)


def test_sound_decodes_to_the_samples_at_their_rate(everything, accumulated, tensors_of):
    (_, strings) = tensors_of(accumulated, "audio/stereo")[0]
    wav = tf.audio.decode_wav(strings.ravel()[0])
    assert int(wav.sample_rate) == 16000
    wanted = np.clip(everything.audio["stereo"], -1, 1)
    assert np.abs(wav.audio.numpy() - wanted).max() <= 1.01 / 32768
    assert struct.unpack_from("<4sI4s", strings.ravel()[0])[2] == b"WAVE"


def test_audio_metadata_says_wav_as_the_audio_plugin_wants_it(accumulated):
    metadata = accumulated.SummaryMetadata("audio/mono")
    parsed = audio_metadata.parse_plugin_metadata(metadata.plugin_data.content)
    assert metadata.plugin_data.plugin_name == audio_metadata.PLUGIN_NAME
    assert parsed.encoding == audio_metadata.Encoding.Value("WAV")


def test_pr_curves_equal_those_of_tensorboards_own_summary(everything, accumulated, tensors_of):
    theirs = pr_curve_summary.pb("x", everything.labels, everything.scores, num_thresholds=51)
    wanted = tf.make_ndarray(theirs.value[0].tensor)
    found = tensors_of(accumulated, "curve")
    assert [step for step, _ in found] == [0, 1]
    for _, rows in found:
        assert rows.dtype == np.float32 and rows.shape == (6, 51)
        assert np.array_equal(rows[:4], wanted[:4])
        np.testing.assert_allclose(rows[4:], wanted[4:], rtol=1e-6)


def test_pr_curve_metadata_is_what_the_plugin_parses(accumulated):
    metadata = accumulated.SummaryMetadata("curve")
    parsed = pr_curve_metadata.parse_plugin_metadata(metadata.plugin_data.content)
    assert metadata.plugin_data.plugin_name == pr_curve_metadata.PLUGIN_NAME
    assert parsed.num_thresholds == 51


def test_scores_on_thresholds_are_counted_as_tensorboard_counts_them(tmp_path, accumulate, tensors_of):
    for dtype in (np.float32, np.float64):
        scores = np.linspace(0, 1, 201).astype(dtype)
        labels = np.arange(201) % 3 == 0
        with tap.Run(tmp_path / np.dtype(dtype).name) as run:
            run.pr_curve("curve", labels, scores, step=0)
        wanted = tf.make_ndarray(pr_curve_summary.pb("x", labels, scores, num_thresholds=201).value[0].tensor)
        (_, rows) = tensors_of(accumulate(run.path), "curve")[0]
        assert np.array_equal(rows[:4], wanted[:4])


MESH_PARTS = {"VERTEX": "vertices", "FACE": "faces", "COLOR": "colors"}


def test_mesh_tensors_equal_those_of_tensorboards_own_summary(everything, accumulated, tensors_of):
    mesh = everything.mesh
    theirs = mesh_summary.mesh_pb("body", mesh.vertices, mesh.faces, mesh.colors, config_dict=mesh.config)
    assert sorted(value.tag for value in theirs.value) == sorted(f"body_{part}" for part in MESH_PARTS)
    for value in theirs.value:
        found = tensors_of(accumulated, value.tag)
        wanted = tf.make_ndarray(value.tensor)
        assert [step for step, _ in found] == [0, 1]
        for _, array in found:
            assert array.dtype == wanted.dtype and np.array_equal(array, wanted)


@pytest.mark.parametrize(("tag", "parts"), [("body", ["VERTEX", "FACE", "COLOR"]), ("cloud", ["VERTEX"])])
def test_mesh_metadata_equals_that_of_tensorboards_own_summary(everything, accumulated, tag, parts):
    mesh = everything.mesh
    given = {"faces": mesh.faces, "colors": mesh.colors, "config_dict": mesh.config} if tag == "body" else {}
    for value in mesh_summary.mesh_pb(tag, mesh.vertices, **given).value:
        ours = accumulated.SummaryMetadata(value.tag)
        parsed = mesh_metadata.parse_plugin_metadata(ours.plugin_data.content)
        theirs = mesh_metadata.parse_plugin_metadata(value.metadata.plugin_data.content)
        assert parsed == theirs, value.tag
        assert ours.plugin_data.plugin_name == value.metadata.plugin_data.plugin_name
    assert f"{tag}_{parts[-1]}" in accumulated.Tags()["tensors"]
