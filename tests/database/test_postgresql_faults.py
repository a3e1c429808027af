"""A server that goes away, comes back, or was never there; and what becomes of the training and of the rows."""

from __future__ import annotations

import json
import os
import signal
import socket
import time

import pytest

# Records a value every 2 ms until it is told to stop, and says how long the slowest call took.
STEADY = """
import json, select, sys, time
import tensortap as tap

with tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])], flush_ms=20) as run:
    print("ready", flush=True)
    step = slowest = 0
    while not select.select([sys.stdin], [], [], 0.002)[0]:
        before = time.perf_counter()
        run.scalar("loss", step / 7, step=step)
        slowest = max(slowest, time.perf_counter() - before)
        step += 1
    before = time.perf_counter()
print(json.dumps([step, slowest, time.perf_counter() - before, list(run.report()["sinks"].values())[0], run.report()]))
"""


@pytest.fixture
def steady(start, server, database, tmp_path):
    """A training that records; ended by anything on its standard input."""
    process = start(STEADY, tmp_path / "a", server.url(database, sslmode="require"))
    assert process.stdout.readline() == "ready\n", process.stderr.read()
    return process


def stop(process, finish):
    process.stdin.write("stop\n")
    process.stdin.flush()
    return finish(process)


def test_a_server_that_was_killed_and_started_again_has_every_row_once(server, database, steady, finish, until):
    def rows():
        return server.ask(database, "SELECT count(*) FROM tensortap.scalars")[0][0]

    for _ in range(3):
        before = rows()
        until(lambda before=before: rows() > before + 20)
        server.stop()
        time.sleep(0.3)
        server.start()
    steps, slowest, _, sink, _ = stop(steady, finish)
    assert sink == {"written": steps, "failed": 0, "error": None}
    found = server.ask(database, "SELECT step, value FROM tensortap.scalars ORDER BY step")
    assert found == [(step, step / 7) for step in range(steps)]
    assert slowest < 0.5
    ((success,),) = server.ask(database, "SELECT success FROM tensortap.runs")
    assert success is True


def test_connections_that_are_cut_lose_and_repeat_nothing(server, database, steady, finish, until):
    cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'tensortap %'"
    for _ in range(15):
        server.ask("postgres", cut)
        time.sleep(0.05)
    until(lambda: server.ask(database, "SELECT count(*) FROM tensortap.scalars")[0][0] > 50)
    steps, _, _, sink, _ = stop(steady, finish)
    assert sink["failed"] == 0
    assert server.ask(database, "SELECT count(*), count(DISTINCT step), max(step) FROM tensortap.scalars") == [
        (steps, steps, steps - 1)
    ]


def test_without_a_server_the_training_goes_on_and_the_loss_is_counted(server, steady, finish):
    server.stop()
    time.sleep(1)
    steps, slowest, closing, sink, report = stop(steady, finish)
    assert slowest < 0.5
    assert closing < 8
    assert 0 < sink["failed"] <= steps and sink["written"] + sink["failed"] == steps
    assert "lost are" in sink["error"]
    assert (report["offered"], report["written"], report["dropped"]) == (steps, steps, 0)  # in the run's directory


def test_a_server_that_hangs_does_not_hold_up_the_end_of_a_run(server, database, steady, finish, until):
    query = "SELECT pid FROM pg_stat_activity WHERE datname = %s AND application_name LIKE 'tensortap %%'"
    until(lambda: server.ask("postgres", query, database))
    ((backend,),) = server.ask("postgres", query, database)
    os.kill(backend, signal.SIGSTOP)
    try:
        time.sleep(0.3)
        steps, slowest, closing, sink, _ = stop(steady, finish)
    finally:
        os.kill(backend, signal.SIGCONT)
    assert slowest < 0.5 and closing < 8
    assert sink["failed"] > 0 and sink["written"] + sink["failed"] == steps


def test_memory_for_what_waits_is_limited_and_the_rest_is_counted(server, database, start, finish, tmp_path):
    process = start(
        """
        import json, sys
        import numpy as np
        import tensortap as tap

        run = tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])], when_full="wait")
        print("ready", flush=True)
        sys.stdin.readline()
        for step in range(20):
            run.tensor("t", np.full(1 << 20, step, np.float64), step=step)
        run.flush()
        print(list(run.report()["sinks"].values())[0]["error"], flush=True)
        sys.stdin.readline()
        run.scalar("last", 1, step=0)
        run.close()
        print(json.dumps(list(run.report()["sinks"].values())[0]))
        """,
        tmp_path / "a",
        server.url(database),
    )
    assert process.stdout.readline() == "ready\n"
    server.stop()
    process.stdin.write("\n")
    process.stdin.flush()
    assert "MiB wait for the server" in process.stdout.readline()
    server.start()
    process.stdin.write("\n")
    sink = finish(process)
    assert sink["failed"] > 10 and sink["written"] >= 1 and sink["written"] + sink["failed"] == 21
    ((tensors, least, greatest),) = server.ask(database, "SELECT count(*), min(step), max(step) FROM tensortap.tensors")
    ((scalars,),) = server.ask(database, "SELECT count(*) FROM tensortap.scalars")
    assert tensors + scalars == sink["written"] and scalars == 1
    assert (least, greatest) == (0, tensors - 1)  # the first that came


