"""Tables go to pyarrow, pandas, polars and DuckDB as they are."""

from __future__ import annotations

import datetime
import threading

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import tensortap as tap

TABLES = [
    *("scalars", "stats", "histograms", "tensors", "predictions", "images", "audio", "text"),
    *("hparams", "runs", "tags"),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    logs = tmp_path_factory.mktemp("logs")
    for name in ("a", "b/c"):
        with tap.Run(logs / name) as run:
            for step in range(100):
                run.scalar("loss", 1 / (step + 1), step=step)
                run.scalar("layer/norm", float("nan") if step == 5 else step, step=step)
            run.histogram("w", np.arange(10.0), step=3, phase="train")
            run.tensor("t", np.arange(6, dtype=np.int32).reshape(2, 3), step=3)
            run.predictions("val", y_true=[1, 0], y_pred=[[0.1, 0.9], [0.8, 0.2]], ids=["x", "y"], step=3)
            run.image("i", np.zeros((2, 4, 5, 3), np.uint8), step=3)
            run.audio("s", np.zeros(10), 8000, step=3)
            run.text("note", "hello", step=3)
            run.hparams({"lr": 0.1, "optimizer": "adam", "nesterov": True})
    return tap.open(logs)


@pytest.mark.parametrize("name", TABLES)
def test_pyarrow_takes_every_table_and_finds_nothing_wrong(runs, name):
    table = runs.table(name)
    taken = pyarrow.table(table)
    taken.validate(full=True)
    assert taken.num_rows > 0 and taken.column_names == table.columns
    assert pyarrow.schema(table) == taken.schema
    assert pyarrow.table(table).num_rows == taken.num_rows, "it may be streamed again"


def test_scalars_are_all_points_of_all_runs(runs):
    table = pyarrow.table(runs.table("scalars"))
    assert table.num_rows == 400
    assert table["run"].type == pyarrow.dictionary(pyarrow.int32(), pyarrow.utf8())
    assert table["wall_time"].type == pyarrow.timestamp("us", "UTC")
    assert table["run"].to_pylist()[::200] == ["a", "b/c"]
    assert table["tag"].to_pylist()[::100] == ["layer/norm", "loss"] * 2
    assert table["step"].to_pylist() == list(range(100)) * 4
    points = runs["a"].scalars("loss")
    loss = table.slice(100, 100)
    assert np.array_equal(loss["value"].to_numpy(), points.value)
    assert np.abs(loss["wall_time"].cast(pyarrow.int64()).to_numpy() / 1e6 - points.wall_time).max() < 1e-6
    assert table["value"].null_count == 0 and np.isnan(table["value"][5].as_py())


def test_globs_and_steps_choose_the_rows(runs):
    def chosen(**options) -> int:
        return pyarrow.table(runs.table("scalars", **options)).num_rows

    assert chosen(runs="a") == 200
    assert chosen(runs="*") == 200
    assert chosen(runs="b/*", tags="*") == 100
    assert chosen(tags="layer/*") == 200
    assert chosen(tags="nothing*") == 0
    assert chosen(steps=slice(10, 20)) == 40
    assert chosen(steps=7, runs="a", tags="loss") == 1


def test_a_name_without_wildcards_must_be_there(runs):
    with pytest.raises(KeyError, match="Did you mean 'loss'"):
        runs.table("scalars", tags="los")
    with pytest.raises(KeyError, match="Did you mean 'b/c'"):
        runs.table("scalars", runs="b/d")


def test_a_table_without_rows_still_has_its_columns(runs):
    for name in TABLES[:8]:
        assert pyarrow.table(runs.table(name, tags="nothing*")).column_names == runs.table(name).columns
    assert polars.DataFrame(runs.table("scalars", tags="nothing*")).shape == (0, 5)


def test_numbers_are_not_copied_on_their_way(runs):
    chunk = pyarrow.table(runs.table("scalars"))["value"].chunk(0)
    assert chunk.to_numpy(zero_copy_only=True).base is not None
    values = pyarrow.table(runs.table("histograms"))["count"].chunk(0).values
    assert values.to_numpy(zero_copy_only=True).sum() == 20


def test_pandas_takes_a_table(runs):
    frame = pandas.DataFrame.from_arrow(runs.table("scalars"))
    assert frame.groupby("run", observed=True)["step"].max().to_dict() == {"a": 99, "b/c": 99}
    assert isinstance(frame["run"].dtype, pandas.CategoricalDtype)
    assert str(frame["wall_time"].dtype) == "datetime64[us, UTC]"
    assert pyarrow.table(runs.table("stats")).to_pandas()["max"].tolist() == [9.0, 9.0]
    assert len(pandas.DataFrame(runs["a"].scalars("loss").to_dict())) == 100
    assert pandas.DataFrame(runs["a"].stats("w").to_dict())["p50"].between(4, 5).all()


def test_polars_takes_a_table(runs):
    frame = polars.DataFrame(runs.table("scalars"))
    assert frame.shape == (400, 5)
    assert frame.filter(polars.col("tag") == "loss")["value"].max() == 1.0
    assert frame["wall_time"].dtype == polars.Datetime("us", "UTC")
    lists = polars.DataFrame(runs.table("predictions"))["y_pred"].to_list()
    assert lists[:2] == [[0.1, 0.9], [0.8, 0.2]]


def test_duckdb_queries_a_table_by_the_name_of_its_variable(runs):
    scalars = runs.table("scalars")  # noqa: F841
    assert duckdb.sql("select run, count(*), max(step) from scalars group by run order by run").fetchall() == [
        ("a", 200, 99),
        ("b/c", 200, 99),
    ]
    pictures = runs.table("images")  # noqa: F841
    assert duckdb.sql("select count(*), min(width), min(height) from pictures").fetchall() == [(4, 5, 4)]
    said = runs.table("predictions")  # noqa: F841
    assert duckdb.sql("select id, y_pred[2] from said where run = 'a' order by id").fetchall() == [
        ("x", 0.9),
        ("y", 0.2),
    ]


def test_values_of_every_table_are_those_that_were_recorded(runs):
    rows = {name: pyarrow.table(runs.table(name, runs="a")).to_pylist() for name in TABLES}
    (stats,) = rows["stats"]
    assert (stats["phase"], stats["step"], stats["count"], stats["max"], stats["zeros"]) == ("train", 3, 10, 9.0, 1)
    (tensor,) = rows["tensors"]
    assert tensor["values"] == [0, 1, 2, 3, 4, 5] and tensor["dtype"] == "int32"
    assert [row["y_true"] for row in rows["predictions"]] == [[1], [0]]
    assert [row["data"][:4] for row in rows["images"]] == [b"\x89PNG"] * 2
    assert rows["audio"][0]["data"][:4] == b"RIFF"
    assert [row["text"] for row in rows["text"]] == ["hello"]
    assert {row["name"]: row["text"] if row["number"] is None else row["number"] for row in rows["hparams"]} == {
        "lr": 0.1,
        "optimizer": "adam",
        "nesterov": 1.0,
    }
    (run,) = rows["runs"]
    assert run["state"] == "ended" and isinstance(run["last_wall_time"], datetime.datetime)
    assert {(row["tag"], row["kind"]) for row in rows["tags"]} >= {("loss", "scalars"), ("w", "stats")}


def test_a_table_that_does_not_exist_names_those_that_do(runs):
    with pytest.raises(ValueError, match=r"no table 'scalar'.*scalars, stats"):
        runs.table("scalar")


def test_a_stream_nobody_takes_is_given_back(runs):
    capsule = runs.table("scalars").__arrow_c_stream__()
    assert "arrow_array_stream" in repr(capsule)
    del capsule
    capsule = runs.table("stats").__arrow_c_schema__()
    assert "arrow_schema" in repr(capsule)


def test_tables_may_be_streamed_by_many_threads_at_once(runs):
    counts = []

    def stream() -> None:
        counts.extend(pyarrow.table(runs.table("scalars")).num_rows for _ in range(20))

    threads = [threading.Thread(target=stream) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [400] * 80


def test_raw_shows_replaced_points(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        for step in (0, 1, 2, 1):
            run.scalar("loss", 0.0, step=step)
    runs = tap.open(tmp_path)
    assert pyarrow.table(runs.table("scalars"))["step"].to_pylist() == [0, 1]
    assert pyarrow.table(runs.table("scalars", raw=True))["step"].to_pylist() == [0, 1, 2, 1]


def test_a_file_that_breaks_while_it_is_streamed_is_an_error_that_says_so(tmp_path):
    with tap.Run(tmp_path / "a") as run:
        run.tensor("t", np.arange(100.0), step=0)
    runs = tap.open(tmp_path, cache=False)
    (path,) = (tmp_path / "a").glob("captures*")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises((OSError, pyarrow.ArrowInvalid), match="captures"):
        pyarrow.table(runs.table("tensors"))
    with pytest.raises(OSError, match="captures"):
        runs["a"].tensor("t")
