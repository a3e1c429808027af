"""tap.open: which runs there are, how they are found, read again, and what goes wrong."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

import tensortap as tap


def record(path, *values: float, **options) -> None:
    with tap.Run(path, **options) as run:
        for step, value in enumerate(values):
            run.scalar("loss", value, step=step)


@pytest.fixture
def logs(tmp_path):
    record(tmp_path / "a", 1.0, 2.0)
    record(tmp_path / "group" / "b", 3.0)
    return tmp_path


def test_runs_are_a_mapping_by_name(logs):
    runs = tap.open(logs)
    assert list(runs) == ["a", "group/b"]
    assert len(runs) == 2
    assert "a" in runs and "group" not in runs
    assert {name: run.scalars("loss").value.tolist() for name, run in runs.items()} == {"a": [1, 2], "group/b": [3]}
    assert runs["a"].name == "a"
    assert runs.path == str(logs)


def test_reprs_are_short_and_say_what_there_is(logs):
    runs = tap.open(logs)
    assert repr(runs) == f"<2 runs in '{logs}': a, group/b>"
    assert repr(runs["a"]) == "<run 'a': ended, 1 tags (scalars), last step 1>"
    assert repr(runs["a"].scalars("loss")) == "<Scalars: 2 points, steps 0 to 1>"
    for number in range(20):
        record(logs / f"many-{number}", 1.0)
    runs.refresh()
    assert "many-13, ...>" in repr(runs)


def test_a_directory_without_runs_is_empty_and_not_an_error(tmp_path):
    runs = tap.open(tmp_path)
    assert list(runs) == [] and not runs
    assert repr(runs) == f"<0 runs in '{tmp_path}'>"
    assert runs.health() == []


def test_the_directory_itself_may_be_a_run(tmp_path):
    record(tmp_path / "a", 1.0)
    runs = tap.open(tmp_path / "a")
    assert list(runs) == ["."]
    assert runs["."].scalars("loss").value.tolist() == [1.0]


def test_a_path_may_be_text_or_a_path_and_start_with_a_tilde(logs, monkeypatch):
    monkeypatch.setenv("HOME", str(logs.parent))
    for path in (logs, str(logs), f"{logs}/", f"~/{logs.name}", os.fsencode(logs)):
        assert list(tap.open(path)) == ["a", "group/b"]


def test_a_relative_path_stays_with_its_directory_when_the_program_moves(logs, monkeypatch):
    monkeypatch.chdir(logs)
    runs = tap.open("group")
    monkeypatch.chdir(logs.parent)
    record(logs / "group" / "c", 1.0)
    assert runs.refresh()
    assert list(runs) == ["b", "c"]


def test_missing_directories_and_files_raise_what_python_raises(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such directory"):
        tap.open(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError, match="not a directory"):
        tap.open(tmp_path / "file")
    with pytest.raises(ValueError, match="must not be empty"):
        tap.open("")


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_below_one_are_refused(logs, threads):
    with pytest.raises(ValueError, match="threads must be above 0"):
        tap.open(logs, threads=threads)


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_any_number_of_threads_reads_the_same(logs, threads):
    assert tap.open(logs, threads=threads, cache=False)["a"].scalars("loss").value.tolist() == [1, 2]


def test_a_run_that_is_not_there_names_near_ones(logs):
    runs = tap.open(logs)
    with pytest.raises(KeyError) as error:
        runs["grup/b"]
    assert str(error.value) == "there is no run 'grup/b'. Did you mean 'group/b'?"
    assert runs.get("nothing") is None
    with pytest.raises(TypeError, match="must be a str, not int"):
        runs[3]


def test_a_tag_that_is_not_there_names_near_ones_of_the_same_kind(logs):
    run = tap.open(logs)["a"]
    with pytest.raises(KeyError) as error:
        run.scalars("lss")
    assert str(error.value) == "run 'a' has no scalars under 'lss'. Did you mean 'loss'?"
    with pytest.raises(KeyError, match=r"has no tag 'losss'\. Did you mean 'loss'"):
        run.steps("losss")
    with pytest.raises(KeyError, match="no tensors under 'loss', but scalars"):
        run.tensor("loss")
    with pytest.raises(ValueError, match=r"kind is one of scalars, .*not 'scalar'"):
        run.tags(kind="scalar")


def test_refresh_shows_what_was_added_and_says_whether_anything_was(tmp_path):
    with tap.Run(tmp_path / "a") as writer:
        writer.scalar("loss", 1.0, step=0)
        writer.flush()
        runs = tap.open(tmp_path)
        run = runs["a"]
        assert run.state == "live"
        assert not runs.refresh()
        writer.scalar("loss", 2.0, step=1)
        writer.histogram("w", np.arange(4.0), step=1)
        writer.flush()
        assert run.scalars("loss").value.tolist() == [1.0]
        assert runs.refresh()
        assert run.scalars("loss").value.tolist() == [1.0, 2.0]
        assert run.tags() == ["loss", "w"]
        record(tmp_path / "b", 5.0)
        assert runs.refresh()
        assert list(runs) == ["a", "b"]
    assert runs.refresh()
    assert run.state == "ended"
    assert not runs.refresh()


def test_a_run_that_was_deleted_is_gone_after_a_refresh(logs):
    runs = tap.open(logs)
    run = runs["a"]
    for path in (logs / "a").iterdir():
        path.unlink()
    assert runs.refresh()
    assert list(runs) == ["group/b"]
    with pytest.raises(KeyError, match="no run 'a'"):
        run.tags()


def test_the_state_says_how_a_run_ended(tmp_path):
    with tap.Run(tmp_path / "good") as run:
        run.histogram("w", np.arange(3.0), step=0)
    run = tap.Run(tmp_path / "bad")
    run.histogram("w", np.arange(3.0), step=0)
    run.close(success=False)
    assert {name: run.state for name, run in tap.open(tmp_path).items()} == {"good": "ended", "bad": "failed"}


def test_nothing_is_written_to_the_log_directory_and_the_cache_only_if_wanted(logs, tmp_path_factory):
    before = sorted(logs.rglob("*"))
    cache = tmp_path_factory.mktemp("cache")
    tap.open(logs, cache=cache)
    tap.open(logs, cache=False)
    assert sorted(logs.rglob("*")) == before


def test_what_the_cache_remembers_is_what_the_files_hold(tmp_path, tmp_path_factory, monkeypatch):
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("TENSORTAP_CACHE_DIR", str(cache))
    with tap.Run(tmp_path / "a") as run:
        for step in range(200_000):
            run.scalar("loss", step / 7, step=step)
    fresh = tap.open(tmp_path)["a"].scalars("loss")
    assert list(cache.rglob("*.idx")), "a file of megabytes is worth an entry"
    again = tap.open(tmp_path)["a"].scalars("loss")
    assert np.array_equal(fresh.value, again.value) and np.array_equal(fresh.wall_time, again.wall_time)
    assert fresh.value[-1] == 199_999 / 7
    for entry in cache.rglob("*.idx"):
        entry.write_bytes(b"no index")
    assert np.array_equal(tap.open(tmp_path)["a"].scalars("loss").step, fresh.step)


def test_health_names_every_file_and_the_place_of_damage(logs):
    (path,) = (logs / "a").glob("events*")
    data = bytearray(path.read_bytes())
    data[-20] ^= 0xFF
    path.write_bytes(data)
    report = {Path(file["path"]).parent.name: file for file in tap.open(logs).health() if file["kind"] == "events"}
    assert not report["b"]["damaged"] and report["b"]["damage"] == []
    assert report["a"]["damaged"] and report["a"]["damaged_places"] == 1
    (place,) = report["a"]["damage"]
    assert 0 < place["offset"] < len(data) and place["reason"]
    assert report["a"]["bytes"] == len(data)
    assert tap.open(logs)["a"].scalars("loss").value.tolist() == [1.0], "what is whole is still shown"


def test_links_are_followed_only_if_asked(logs, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "linked").symlink_to(logs / "a")
    assert list(tap.open(elsewhere)) == []
    runs = tap.open(elsewhere, follow_links=True)
    assert runs["linked"].scalars("loss").value.tolist() == [1.0, 2.0]


def test_info_counts_what_a_run_holds(logs):
    first, second = tap.open(logs).info()
    assert (first["name"], first["points"], first["tags"], first["last_step"]) == ("a", 2, 1, 1)
    assert second["directories"] == ["group/b"]
    assert first["bytes"] == sum(path.stat().st_size for path in (logs / "a").iterdir())


def test_info_tells_drops_and_the_cost_of_a_run_with_sub_runs_once(tmp_path):
    run = tap.Run(tmp_path / "a", queue_bytes=1000)
    run.tensor("x", np.zeros(1000), step=0)  # larger than the queue
    run.tensor("x", np.zeros(10), step=1)
    run.sub("val").tensor("x", np.zeros(10), step=1)
    run.flush()
    assert tap.open(tmp_path)["a"].info()["worker_seconds"] is None  # nobody has told yet
    run.close()
    info = tap.open(tmp_path)["a"].info()
    assert info["dropped"] == run.report()["dropped"] == 1
    assert info["caller_seconds"] == run.report()["caller_seconds"]
    assert 0 < info["worker_seconds"] <= run.report()["worker_seconds"]


def test_names_that_are_no_utf8_can_be_asked_for(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    Path(path).mkdir()
    record(tmp_path / "x", 1.0)
    (event_file,) = (tmp_path / "x").glob("events*")
    event_file.rename(Path(path) / event_file.name)
    runs = tap.open(tmp_path)
    name = next(each for each in runs if each != "x")
    assert os.fsencode(name) == b"caf\xe9"
    assert runs[name].scalars("loss").value.tolist() == [1.0]


def test_many_threads_may_ask_and_refresh_while_a_run_is_written(tmp_path):
    errors = []
    with tap.Run(tmp_path / "a", flush_ms=1) as writer:
        writer.scalar("loss", 0.0, step=0)
        writer.flush()
        runs = tap.open(tmp_path)
        ended = threading.Event()

        def ask() -> None:
            try:
                while not ended.is_set():
                    runs.refresh()
                    points = runs["a"].scalars("loss")
                    assert np.array_equal(points.step, points.value), "a point is whole or not there"
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for step in range(1, 20_000):
            writer.scalar("loss", float(step), step=step)
        writer.flush()
        ended.set()
        for thread in threads:
            thread.join()
        runs.refresh()
        assert len(runs["a"].scalars("loss")) == 20_000
    assert errors == []


def test_importing_the_package_does_not_load_the_reading_half(run_program):
    done = run_program(
        """
        import sys
        import tensortap as tap
        assert not {"tensortap._read", "tensortap.reading", "tensorflow", "pyarrow", "pandas"} & set(sys.modules)
        tap.open(sys.argv[1])
        assert not {"tensorflow", "pyarrow", "pandas"} & set(sys.modules)
        from tensortap import *
        assert open is not tap.open
        """,
        Path(__file__).parent,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr


INTERRUPTED = """
import signal, sys, time
import tensortap as tap

def interrupt(*_):
    global at
    at = time.monotonic()
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    tap.open(sys.argv[1], cache=False, threads=1)
    print("too fast")
except KeyboardInterrupt:
    print("interrupted" if time.monotonic() - at < 0.5 else "late")
"""


def test_control_c_ends_the_waiting_at_once(tmp_path, run_program):
    with tap.Run(tmp_path / "0", when_full="wait", wait_ms=10_000) as run:
        for step in range(8):
            run.tensor("t", np.zeros(1 << 20), step=step)
    (whole,) = (tmp_path / "0").glob("captures*")
    for number in range(1, 100):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / whole.name).hardlink_to(whole)
    done = run_program(INTERRUPTED, tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout.strip() == "interrupted"