def test_rows_that_the_server_refuses_are_counted_and_the_next_ones_arrive(server, database, start, finish, tmp_path):
    process = start(
        """
        import json, sys
        import tensortap as tap

        with tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])], flush_ms=10) as run:
            print("ready", flush=True)
            sys.stdin.readline()
            run.scalar("bad", -1, step=0)
            run.scalar("good", 1, step=0)
            run.flush()
            print("flushed", flush=True)
            sys.stdin.readline()
            run.scalar("good", 2, step=1)
        print(json.dumps(list(run.report()["sinks"].values())[0]))
        """,
        tmp_path / "a",
        server.url(database),
    )
    assert process.stdout.readline() == "ready\n"
    server.ask(database, "ALTER TABLE tensortap.scalar_rows ADD CONSTRAINT positive CHECK (value > 0)")
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "flushed\n"
    time.sleep(0.5)
    process.stdin.write("\n")
    sink = finish(process)
    assert (sink["written"], sink["failed"]) == (1, 2) and "positive" in sink["error"]
    assert server.ask(database, "SELECT tag, value FROM tensortap.scalars") == [("good", 2.0)]


def test_two_runs_write_to_one_new_database_at_once(server, database, start, finish, tmp_path):
    processes = [start(STEADY, tmp_path / name, server.url(database)) for name in ("a", "b", "c")]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
    time.sleep(0.3)
    steps = {name: stop(process, finish)[0] for name, process in zip("abc", processes, strict=True)}
    found = dict(server.ask(database, "SELECT run, count(DISTINCT step) FROM tensortap.scalars GROUP BY run"))
    assert found == steps


OPEN = """
import sys, time
import tensortap as tap
begun = time.monotonic()
try:
    tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])])
except Exception as error:
    import json
    print(json.dumps([type(error).__mro__[-4].__name__, type(error).__name__, str(error), time.monotonic() - begun]))
"""


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda url: url.replace("to%3Ap", "wrong"), "OSError", "password authentication failed"),
        (lambda url: url.replace("/test_", "/no_"), "OSError", "does not exist"),
        (lambda url: url.replace("sslmode=require", "sslmode=verify-full"), "OSError", "root"),
        (lambda url: url.replace("to%3Ap%2Fs%40cret", "to:p/s@cret"), "ValueError", "%40 for @"),
        (lambda url: url.replace("127.0.0.1", "127.0.0.1:"), "ValueError", "cannot be read"),
        (lambda url: url.replace("postgresql://", "mysql://"), "ValueError", "begin with postgresql://"),
    ],
    ids=["password", "database", "certificate", "unescaped", "port", "scheme"],
)
def test_what_the_user_has_to_mend_is_said_at_once_and_without_the_password(
    change, kind, words, server, database, record, tmp_path
):
    _, name, message, seconds = record(OPEN, tmp_path / "a", change(server.url(database, sslmode="require")))
    assert name == kind and words in message
    for secret in ("to%3Ap", "s%40cret", "cret"):
        assert secret not in message
    assert seconds < 3


def test_a_server_that_is_not_there_is_said_at_once(record, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    _, name, message, seconds = record(OPEN, tmp_path / "a", f"postgresql://u:secret@127.0.0.1:{port}/d")
    assert name == "OSError" and "Connection refused" in message and "secret" not in message and seconds < 3


def test_a_server_that_says_nothing_is_waited_for_no_longer_than_the_url_allows(record, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://u@127.0.0.1:{silent.getsockname()[1]}/d?connect_timeout=2"
        _, name, message, seconds = record(OPEN, tmp_path / "a", url)
    assert name == "OSError" and "does not answer" in message and 1.5 < seconds < 4


def test_tables_of_a_newer_version_are_left_alone(server, database, record, tmp_path):
    url = server.url(database)
    assert record(OPEN, tmp_path / "a", url) is None
    server.ask(database, "UPDATE tensortap.tensortap_schema SET version = 99")
    _, name, message, _ = record(OPEN, tmp_path / "b", url)
    assert name == "OSError" and "version 99" in message and "update Tensortap" in message


def test_a_forked_child_leaves_the_connection_alone(server, database, record, tmp_path):
    sink = record(
        """
        import json, os, sys
        import tensortap as tap

        with tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])]) as run:
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
        server.url(database, sslmode="require"),
    )
    assert sink == {"written": 2, "failed": 0, "error": None}
    assert server.ask(database, "SELECT value FROM tensortap.scalars ORDER BY step") == [(1.0,), (2.0,)]


def test_reports_do_not_show_a_password(server, database, record, tmp_path):
    names = record(
        """
        import json, sys
        import tensortap as tap
        with tap.Run(sys.argv[1], sinks=[tap.sinks.postgresql(sys.argv[2])]) as run:
            pass
        print(json.dumps(list(run.report()["sinks"])))
        """,
        tmp_path / "a",
        f"postgresql://postgres@127.0.0.1:{server.port}/{database}?password=to%3Ap%2Fs%40cret&sslmode=require",
    )
    assert "cret" not in json.dumps(names) and "sslmode=require" in names[0]
