"""What a run recorded comes back as it was: every point, dtype, shape and byte, over memory that is not copied."""

from __future__ import annotations

import io
import json
import sys
import wave

import ml_dtypes
import numpy as np
import pytest
from PIL import Image

import tensortap as tap

NUMPY = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128"
EXTENDED = "bfloat16 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz float8_e5m2fnuz int4 uint4"


def dtype_of(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, None) or name)


@pytest.fixture
def reread(run, tmp_path):
    """() -> the reader of the open run, with everything recorded so far."""

    def read():
        run.flush()
        return tap.open(tmp_path)["run"]

    return read


def test_every_point_comes_back_with_its_bits(run, reread):
    values = [0.1, float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, 1e308]
    for step, value in enumerate(values):
        run.scalar("loss", value, step=step * 10)
    points = reread().scalars("loss")
    assert points.value.tobytes() == np.array(values).tobytes()
    assert points.step.tolist() == [0, 10, 20, 30, 40, 50, 60]
    assert points.step.dtype == np.int64 and points.wall_time.dtype == np.float64
    assert np.all(np.diff(points.wall_time) >= 0) and points.wall_time[0] > 1.7e9
    assert points.non_finite.step.tolist() == [10, 20, 30]
    assert len(points) == points.total_points == 7
    assert list(points.to_dict()) == ["step", "wall_time", "value"]


def test_columns_stand_on_memory_of_the_core_and_outlive_everything(run, reread):
    for step in range(1000):
        run.scalar("loss", step / 2, step=step)
    run.tensor("t", np.arange(12.0).reshape(3, 4), step=0)
    reader = reread()
    points, tensor = reader.scalars("loss"), reader.tensor("t")
    for array in (points.step, points.wall_time, points.value, tensor):
        assert not array.flags.owndata and array.base is not None
        assert array.flags.writeable and array.flags.c_contiguous and array.flags.aligned
    assert np.shares_memory(tensor, tensor.base)
    value = points.value
    del reader, points
    assert value.sum() == sum(range(1000)) / 2
    value[0] = 7  # its own memory: nobody else sees this
    assert reread().scalars("loss").value[0] == 0


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        (None, list(range(10))),
        (3, [3]),
        (np.int64(3), [3]),
        (slice(2, 5), [2, 3, 4]),
        (range(2, 5), [2, 3, 4]),
        (np.s_[7:], [7, 8, 9]),
        (np.s_[:2], [0, 1]),
        (slice(None), list(range(10))),
        (slice(5, 5), []),
        (slice(5, 2), []),
        (100, []),
        (2**70, []),
        (slice(-(2**70), 2**70), list(range(10))),
    ],
)
def test_steps_are_one_or_a_range_without_its_end(run, reread, steps, wanted):
    for step in range(10):
        run.scalar("loss", 0.0, step=step)
        run.histogram("w", np.arange(3.0), step=step)
    reader = reread()
    assert reader.scalars("loss", steps=steps).step.tolist() == wanted
    assert reader.stats("w", steps=steps).step.tolist() == wanted
    assert [each.step for each in reader.histograms("w", steps=steps)] == wanted


@pytest.mark.parametrize("steps", ["1", 1.5, (1, 2), [1, 2], slice(0, 10, 2), range(0, 10, 2), slice(0.5, 1)])
def test_other_ways_to_give_steps_are_refused(run, reread, steps):
    run.scalar("loss", 0.0, step=0)
    with pytest.raises(ValueError, match="steps"):
        reread().scalars("loss", steps=steps)


def test_max_points_thins_and_keeps_the_extremes(run, reread):
    for step in range(10_000):
        run.scalar("loss", 1e6 if step == 1234 else -1e6 if step == 4321 else step % 7, step=step)
    points = reread().scalars("loss", max_points=100)
    assert len(points) <= 100 and points.total_points == 10_000
    assert {1234, 4321, 0, 9999} <= set(points.step.tolist())
    with pytest.raises(ValueError, match="max_points"):
        reread().scalars("loss", max_points=0)


@pytest.mark.parametrize("name", [*NUMPY.split(), *EXTENDED.split()])
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (2, 0, 3)])
def test_tensors_of_every_dtype_come_back_bit_for_bit(run, reread, name, shape):
    array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2).astype(dtype_of(name))
    run.tensor("t", array, step=5)
    found = reread().tensor("t", step=5)
    assert found.dtype == array.dtype and found.shape == array.shape
    assert found.tobytes() == array.tobytes()


def test_dtypes_of_ml_dtypes_without_it_say_what_to_install(run, reread, monkeypatch):
    run.tensor("t", np.zeros(3, ml_dtypes.bfloat16), step=0)
    reader = reread()
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ImportError, match="bfloat16 need the package ml_dtypes: pip install ml_dtypes"):
        reader.tensor("t")


