"""What was recorded is what another process reads, in both databases and through the views that people type."""

from __future__ import annotations

import io
import json
import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

SCHEMA = {"sqlite": "", "postgresql": "tensortap."}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def kind(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("values")


@pytest.fixture(scope="module")
def recorded(kind, record, everything, directory, server, new_database):
    """(what was recorded, (sql) -> rows): `{}` in the sql is where the views are"""
    database = new_database()
    target = directory / "a.db" if kind == "sqlite" else server.url(database)
    truth = record(everything, directory / kind / "a", kind, target)

    def ask(sql: str) -> list[tuple]:
        sql = sql.format(SCHEMA[kind])
        if kind == "postgresql":
            return server.ask(database, sql)
        with sqlite3.connect(target) as file:
            return file.execute(sql).fetchall()

    return truth, ask


def numbers(kind: str, cell) -> list[float] | None:
    """A list of numbers, as each database has it."""
    if cell is None or kind == "postgresql":
        return cell
    return [float(value) for value in json.loads(cell)]


def loaded(blob) -> np.ndarray:
    return np.load(io.BytesIO(bytes(blob)), allow_pickle=False)


def same(found: float | None, expected: float, kind: str) -> bool:
    """In SQLite NaN is NULL, and zero has no sign."""
    if math.isnan(expected):
        return found is None if kind == "sqlite" else math.isnan(found)
    if kind == "sqlite" and expected == 0:
        return found == 0
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


def test_scalars(recorded, kind):
    truth, ask = recorded
    rows = ask("SELECT run, step, epoch, value FROM {}scalars WHERE tag = 'odd' ORDER BY step")
    assert [row[:3] for row in rows] == [("a", step, None) for step in range(len(truth["odd"]))]
    for row, expected in zip(rows, truth["odd"], strict=True):
        assert same(row[3], float(expected), kind), (row, expected)
    assert ask("SELECT tag, step, value FROM {}scalars WHERE run = 'a' AND tag = 'train/loss'") == [
        ("train/loss", -3, 0.25)
    ]
    assert ask("SELECT step FROM {}scalars WHERE tag LIKE 'a ''tag''%'") == [(2**62,)]
    ((name,),) = ask("SELECT tag FROM {}tags WHERE tag LIKE 'a ''tag''%'")
    assert name == "a 'tag' with \t \\ \n and é😀"


def test_statistics(recorded, kind):
    truth, ask = recorded
    ((shape, *found),) = ask(
        "SELECT shape, count, zeros, nan, positive_inf, min, max, mean, std FROM {}stats WHERE tag = 'w'"
    )
    assert shape == "[50,4]" and found == pytest.approx(truth["stats"], rel=1e-6)
    ((least, greatest, mean, p50),) = ask("SELECT min, max, mean, p50 FROM {}stats WHERE tag = 'nothing finite'")
    assert (least, greatest) == (math.inf, -math.inf)
    assert same(mean, math.nan, kind) and same(p50, math.nan, kind)


def test_tensors_images_sounds_and_texts(recorded, kind):
    truth, ask = recorded
    ((dtype, shape, npy),) = ask("SELECT dtype, shape, npy FROM {}tensors WHERE tag = 't' AND step = 4")
    assert (dtype, shape) == ("float64", "[3,5]") and loaded(npy).tolist() == truth["tensor"]
    rows = ask("SELECT item, width, height, png FROM {}images ORDER BY item")
    assert [row[:3] for row in rows] == [(0, 5, 4), (1, 5, 4)]
    pixels = np.asarray(Image.open(io.BytesIO(bytes(rows[1][3]))))
    assert pixels.tolist() == np.arange(60, 120).reshape(4, 5, 3).tolist()
    ((wav,),) = ask("SELECT wav FROM {}audio")
    assert bytes(wav).startswith(b"RIFF")
    texts = ask("SELECT tag, text FROM {}texts ORDER BY item")
    zero = "z\0ero" if kind == "sqlite" else "z\ufffdero"
    assert texts == [("note", "tab\t back\\slash \n line 'quote' \"double\" €"), ("note", zero)]


def test_predictions(recorded, kind):
    truth, ask = recorded
    query = "SELECT id, label, predicted, output, labels, output_npy FROM {}predictions WHERE name = '%s' ORDER BY item"
    rows = ask(query % "classes")
    assert [row[0] for row in rows] == ["x", "ü", "a\tb", "d"]
    assert [row[1] for row in rows] == [1, 0, 5, 2]
    for row, expected in zip(rows, truth["outputs"], strict=True):
        np.testing.assert_array_equal(numbers(kind, row[3]), [float(value) for value in expected])
    outputs = [[float(value) for value in row] for row in truth["outputs"][:3]]
    assert [row[2] for row in rows] == [*np.argmax(outputs, axis=1).tolist(), None]
    onehot = ask(query % "onehot")
    assert [row[1] for row in onehot] == [4, 2] and numbers(kind, onehot[0][4]) == [0, 0, 0, 0, 1, 0]
    unlabelled = ask(query % "unlabelled")
    assert [row[:2] for row in unlabelled] == [("10", None), ("20", None)]
    assert unlabelled[0][2] == 0.5 and same(unlabelled[1][2], math.nan, kind)
    ((_, label, _, _, labels, _),) = ask(query % "nan label")
    assert same(label, math.nan, kind) and math.isnan(numbers(kind, labels)[0])


def test_predictions_that_are_maps_are_files(recorded):
    truth, ask = recorded
    rows = ask(
        "SELECT shape, predicted, output, output_npy, labels_npy FROM {}predictions WHERE name = 'maps' ORDER BY item"
    )
    assert len(rows) == 2 and rows[1][:3] == ("[40,40]", None, None)
    np.testing.assert_array_equal(loaded(rows[1][3]), np.array(truth["map"], np.float32))
    assert loaded(rows[1][4]).dtype == np.uint8


def test_hyperparameters_and_the_run_itself(recorded, kind, directory):
    truth, ask = recorded
    found = {name: (number, text) for name, number, text in ask("SELECT name, number, text FROM {}hparams")}
    assert found["lr"] == (0.1, "0.1") and found["name"] == (None, "ad'am") and found["flag"] == (1, "true")
    assert same(found["odd"][0], math.nan, kind) and found["odd"][1] == "NaN"
    ((run, path, success, offered, dropped, opened, closed),) = ask(
        "SELECT run, path, success, offered, dropped, opened, closed FROM {}runs"
    )
    assert (run, path, success, dropped) == ("a", str(directory / kind / "a"), True, 0)
    assert opened <= closed
    (sink,) = truth["sinks"]
    assert (sink["written"], sink["failed"], truth["error"]) == (offered, 0, None)


def test_both_databases_have_the_same_views(server, database, record, everything, tmp_path):
    record(everything, tmp_path / "a", "sqlite", tmp_path / "a.db")
    record(everything, tmp_path / "b", "postgresql", server.url(database))
    columns = (
        "SELECT table_name || '.' || column_name FROM information_schema.columns "
        "WHERE table_schema = 'tensortap' AND table_name NOT LIKE 'writer%'"
    )
    theirs = {name for (name,) in server.ask(database, columns)}
    with sqlite3.connect(tmp_path / "a.db") as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
        ours = {f"{name}.{row[1]}" for name in tables for row in file.execute(f"PRAGMA table_info({name})")}
    assert ours == theirs and "scalars.value" in ours
