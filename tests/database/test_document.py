"""docs/database.md: its queries run on both databases, and its columns are those that are there."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "database.md").read_text()
EXAMPLE = re.search(r"```python\n(.*?)```", DOCUMENT, re.DOTALL).group(1)
BLOCKS = re.findall(r"^```sql *(\w*)\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)


def queries(dialect: str) -> list[str]:
    blocks = [code for language, code in BLOCKS if language in ("", dialect)]
    return [query.strip() for code in blocks for query in code.split(";") if query.strip()]


@pytest.fixture(scope="module")
def file(record, tmp_path_factory):
    """The database of the first example."""
    directory = tmp_path_factory.mktemp("document")
    record(f"import os, sys\nos.chdir(sys.argv[1])\n{EXAMPLE}", directory)
    with sqlite3.connect(directory / "metrics.db") as connection:
        yield connection


def test_every_query_runs_on_sqlite_and_finds_what_it_says(file):
    answers = {query: file.execute(query).fetchall() for query in queries("sqlite")}
    assert len(answers) >= 7
    curve, best, accuracy, wrong, *_ = answers.values()
    assert curve[:2] == [(0, 1.0), (1, 0.5)] and len(curve) == 100
    assert best == [("a", 0.01, 0.001)]
    assert accuracy == [("a", 99, 0.5)] and wrong == [("b.png", 1.0, 0.0)]
    (outputs,) = [rows for query, rows in answers.items() if "json_extract" in query]
    assert outputs == [("a.png", 0.9), ("b.png", 0.2)]


def test_every_query_runs_on_postgresql(server, database, record, tmp_path):
    sink = f"tap.sinks.postgresql({server.url(database)!r})"
    script = EXAMPLE.replace('tap.sinks.sqlite("metrics.db")', sink)
    assert sink in script
    record(f"import os, sys\nos.chdir(sys.argv[1])\n{script}", tmp_path)
    for query in queries("postgresql"):
        assert server.ask(database, f"SET search_path TO tensortap; {query}") is not None
    (outputs,) = [
        server.ask(database, query.replace("FROM ", "FROM tensortap."))
        for query in queries("postgresql")
        if "output[2]" in query
    ]
    assert outputs == [("a.png", 0.9), ("b.png", 0.2)]


def test_the_columns_of_every_view_are_documented(file):
    common = {"run", "tag", "step", "epoch", "phase", "wall_time", "sequence", "run_id"}
    documented = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCUMENT, re.MULTILINE))
    for (view,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'view'"):
        named = set(re.findall(r"`(\w+)`", documented[view]))
        if "*common*" in documented[view]:
            named |= common
        if "for `tag`" in documented[view] or "without `tag`" in documented[view]:
            named -= {"tag"}
        found = {row[1] for row in file.execute(f"PRAGMA table_info({view})")}
        assert named == found, view
