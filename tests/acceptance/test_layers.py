"""What people ask of seeing layers: shapes and values live, feature maps as images, arrays for plots."""

import math
import re
import time

import numpy as np
import pandas
import pyarrow
import pytest
from PIL import Image

import tensortap as tap

LAYERS = ("conv", "pool", "rows", "recurrent", "mean", "classes")


@pytest.fixture(scope="module")
def seen(run_example_in, tmp_path_factory):
    """(where the example has run, what it printed on stdout, how long that took, the truth about its layers)"""
    folder, began = tmp_path_factory.mktemp("layers"), time.monotonic()
    printed = run_example_in(
        folder,
        "see_layers.py",
        """
        truth = {}
        def outputs(of, when):
            values = tf.constant(x[:4])
            for layer in of.layers:
                truth[f"{when}/{layer.name}"] = values = layer(values)
        outputs(model, "trained")
        keras.utils.set_random_seed(0)
        outputs(keras.models.clone_model(model), "fresh")
        np.savez("truth.npz", input=x[:4], **truth)
        """,
        errors=folder / "stderr",
    )
    return folder, printed, time.monotonic() - began, np.load(folder / "truth.npz")


def lines_of(printed: str, name: str) -> list[str]:
    return [line for line in printed.splitlines() if re.match(rf"{name}\b", line)]


def test_004_1_shape_and_values_of_the_input_and_of_each_layer_live_inside_of_a_function(seen):
    _, printed, _, truth = seen
    for name in ("input", *LAYERS):
        values = truth["input"] if name == "input" else truth[f"fresh/{name}"]
        line = lines_of(printed, name)[0]
        assert f"float32 [{','.join(map(str, values.shape))}]" in line
        found = re.search(r"min (\S+)  mean (\S+)  max (\S+)  std (\S+)  \[(.*), \.\.\.\]", line)
        expected = [values.min(), values.mean(), values.max(), values.std()]
        np.testing.assert_allclose([float(one) for one in found.groups()[:4]], expected, rtol=1e-3, atol=1e-6)
        firsts = [float(one) for one in found[5].split(", ")]
        np.testing.assert_allclose(firsts, values.ravel()[: len(firsts)], rtol=1e-3, atol=1e-6)


def test_004_2_the_console_is_not_flooded(seen):
    _, printed, seconds, _ = seen
    for name in ("input", *LAYERS):
        assert 3 <= len(lines_of(printed, name)) <= 3 + seconds  # of a hundred calls


def gray(path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("L"), float)


def test_004_3_feature_maps_of_every_layer_each_epoch(seen, read_events):
    folder, _, _, truth = seen
    for epoch in range(2):
        for layer in LAYERS:
            assert list((folder / "maps").glob(f"epoch_{epoch}_feature_maps_{layer}*.png")), (epoch, layer)
    # All 32 channels of both pictures, each with its own contrast; the corner of a tile has its number.
    for sample in range(2):
        grid = gray(folder / f"maps/epoch_1_feature_maps_conv_{sample}.png")
        # Tiles of 26 x 26 elements, each some pixels wide, and a line of one pixel around each tile.
        zoom = next(n for n in (1, 2, 3, 4) if all((side - 1) % (26 * n + 1) == 0 for side in grid.shape))
        pitch = 26 * zoom + 1
        rows, columns = (side // pitch for side in grid.shape)
        assert rows == math.ceil(32 / columns)
        for channel in range(32):
            top, left = channel // columns * pitch + 1, channel % columns * pitch + 1
            tile = grid[top : top + 26 * zoom : zoom, left : left + 26 * zoom : zoom]
            values = truth["trained/conv"][sample, ..., channel]
            spread = np.ptp(values)
            scaled = (values - values.min()) / spread * 255 if spread else np.full_like(values, 128)
            assert np.abs(tile - scaled)[12:].max() <= 2, channel
    images = read_events(folder / "runs/layers").Tags()["tensors"]
    assert {f"feature_maps/{layer}" for layer in LAYERS} <= set(images)
    # What has no height and width is drawn as a heat map: a row a position, or a row a sample.
    with Image.open(folder / "maps/epoch_1_feature_maps_classes.png") as strip:
        assert min(strip.size) > 2 and strip.mode in ("RGB", "RGBA")
    with Image.open(folder / "maps/epoch_1_feature_maps_recurrent_0.png") as heat:
        assert heat.size[1] >= 13 and heat.size[0] >= 16


def test_004_10_arrays_for_matplotlib_seaborn_and_pandas(seen):
    folder, _, _, _ = seen
    runs = tap.open(folder / "runs")
    stats = runs["layers"].stats("activations/recurrent")
    assert isinstance(stats.mean, np.ndarray) and stats.mean.dtype == np.float64
    table = pandas.DataFrame({"step": stats.step, "mean": stats.mean, "std": stats.std})
    assert table.step.tolist() == [0, 8]
    loss = runs["layers"].scalars("train/loss")
    assert loss.step.shape == loss.value.shape == (16,)
    frame = pyarrow.table(runs.table("scalars")).to_pandas()
    of_loss = frame[frame.tag == "train/loss"]
    np.testing.assert_array_equal(of_loss.value, loss.value)
    histogram = runs["layers"].histogram("activations/recurrent")
    assert histogram.count.sum() == 32 * 13 * 16