@pytest.mark.parametrize(
    "index", [np.s_[0], np.s_[-1], np.s_[1:3], np.s_[0, :2], np.s_[:, -2:], np.s_[1, 2, 3], np.s_[::2, 1], np.s_[5:9]]
)
def test_slices_of_a_tensor_are_numpys(run, reread, index):
    array = np.arange(4 * 5 * 6, dtype=np.int32).reshape(4, 5, 6)
    run.tensor("t", array, step=0)
    assert np.array_equal(reread().tensor("t", slices=index), array[index])


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (np.s_[4], IndexError),
        (np.s_[...], ValueError),
        (np.s_[::-1], ValueError),
        (np.s_[0, 0, 0, 0], ValueError),
        ("x", ValueError),
    ],
)
def test_slices_that_do_not_fit_are_refused(run, reread, index, error):
    run.tensor("t", np.zeros((4, 5, 6)), step=0)
    with pytest.raises(error):
        reread().tensor("t", slices=index)


def test_a_step_picks_a_tensor_and_none_is_the_last(run, reread):
    for step in (0, 10, 20):
        run.tensor("t", np.full(2, step), step=step)
    reader = reread()
    assert reader.steps("t").tolist() == [0, 10, 20]
    assert reader.tensor("t").tolist() == [20, 20]
    assert reader.tensor("t", step=10).tolist() == [10, 10]
    with pytest.raises(KeyError, match=r"nothing at step 11.*10"):
        reader.tensor("t", step=11)
    with pytest.raises(ValueError, match="integer"):
        reader.tensor("t", step=1.5)


def test_a_tag_may_hold_several_kinds(run, reread):
    run.histogram("w", np.arange(3.0), step=1)
    run.tensor("w", np.arange(3.0), step=2)
    reader = reread()
    assert reader.tags() == reader.tags("stats") == reader.tags("tensors") == ["w"]
    assert reader.steps("w").tolist() == [1, 2]
    assert reader.steps("w", kind="stats").tolist() == [1]
    assert [(each["tag"], each["kind"], each["count"]) for each in reader.series()] == [
        ("w", "stats", 1),
        ("w", "tensors", 1),
    ]


def test_statistics_are_columns(run, reread):
    arrays = [np.random.default_rng(step).normal(size=500) for step in range(4)]
    arrays[2][:3] = np.nan, np.inf, -np.inf
    arrays[3][:] = 0
    for step, array in enumerate(arrays):
        run.histogram("w", array, step=step, phase="train" if step else "val")
    stats = reread().stats("w")
    assert len(stats) == 4 and stats.step.tolist() == [0, 1, 2, 3]
    assert stats.phase.tolist() == ["val", "train", "train", "train"]
    assert stats.sequence.tolist() == [0, 1, 2, 3]
    assert stats["mean"] is stats.mean and stats.mean[1] == pytest.approx(arrays[1].mean())
    assert stats.std[1] == pytest.approx(arrays[1].std()) and stats.l2[1] == pytest.approx(
        np.sqrt((arrays[1] ** 2).sum())
    )
    assert (stats.min[0], stats.max[0]) == (arrays[0].min(), arrays[0].max())
    assert stats.count.tolist() == [500] * 4 and stats.zeros.tolist() == [0, 0, 0, 500]
    assert (stats.nan[2], stats.inf[2], stats.positive_inf[2], stats.negative_inf[2]) == (1, 2, 1, 1)
    assert list(stats.percentiles) == [1, 5, 25, 50, 75, 95, 99] and stats.percentiles[50] is stats.p50
    assert stats.p75[1] == pytest.approx(np.percentile(arrays[1], 75), abs=0.1)
    assert dict(stats).keys() == stats.to_dict().keys() and "p99" in stats and "percentiles" in stats
    with pytest.raises(AttributeError, match="no column 'median'"):
        _ = stats.median


def test_statistics_without_percentiles_read_less(run, reread):
    run.histogram("w", np.arange(9.0), step=0)
    stats = reread().stats("w", percentiles=False)
    assert stats.percentiles == {} and "p50" not in stats and stats.max.tolist() == [8.0]


def test_histograms_count_the_values_between_their_edges(run, reread):
    array = np.random.default_rng(0).normal(size=10_000)
    for step in range(20):
        run.histogram("w", array * (step + 1), step=step)
    reader = reread()
    histogram = reader.histogram("w", step=0)
    assert histogram.count.sum() == 10_000
    assert (histogram.left[0], histogram.right[-1]) == (array.min(), array.max())
    assert np.array_equal(histogram.left[1:], histogram.right[:-1])
    edges = [*histogram.left, np.nextafter(histogram.right[-1], np.inf)]
    assert np.abs(np.histogram(array, edges)[0] - histogram.count).sum() < 20
    assert reader.histogram("w").step == 19
    assert len(reader.histograms("w")) == 20
    spread = [each.step for each in reader.histograms("w", max_histograms=5)]
    assert len(spread) == 5 and (spread[0], spread[-1]) == (0, 19)
    with pytest.raises(KeyError, match="no histogram at step 50; the nearest step is 19"):
        reader.histogram("w", step=50)
    for wrong in ({"max_buckets": 0}, {"max_histograms": -1}, {"max_histograms": "3"}):
        with pytest.raises(ValueError, match="must be"):
            reader.histograms("w", **wrong)


