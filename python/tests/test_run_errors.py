"""What a run refuses, with words that help; what it drops when there is no room; and that nothing else is harmed."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest

import tensortap as tap


@pytest.fixture
def unharmed(run, reader):
    """Records before and after whatever the test does, and finds both."""
    run.scalar("before", 1.0, step=0)
    yield run
    run.scalar("after", 2.0, step=0)
    run.flush()
    assert {"before", "after"} <= set(reader.scalars(run.path))
    report = run.report()
    assert report["dropped"] == 0 and report["offered"] == report["written"]


ALL_KINDS = {
    "scalar": lambda run, tag, step: run.scalar(tag, 1.0, step=step),
    "histogram": lambda run, tag, step: run.histogram(tag, [1.0], step=step),
    "large histogram": lambda run, tag, step: run.histogram(tag, np.zeros(10_000), step=step),
    "tensor": lambda run, tag, step: run.tensor(tag, [1.0], step=step),
    "image": lambda run, tag, step: run.image(tag, np.zeros((2, 2)), step=step),
    "audio": lambda run, tag, step: run.audio(tag, np.zeros(4), 8000, step=step),
    "text": lambda run, tag, step: run.text(tag, "x", step=step),
    "predictions": lambda run, tag, step: run.predictions(tag, y_pred=[1.0], step=step),
    "pr_curve": lambda run, tag, step: run.pr_curve(tag, [1], [0.5], step=step),
    "mesh": lambda run, tag, step: run.mesh(tag, np.zeros((1, 3, 3)), step=step),
}
each_kind = pytest.mark.parametrize("kind", ALL_KINDS)


@each_kind
@pytest.mark.parametrize(
    ("tag", "error", "words"),
    [
        ("", ValueError, "must not be empty"),
        ("x" * 4097, ValueError, "at most 4096 bytes"),
        ("ö" * 2049, ValueError, "at most 4096 bytes; this one has"),
        ("lone \ud800", ValueError, "valid UTF-8"),
        ("zero \0 byte", ValueError, "zero byte"),
        (b"bytes", TypeError, "must be a str, not bytes"),
        (None, TypeError, "must be a str"),
    ],
)
def test_a_tag_that_no_file_may_hold_is_refused_by_the_call(unharmed, kind, tag, error, words):
    with pytest.raises(error, match=words):
        ALL_KINDS[kind](unharmed, tag, 0)


@each_kind
@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (float("nan"), ValueError, "step must be an integer, not nan"),
        (float("inf"), ValueError, "step must be an integer, not inf"),
        (1.5, TypeError, r"step must be an integer, not 1\.5"),
        (2.0, TypeError, r"step must be an integer, not 2\.0"),
        (np.float32(1), TypeError, "step must be an integer"),
        ("3", TypeError, "step must be an integer"),
        (np.arange(2), TypeError, "step must be an integer"),
        (2**63, ValueError, "does not fit 64 bits"),
        (-(2**63) - 1, ValueError, "does not fit 64 bits"),
    ],
)
def test_a_step_that_is_no_integer_of_64_bits_is_refused_by_the_call(unharmed, kind, step, error, words):
    with pytest.raises(error, match=words):
        ALL_KINDS[kind](unharmed, "x", step)


@pytest.mark.parametrize("step", [3, True, np.int32(3), np.uint8(3), np.array(3), np.array([3]), -(2**63), 2**63 - 1])
def test_every_kind_of_integer_is_a_step(run, reader, step):
    run.scalar("loss", 1.0, step=step)
    run.flush()
    assert [point.step for point in reader.scalars(run.path)["loss"]] == [int(np.ravel(step)[0])]


def test_a_tag_of_4096_bytes_is_kept_whole(run, reader):
    run.scalar("x" * 4096, 1.0, step=0)
    run.flush()
    assert list(reader.scalars(run.path)) == ["x" * 4096]


def test_a_tag_stays_of_its_kind(unharmed):
    unharmed.scalar("x", 1.0, step=0)
    for kind in ("text", "image", "histogram", "mesh"):
        with pytest.raises(ValueError, match="'x' already holds scalars"):
            ALL_KINDS[kind](unharmed, "x", 0)


def test_values_and_statistics_may_share_a_tag(run, reader):
    run.histogram("x", [1.0], step=0)
    run.tensor("x", [1.0], step=0)
    run.flush()
    assert [capture.kind for capture in reader.captures(run.path)[1:]] == ["stats", "tensor"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda run: run.image("x", np.zeros(3), step=0), "image"),
        (lambda run: run.image("x", np.zeros((1, 2, 3, 4, 5)), step=0), "image"),
        (lambda run: run.image("x", np.zeros((0, 4, 3)), step=0), "image"),
        (lambda run: run.image("x", np.zeros((2, 2), np.complex64), step=0), "complex"),
        (lambda run: run.image("x", np.zeros((2, 2)), step=0, scale="bright"), "scale is one of auto"),
        (lambda run: run.audio("x", np.zeros((2, 2, 2, 2)), 8000, step=0), "frames"),
        (lambda run: run.audio("x", np.zeros(8), 0, step=0), "rate"),
        (lambda run: run.audio("x", np.zeros(8), float("nan"), step=0), "rate"),
        (lambda run: run.audio("x", np.zeros(8, np.int32), 8000, step=0), "int32"),
        (lambda run: run.mesh("x", np.zeros((3, 3)), step=0), r"\[batch,n,3\]"),
        (lambda run: run.mesh("x", np.zeros((1, 3, 2)), step=0), r"\[batch,n,3\]"),
        (lambda run: run.mesh("x", np.zeros((1, 3, 3)), faces=np.zeros((3, 3)), step=0), "faces"),
        (lambda run: run.mesh("x", np.zeros((1, 3, 3), np.complex64), step=0), "complex64"),
        (lambda run: run.pr_curve("x", [0, 1], [0.5], step=0), "differ"),
        (lambda run: run.pr_curve("x", [0, 1], [0.5, 1.5], step=0), "between 0 and 1"),
        (lambda run: run.pr_curve("x", [0, 1], [0.5, np.nan], step=0), "between 0 and 1"),
        (lambda run: run.pr_curve("x", [0, 1], [0, 1], step=0), "scores are int64"),
        (lambda run: run.pr_curve("x", [0], [0.5], step=0, num_thresholds=1), "num_thresholds"),
        (lambda run: run.predictions("x", y_pred=1.0, step=0), "first dimension"),
        (lambda run: run.predictions("x", y_pred=[1.0, 2.0], y_true=[1], step=0), "number of samples"),
        (lambda run: run.predictions("x", y_pred=[1.0], ids=[1, 2], step=0), "2 ids do not fit 1"),
        (lambda run: run.predictions("x", y_pred=[1.0], ids=[[1]], step=0), "ids are a list"),
        (lambda run: run.histogram("x", [1.0], step=0, phase="training"), "phase is one of"),
        (lambda run: run.text("x", "lone \ud800", step=0), "surrogate|UTF-8|utf-8"),
        (lambda run: run.graph(b""), "empty"),
        (lambda run: run.graph(""), "empty"),
    ],
)
def test_a_wrong_shape_or_word_is_refused_by_the_call(unharmed, call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call(unharmed)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("text", "one real number"),
        (None, "one real number"),
        ([1.0, 2.0], "one real number"),
        (np.zeros(3), "one real number"),
        (1 + 2j, "one real number"),
        (np.complex64(1), "one real number"),
    ],
)
def test_a_scalar_that_is_not_one_real_number_is_refused(unharmed, value, words):
    with pytest.raises(TypeError, match=words):
        unharmed.scalar("x", value, step=0)


def test_an_integer_beyond_doubles_is_refused(unharmed):
    with pytest.raises((OverflowError, ValueError)):
        unharmed.scalar("x", 10**400, step=0)


def test_hyperparameters_are_given_once(unharmed):
    unharmed.hparams({"a": 1})
    with pytest.raises(ValueError, match="recorded already"):
        unharmed.hparams({"a": 2})


def test_hyperparameters_that_were_refused_can_be_given_again(unharmed):
    with pytest.raises((ValueError, TypeError)):
        unharmed.hparams({"a": "lone \ud800"})
    unharmed.hparams({"a": "right"})


def test_something_that_is_no_graph_is_refused(unharmed):
    with pytest.raises(TypeError, match="cannot make a graph of int"):
        unharmed.graph(3)


@pytest.mark.parametrize("name", ["", "/abs", "../up", "a/../b", "a//b", ".", "a/", "zero\0", "lone \ud800"])
def test_a_name_that_leaves_the_run_is_no_sub_run(unharmed, name):
    with pytest.raises(ValueError, match="sub-run"):
        unharmed.sub(name)


def test_a_path_below_a_file_fails_at_once_with_path_and_reason(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match=rf"{re.escape(str(tmp_path / 'file' / 'run'))}.*Not a directory"):
        tap.Run(tmp_path / "file" / "run")


def test_a_path_that_is_a_file_fails_at_once_with_path_and_reason(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "file"))):
        tap.Run(tmp_path / "file")


def test_a_file_system_that_takes_no_files_fails_at_once(tmp_path):
    with pytest.raises(OSError, match="/proc/run"):
        tap.Run("/proc/run")


def test_an_empty_path_is_refused():
    with pytest.raises(ValueError, match="must not be empty"):
        tap.Run("")


def test_a_read_only_directory_fails_at_once_for_users_without_rights(tmp_path, run_program):
    os.chmod(tmp_path, 0o755)  # noqa: PTH101
    (tmp_path / "locked").mkdir()
    # The superuser may write everywhere: the program becomes nobody once it has imported what it needs.
    done = run_program(
        """
        import os, sys
        import tensortap as tap
        os.chdir(sys.argv[1])
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        else:
            os.chmod("locked", 0o555)
        for path in ("locked/run", "locked"):
            try:
                tap.Run(path)
            except OSError as error:
                print(error)
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("Permission denied" in line for line in lines)
    assert "locked/run" in lines[0] and "locked" in lines[1]


