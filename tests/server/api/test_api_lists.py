"""Runs, tags and series over HTTP; names of every kind; parameters that are wrong."""

from __future__ import annotations

import pytest

ODD_RUN = "run <i>'&=%+ü"


def test_the_status_says_what_is_served(api, logs, runs):
    found = api("status").json()
    assert found["log_directory"] == str(logs) and found["runs"] == 4
    assert found["live_runs"] == sum(run["state"] == "live" for run in runs.info())
    assert found["loading"] is False and found["read_bytes"] == found["total_bytes"] > 0


def test_runs_are_those_of_python(api, table, runs):
    found = api("runs").json()
    assert [run["name"] for run in found["runs"]] == list(runs)
    for run in found["runs"]:
        expected = runs[run["name"]].info()
        assert {name: run[name] for name in expected if name in run} == {n: v for n, v in expected.items() if n in run}
    assert [row["run"] for row in table("runs")] == list(runs)


def test_tags_have_the_runs_that_have_them(api, table):
    found = api("tags", kind="scalars").json()
    tags = {tag["tag"]: tag for tag in found["tags"]}
    names = [found["runs"][i] for first, last in tags["loss"]["runs"] for i in range(first, last + 1)]
    assert names == ["a", "deeper/b"] and tags["loss"]["count"] == 3050 and tags["loss"]["last_step"] == 2999
    (row,) = [row for row in table("tags", kind="scalars") if row["tag"] == "loss"]
    assert row["runs"] == "2"
    kinds = {tag["kind"] for tag in api("tags").json()["tags"]}
    assert kinds == {"scalars", "stats", "tensors", "images", "audio", "text", "hparams"}


def test_series_of_a_run(api, table, runs):
    expected = runs["a"].series()
    found = api("series", run="a").json()["series"]
    assert [(each["tag"], each["kind"], each["count"]) for each in found] == [
        (each["tag"], each["kind"], each["count"]) for each in expected
    ]
    assert [row["tag"] for row in table("series", run="a")] == [each["tag"] for each in expected]


def test_odd_names_work_everywhere(api, table, series_of, odd_tag):
    asked = {"run": ODD_RUN, "tag": odd_tag}
    (curve,) = series_of("scalars", "json", **asked)
    assert curve.run == ODD_RUN and curve.tag == odd_tag and curve.value.tolist() == [3.25]
    (curve,) = series_of("scalars", "columns", **asked)
    assert curve.run == ODD_RUN and curve.tag == odd_tag
    (row,) = table("scalars", **asked)
    assert row["run"] == ODD_RUN and row["tag"] == odd_tag and row["value"] == "3.25"
    assert api("text", run=ODD_RUN, tag=odd_tag + "text").json()["texts"][0]["strings"] == [odd_tag]
    assert api("tensor", format="json", step=0, **asked).json()["values"] == [0, 1, 2]
    assert {each["tag"] for each in api("series", run=ODD_RUN).json()["series"]} == {odd_tag, odd_tag + "text"}
    assert odd_tag in {row["tag"] for row in table("tags")}


@pytest.mark.parametrize(
    ("route", "parameters", "words"),
    [
        ("scalars", {"tag": "loss", "run": "b"}, "Did you mean 'deeper/b'?"),
        ("scalars", {"tag": "los"}, "Did you mean 'loss'"),
        ("stats", {"run": "a", "tag": "loss"}, "has no stats under 'loss', but scalars"),
        ("tensor", {"run": "a", "tag": "again", "step": 5}, "the nearest steps are 2 and 9"),
        ("image", {"run": "a", "tag": "picture", "step": 2, "index": 3}, "has 3 images"),
        ("histograms", {"run": "a", "tag": "activations/thrid"}, "has no stats under"),
        ("text", {"run": "a", "tag": "nothing"}, "has no text under 'nothing'"),
        ("layers", {"run": "nowhere"}, "there is no run 'nowhere'"),
    ],
)
def test_what_is_not_there_is_said_with_what_is_near(served, route, parameters, words):
    reply = served.api(route, **parameters)
    error = reply.json()["error"]
    assert reply.status == 404 and error["code"] == "not_found" and words in error["message"]


@pytest.mark.parametrize(
    ("route", "parameters", "words"),
    [
        ("runs", {"x": 1}, "has no parameter 'x'"),
        ("runs", {"format": "xml"}, "it may be json, csv"),
        ("scalars", {"run": "a"}, "needs the parameter 'tag'"),
        ("scalars", {"tag": "loss", "max_points": "many"}, "it must be a whole number"),
        ("scalars", {"tag": "loss", "wall_time": 2}, "from 0 to 1"),
        ("scalars", {"tag": "loss", "first_step": 9, "last_step": 1}, "beyond last_step"),
        ("stats", {"tag": "x", "first_step": "1e3"}, "it must be a whole number"),
        ("network", {"run": "a", "columns": 5000}, "from 1 to 2000"),
        ("network", {"run": "a", "stat": "median"}, "it may be rms, std"),
        ("histograms", {"tag": "x", "max_buckets": 7}, "from 8 to 4096"),
        ("tensor", {"run": "a", "tag": "scalar"}, "needs the parameter 'step'"),
        ("tensor", {"run": "a", "tag": "tensors/int8", "step": 3, "slice": "a"}, "is no whole number"),
        ("tensor", {"run": "a", "tag": "tensors/int8", "step": 3, "slice": "::-1"}, "must be above 0"),
        ("tensor", {"run": "a", "tag": "tensors/int8", "step": 3, "slice": "0,0,0,0"}, "do not fit"),
        ("tensor", {"run": "a", "tag": "tensors/int8", "step": 3, "slice": "2"}, "out of range"),
        ("text", {"run": "a", "tag": "note", "limit": 0}, "from 1 to 10000"),
        ("steps", {"run": "a", "tag": "loss", "kind": "scalars"}, "/api/v1/scalars"),
        ("series", {"run": ["a", "b"]}, "may be given once"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(served, route, parameters, words):
    reply = served.api(route, **parameters)
    error = reply.json()["error"]
    assert reply.status == 400 and error["code"] == "invalid_argument" and words in error["message"]


def test_a_head_request_has_no_body(served):
    reply = served.ask("/api/v1/runs", method="HEAD")
    assert reply.status == 200 and reply.body == b""


def test_csv_is_offered_under_a_name(served):
    reply = served.api("scalars", run="a", tag="loss", format="csv")
    assert 'filename="scalars.csv"' in reply.headers["content-disposition"]


def test_answers_are_compressed_for_those_who_can_read_it(served, read_columns):
    asked = {"run": "a", "tag": "loss", "max_points": 0}
    plain = served.api("scalars", **asked)
    packed = served.api("scalars", headers={"Accept-Encoding": "gzip"}, **asked)
    assert packed.headers["content-encoding"] == "gzip" and len(packed.body) < len(plain.body)
    assert packed.plain == plain.body