def test_predictions_come_back_with_ids_and_labels(run, reread):
    y_pred = np.random.default_rng(0).random((3, 4)).astype(np.float32)
    run.predictions("val", y_true=[0, 1, 2], y_pred=y_pred, ids=["a", "b", "ü"], step=3)
    run.predictions("val", y_pred=y_pred + 1, step=4)
    run.predictions("test", y_pred=y_pred, ids=[7, 8, 9], step=4)
    reader = reread()
    first = reader.predictions("val", step=3)
    assert first.ids.tolist() == ["a", "b", "ü"] and first.y_true.tolist() == [0, 1, 2]
    assert np.array_equal(first.y_pred, y_pred) and first.y_pred.dtype == np.float32
    assert len(first) == 3 and first.step == 3
    last = reader.predictions("predictions/val")
    assert last.y_true is None and last.ids.tolist() == [0, 1, 2] and last.step == 4
    assert reader.predictions("test").ids.tolist() == [7, 8, 9]
    with pytest.raises(KeyError, match="Did you mean 'predictions/val'"):
        reader.predictions("vla")


def test_predictions_of_a_sub_run_are_found_by_their_name(run, reread):
    run.sub("val").predictions("mine", y_pred=[1.0], step=0)
    assert reread().predictions("mine").y_pred.tolist() == [1.0]
    assert reread().predictions("val/predictions/mine").y_pred.tolist() == [1.0]


def test_images_are_the_recorded_files(run, reread):
    pixels = np.random.default_rng(0).integers(0, 256, (2, 8, 6, 3), np.uint8)
    run.image("in", pixels, step=0)
    pictures = reread().images("in")
    assert [(each.width, each.height) for each in pictures] == [(6, 8), (6, 8)]
    assert all(np.array_equal(np.asarray(Image.open(io.BytesIO(a))), b) for a, b in zip(pictures, pixels, strict=True))
    assert isinstance(pictures[0], bytes) and pictures[0]._repr_png_() == pictures[0]
    assert repr(pictures[0]).startswith("<Picture: 6 x 8, ")


def test_sounds_are_the_recorded_files(run, reread):
    samples = np.arange(-100, 100, dtype=np.int16)
    run.audio("a", samples, 8000, step=0)
    (sound,) = reread().audio("a")
    assert (sound.rate, sound.content_type) == (8000, "audio/wav")
    with wave.open(io.BytesIO(sound)) as clip:
        assert clip.readframes(1000) == samples.tobytes()


def test_texts_are_str_or_arrays_of_them(run, reread):
    run.text("note", "**ü**", step=0)
    run.text("table", [["a", "b"], ["c", "d"]], step=0)
    reader = reread()
    assert reader.text("note") == "**ü**"
    assert reader.text("table").tolist() == [["a", "b"], ["c", "d"]]


def test_hyperparameters_come_back_with_their_types(run, reread):
    assert reread().hparams() == {}
    run.hparams({"lr": 0.1, "name": "adam", "nesterov": True, "n": 3})
    found = reread().hparams()
    assert found == {"lr": 0.1, "name": "adam", "nesterov": True, "n": 3.0}
    assert isinstance(found["nesterov"], bool)


def test_graphs_come_back_as_bytes_a_graphdef_first(run, reread):
    with pytest.raises(KeyError, match="has no graph"):
        reread().graph()
    run.graph(json.dumps({"class_name": "Sequential"}))
    keras = reread().graph()
    assert keras.form == "keras_model" and json.loads(keras) == {"class_name": "Sequential"}
    run.graph(b"\n\x03\n\x01x")
    graph = reread().graph()
    assert (graph.form, bytes(graph)) == ("graph_def", b"\n\x03\n\x01x")
    assert reread().graph("keras") == keras


def test_curves_and_meshes_are_tensors(run, reread):
    run.pr_curve("pr", labels=[0, 1], predictions=[0.2, 0.9], step=3)
    run.mesh("m", np.ones((1, 5, 3)), step=0)
    reader = reread()
    assert reader.tensor("pr").shape == (6, 201)
    (vertices,) = [tag for tag in reader.tags("meshes") if "VERTEX" in tag]
    assert np.array_equal(reader.tensor(vertices), np.ones((1, 5, 3)))