def test_a_full_queue_drops_and_counts_and_tells_afterwards(tmp_path, caplog, reader):
    noise = np.random.default_rng(0).integers(0, 255, (1024, 1024, 3), dtype=np.uint8)
    with tap.Run(tmp_path / "run", queue_bytes=noise.nbytes + 40_000) as run:
        run.image("busy", noise, step=0)  # encoding it takes the worker far longer than the calls below take
        for step in range(50):
            run.tensor("x", np.full(9000, step, np.uint8), step=step)
        dropped = run.report()["dropped"]
        assert dropped > 0
        assert "the queue is full" in run.error and "'x' at step" in run.error
    report = run.report()
    assert report["offered"] == 51 == report["written"] + report["dropped"]
    kept = reader.of_tag(run.path, "x", "tensor")
    assert len(kept) == report["written"] - 1
    assert all((capture.body == capture.step).all() for capture in kept)
    assert any("dropped" in message for message in caplog.messages)


def test_what_is_larger_than_the_queue_is_dropped_with_its_own_words(tmp_path):
    with tap.Run(tmp_path / "run", queue_bytes=1000) as run:
        run.tensor("x", np.zeros(1000), step=7)
        assert run.report()["dropped"] == 1
        assert "'x' at step 7 was dropped: it is larger than queue_bytes (1000)" in run.error


