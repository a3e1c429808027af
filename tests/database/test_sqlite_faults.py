"""An SQLite file that others write to, lock, or damage; and processes that are killed."""

from __future__ import annotations

import signal
import sqlite3
import time

import pytest

STEADY = """
import json, select, sys, time
import tensortap as tap

with tap.Run(sys.argv[1], sinks=[tap.sinks.sqlite(sys.argv[2])], flush_ms=20) as run:
    print("ready", flush=True)
    step = slowest = 0
    while not select.select([sys.stdin], [], [], 0.002)[0]:
        before = time.perf_counter()
        run.scalar("loss", step / 7, step=step)
        slowest = max(slowest, time.perf_counter() - before)
        step += 1
print(json.dumps([step, slowest, list(run.report()["sinks"].values())[0]]))
"""


def stop(process, finish):
    process.stdin.write("stop\n")
    process.stdin.flush()
    return finish(process)


def rows_of(path) -> list[tuple]:
    with sqlite3.connect(path, timeout=10) as file:
        return file.execute("SELECT run, step, value FROM scalars ORDER BY run, step").fetchall()


def test_what_was_flushed_stays_when_the_process_is_killed(start, tmp_path):
    process = start(
        """
        import sys
        import tensortap as tap
        run = tap.Run(sys.argv[1], sinks=[tap.sinks.sqlite(sys.argv[2])])
        for step in range(10**9):
            run.scalar("loss", step / 7, step=step)
            if step % 500 == 499:
                run.flush()
                print(step, flush=True)
        """,
        tmp_path / "a",
        tmp_path / "a.db",
    )
    for _ in range(5):
        flushed = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = rows_of(tmp_path / "a.db")
    assert len(found) > flushed
    assert found == [("a", step, step / 7) for step in range(len(found))]
    with sqlite3.connect(tmp_path / "a.db") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert file.execute("SELECT closed FROM runs").fetchone() == (None,)


def test_a_lock_held_by_another_process_delays_rows_and_loses_none(start, finish, tmp_path):
    process = start(STEADY, tmp_path / "a", tmp_path / "a.db")
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    file = sqlite3.connect(tmp_path / "a.db", isolation_level=None, timeout=10)
    file.execute("BEGIN IMMEDIATE")
    time.sleep(1)
    ((before,),) = file.execute("SELECT count(*) FROM scalars")
    file.execute("COMMIT")
    steps, slowest, sink = stop(process, finish)
    assert before < steps - 100
    assert slowest < 0.5
    assert sink == {"written": steps, "failed": 0, "error": None}
    assert len(rows_of(tmp_path / "a.db")) == steps
    file.close()


def test_a_lock_that_is_never_released_is_given_up_and_counted(start, finish, tmp_path):
    process = start(STEADY, tmp_path / "a", tmp_path / "a.db")
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    file = sqlite3.connect(tmp_path / "a.db", isolation_level=None, timeout=10)
    file.execute("BEGIN IMMEDIATE")
    time.sleep(0.3)
    steps, _, sink = stop(process, finish)
    assert sink["failed"] > 0 and sink["written"] + sink["failed"] == steps
    assert "locked by another process" in sink["error"]
    file.execute("COMMIT")
    assert len(rows_of(tmp_path / "a.db")) == sink["written"]
    file.close()


def test_several_processes_share_a_new_file(start, finish, tmp_path):
    names = "abcd"
    processes = [start(STEADY, tmp_path / name, tmp_path / "all.db") for name in names]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(0.3)
    expected = []
    for name, process in zip(names, processes, strict=True):
        steps, _, sink = stop(process, finish)
        assert sink == {"written": steps, "failed": 0, "error": None}
        expected += [(name, step, step / 7) for step in range(steps)]
    assert rows_of(tmp_path / "all.db") == expected


OPEN = """
import json, sys
import tensortap as tap
try:
    tap.Run(sys.argv[1], sinks=[tap.sinks.sqlite(sys.argv[2])]).close()
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))
"""


def test_what_the_user_has_to_mend_is_said_at_once(record, tmp_path):
    (tmp_path / "text.db").write_text("this is no database, but a text that is long enough to be looked at\n" * 20)
    name, message = record(OPEN, tmp_path / "a", tmp_path / "text.db")
    assert name == "OSError" and "text.db" in message and "not a database" in message
    (tmp_path / "directory.db").mkdir()
    name, message = record(OPEN, tmp_path / "b", tmp_path / "directory.db")
    assert name == "OSError" and "directory.db" in message and "unable to open" in message
    name, message = record(OPEN, tmp_path / "c", tmp_path / "text.db" / "a.db")
    assert name == "OSError" and "text.db" in message and "Not a directory" in message


def test_tables_of_a_newer_version_are_left_alone(record, tmp_path):
    assert record(OPEN, tmp_path / "a", tmp_path / "a.db") is None
    with sqlite3.connect(tmp_path / "a.db") as file:
        file.execute("UPDATE tensortap_schema SET version = 99")
    name, message = record(OPEN, tmp_path / "b", tmp_path / "a.db")
    assert name == "OSError" and "version 99" in message
    with sqlite3.connect(tmp_path / "a.db") as file:
        assert file.execute("SELECT count(*) FROM runs").fetchone() == (1,)


def test_a_forked_child_leaves_the_file_alone(record, tmp_path):
    sink = record(
        """
        import json, os, sys
        import tensortap as tap

        with tap.Run(sys.argv[1], sinks=[tap.sinks.sqlite(sys.argv[2])]) as run:
            run.scalar("a", 1, step=0)
            run.flush()
            for _ in range(5):
                if (child := os.fork()) == 0:
                    del run
                    sys.exit(0)
                assert os.waitpid(child, 0)[1] == 0
            run.scalar("a", 2, step=1)
        print(json.dumps(list(run.report()["sinks"].values())[0]))
        """,
        tmp_path / "a",
        tmp_path / "a.db",
    )
    assert sink == {"written": 2, "failed": 0, "error": None}
    assert rows_of(tmp_path / "a.db") == [("a", 0, 1.0), ("a", 1, 2.0)]


@pytest.mark.parametrize("limit", [60])
def test_queries_by_run_tag_and_step_use_the_index(record, everything, tmp_path, limit):
    record(everything, tmp_path / "a", "sqlite", tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "a.db") as file:
        plan = file.execute(
            "EXPLAIN QUERY PLAN SELECT value FROM scalars WHERE run = 'a' AND tag = 'odd' AND step < ?", (limit,)
        ).fetchall()
    text = " ".join(row[3] for row in plan)
    assert "scalar_rows_by_step" in text and "step<?" in text, text
