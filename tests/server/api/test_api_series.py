"""Curves, statistics and histograms over HTTP are what tap.open gives, in every form."""

from __future__ import annotations

import numpy as np
import pytest

FORMS = ["columns", "json"]
STATS = ["count", "zeros", "nan", "positive_inf", "negative_inf", "min", "max", "mean", "std", "l1", "l2"]
PERCENTILES = ["p1", "p5", "p25", "p50", "p75", "p95", "p99"]


def same(one, other) -> bool:
    return np.array_equal(np.asarray(one, float), np.asarray(other, float), equal_nan=True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tag", ["loss", "exact", "odd", "val/loss"])
def test_every_point_of_a_curve(series_of, runs, form, tag):
    (found,) = series_of("scalars", form, run="a", tag=tag, max_points=0, wall_time=1)
    expected = runs["a"].scalars(tag)
    assert same(found.step, expected.step) and same(found.value, expected.value)
    assert same(found.wall_time, expected.wall_time)
    assert same(found.bad_step, expected.non_finite.step) and same(found.bad_value, expected.non_finite.value)
    assert found.total_points == len(expected)
    assert found.total_non_finite == len(expected.non_finite)


@pytest.mark.parametrize("form", FORMS)
def test_a_thinned_curve_is_thinned_as_in_python(series_of, runs, form):
    (found,) = series_of("scalars", form, run="a", tag="loss", max_points=100)
    expected = runs["a"].scalars("loss", max_points=100)
    assert same(found.step, expected.step) and same(found.value, expected.value)
    assert 1234 in found.step and found.total_points == 3000


def test_a_curve_is_thinned_to_a_thousand_points_unless_asked(series_of):
    (found,) = series_of("scalars", "columns", run="a", tag="loss")
    assert 500 < len(found.step) <= 1000


def test_a_range_of_steps_includes_both_ends(series_of):
    (found,) = series_of("scalars", "columns", run="a", tag="exact", first_step=100, last_step=200)
    assert found.step.tolist() == list(range(100, 201, 10))


def test_curves_of_several_runs_and_tags(series_of):
    named = series_of("scalars", "columns", run=["a", "deeper/b"], tag=["loss", "odd"])
    assert [(s.run, s.tag) for s in named] == [("a", "loss"), ("a", "odd"), ("deeper/b", "loss")]
    every = series_of("scalars", "columns", tag="loss")
    assert [s.run for s in every] == ["a", "deeper/b"]
    globbed = series_of("scalars", "columns", run="deeper/*", tag="l*")
    assert [(s.run, s.tag) for s in globbed] == [("deeper/b", "loss")]


def test_a_sub_run_has_its_own_name(series_of):
    (found,) = series_of("scalars", "json", run="a/val", tag="loss")
    assert found.value.tolist() == [2.5]


def test_csv_has_every_point(table, runs):
    rows = table("scalars", run="a", tag=["loss", "odd"])
    assert list(rows[0]) == ["run", "tag", "step", "wall_time", "value"]
    for tag in ("loss", "odd"):
        expected = runs["a"].scalars(tag)
        mine = [row for row in rows if row["tag"] == tag]
        assert same([int(row["step"]) for row in mine], expected.step)
        assert same([float(row["value"]) for row in mine], expected.value)
        assert same([float(row["wall_time"]) for row in mine], expected.wall_time)


def test_csv_is_thinned_when_asked(table, runs):
    rows = table("scalars", run="a", tag="loss", max_points=50)
    assert same([float(row["value"]) for row in rows], runs["a"].scalars("loss", max_points=50).value)


def test_latest_values(api, table, runs):
    rows = {(row["run"], row["tag"]): row for row in api("latest").json()["rows"]}
    points = runs["a"].scalars("loss")
    row = rows["a", "loss"]
    assert (row["count"], row["last_step"], row["last_value"]) == (3000, 2999, points.value[-1])
    assert (row["min"], row["min_step"]) == (points.value.min(), int(points.step[points.value.argmin()]))
    assert (row["max"], row["max_step"]) == (points.value.max(), 1234)
    assert rows["a", "odd"]["non_finite"] == 3 and rows["a", "odd"]["min"] == 0.25
    assert {tag for _, tag in rows} >= {"val/loss", "exact"}
    only = table("latest", run="a", tag="val/*")
    assert [(row["tag"], float(row["last_value"])) for row in only] == [("val/loss", 2.5)]


@pytest.mark.parametrize("form", FORMS)
def test_statistics(series_of, runs, form):
    (found,) = series_of("stats", form, run="a", tag="activations/second", percentiles=1)
    expected = runs["a"].stats("activations/second")
    assert found.total == 30 and same(found.step, expected.step) and same(found.wall_time, expected.wall_time)
    for name in STATS + PERCENTILES:
        assert same(found[name], expected[name]), name
    finite = expected.count - expected.nan - expected.inf
    assert np.allclose(found.rms, expected.l2 / np.sqrt(finite))


def test_fewer_statistics_keep_what_is_not_finite(series_of):
    (found,) = series_of("stats", "columns", run="a", tag="activations/second", max_points=3)
    assert found.step.tolist() == [0, 30, 42, 87] and found.total == 30
    assert found.nan.tolist() == [0, 1, 0, 0]


def test_statistics_as_csv_are_all_of_them(table, runs):
    rows = table("stats", run="a", tag="activations/second", max_points=3)
    expected = runs["a"].stats("activations/second")
    assert len(rows) == 30
    for name in STATS + PERCENTILES:
        assert same([float(row[name]) for row in rows], expected[name]), name


@pytest.mark.parametrize("form", FORMS)
def test_histograms(series_of, runs, form):
    (found,) = series_of("histograms", form, run="a", tag="weights/first/kernel", max_steps=4, max_buckets=16)
    expected = runs["a"].histograms("weights/first/kernel", max_histograms=4, max_buckets=16)
    stats = runs["a"].stats("weights/first/kernel")
    assert found.total_steps == 30 and same(found.step, [each.step for each in expected])
    for i, each in enumerate(expected):
        buckets = slice(int(found.offset[i]), int(found.offset[i + 1]))
        for name in ("left", "right", "count"):
            assert same(found[name][buckets], getattr(each, name)), name
    chosen = np.isin(stats.step, found.step)
    for name, mine in {"min": "min", "max": "max", "p5": "p5", "p50": "p50", "p95": "p95", "zeros": "zeros"}.items():
        assert same(found[mine], stats[name][chosen]), name
    assert same(found.total, stats.count[chosen])


def test_histograms_as_csv(table, runs):
    rows = table("histograms", run="a", tag="weights/first/kernel", first_step=87)
    expected = runs["a"].histograms("weights/first/kernel", slice(87, 88))
    counts = [float(each) for each in rows[0]["count"].strip("[]").split(",")]
    assert len(rows) == 1 and same(counts, expected[0].count)


def test_the_network_is_what_the_statistics_say(api, read_columns, runs):
    reply = api("network", run=["a", "deeper/b"], of="activations", stat="abs_max", columns=30)
    meta, columns = read_columns(reply.plain)
    assert [layer["path"] for layer in meta["layers"]] == ["first", "extra", "second"]
    assert meta["first_step"] == 0 and meta["last_step"] == 87 and meta["columns"] == 30
    for entry in meta["runs"]:
        value = columns[entry["value"]].reshape(3, 30)
        mark = columns[entry["mark"]].reshape(3, 30)
        for row, tag in enumerate(entry["tags"]):
            if tag is None:
                assert not mark[row].any() and np.isnan(value[row]).all()
                continue
            stats = runs[entry["run"]].stats(tag)
            expected = np.full(30, np.nan)
            for step, least, most in zip(stats.step, stats.min, stats.max, strict=True):
                cell = int(step // meta["column_steps"])
                expected[cell] = np.nanmax([expected[cell], abs(least), abs(most)])
            assert np.allclose(value[row], expected, equal_nan=True, rtol=1e-6)
            assert ((mark[row] > 0) == ~np.isnan(expected)).all()
    second = [layer["path"] for layer in meta["layers"]].index("second")
    marks = columns[meta["runs"][0]["mark"]].reshape(3, 30)[second]
    assert marks[int(30 // meta["column_steps"])] == 2 and sorted(set(marks.tolist())) == [1, 2]


def test_the_network_in_other_forms(api, table, read_columns):
    asked = {"run": "a", "of": "weights", "stat": "std", "columns": 5}
    meta, columns = read_columns(api("network", **asked).plain)
    listed = api("network", format="json", **asked).json()
    value = columns[meta["runs"][0]["value"]]
    assert same(listed["runs"][0]["value"], value)
    rows = table("network", **asked)
    assert np.allclose([float(row["value"]) for row in rows], value) and rows[0]["tag"] == "weights/first/kernel"


def test_layers(api, table):
    layers = api("layers", run="a").json()["layers"]
    assert [layer["path"] for layer in layers] == ["first", "second"]
    assert layers[0]["output_shape"] == [8] and layers[0]["dtype"] == "float32" and layers[0]["parameters"] == 24
    assert layers[0]["weights"] == ["weights/first/kernel"]
    assert "parameters" not in layers[1]
    assert [row["output_shape"] for row in table("layers", run="a")] == ["[8]", "[4]"]