def test_waiting_for_room_loses_nothing(tmp_path, reader):
    with tap.Run(tmp_path / "run", queue_bytes=30_000, when_full="wait", wait_ms=10_000) as run:
        for step in range(200):
            run.tensor("x", np.full(9000, step, np.uint8), step=step)
    assert run.report()["dropped"] == 0 and run.error is None
    assert len(reader.of_tag(run.path, "x", "tensor")) == 200


def test_strict_raises_from_the_call_that_finds_no_room(tmp_path):
    run = tap.Run(tmp_path / "run", queue_bytes=1000, strict=True)
    run.scalar("loss", 1.0, step=0)
    with pytest.raises(OSError, match="larger than queue_bytes"):
        run.tensor("x", np.zeros(1000), step=0)
    with pytest.raises(OSError, match="larger than queue_bytes"):
        run.scalar("loss", 1.0, step=1)  # the first error stays
    with pytest.raises(OSError, match="larger than queue_bytes"):
        run.close()
    assert run.closed


def test_strict_without_trouble_is_as_any_run(tmp_path, reader):
    with tap.Run(tmp_path / "run", strict=True) as run:
        run.scalar("loss", 1.0, step=0)
    assert len(reader.scalars(run.path)["loss"]) == 1


# A limit on the size of files is as good as a full disk.
FULL_DISK = """
import resource, signal, sys
import numpy as np
import tensortap as tap
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
"""


def test_a_disk_that_fills_up_is_told_and_does_not_stop_the_program(tmp_path, run_program, reader):
    source = """
with tap.Run(sys.argv[1]) as run:
    whole = []
    for step in range(50):
        run.tensor("x", np.full(10_000, step, np.uint8), step=step)
        whole.append(run.flush())
    print(whole.count(True), whole.count(False), run.sub("val").flush(), run.sync())
    print(run.error)
report = run.report()
print(report["offered"], report["written"], report["dropped"])
"""
    done = run_program(FULL_DISK + source, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    flushes, error, counts = done.stdout.splitlines()
    offered, written, dropped = map(int, counts.split())
    assert offered == 50 == written + dropped and 15 < written < 25
    assert flushes == f"{written} {dropped} False False"
    assert "File too large" in error and str(tmp_path / "run") in error
    assert "File too large" in done.stderr  # logged for those who ask nothing
    found = reader.of_tag(tmp_path / "run", "x", "tensor")
    assert [capture.step for capture in found] == list(range(written))
    assert all((capture.body == capture.step).all() for capture in found)


def test_strict_raises_when_the_disk_is_full(tmp_path, run_program):
    source = """
run = tap.Run(sys.argv[1], strict=True)
for step in range(50):
    try:
        run.tensor("x", np.full(10_000, step, np.uint8), step=step)
        run.flush()
    except OSError as error:
        print(step, error)
        break
try:
    run.sub("val").flush()
except OSError as error:
    print("sub", error)
try:
    run.close()
except OSError as error:
    print("close", error)
"""
    done = run_program(FULL_DISK + source, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    first, sub, close = done.stdout.splitlines()
    assert 15 < int(first.split()[0]) < 25
    assert sub.startswith("sub ") and close.startswith("close ")
    assert all("File too large" in line for line in (first, sub, close))


def test_flush_is_false_once_when_something_was_dropped_since_the_last_one(tmp_path, caplog):
    with tap.Run(tmp_path / "run", queue_bytes=1000) as run:
        assert run.flush()
        run.tensor("x", np.zeros(1000), step=7)
        assert not run.flush()
        assert any("1 captures offered since the last flush were dropped" in message for message in caplog.messages)
        run.scalar("loss", 1.0, step=8)
        assert run.flush()
