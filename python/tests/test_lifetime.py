"""How long a recorded array is held, that nobody sees it change, and that nothing leaks."""

from __future__ import annotations

import gc
import resource
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import tensortap as tap

LARGE = 10_000  # floats: too many to be reduced at once, too few to wake the worker


@pytest.fixture
def sleepy(tmp_path):
    """A run whose worker looks at small captures only when it is told to flush."""
    with tap.Run(tmp_path / "sleepy", flush_ms=60_000) as run:
        yield run


def frozen(values: np.ndarray) -> np.ndarray:
    values.flags.writeable = False
    return values


@pytest.mark.parametrize("kind", ["tensor", "histogram"])
def test_a_writable_array_may_change_right_after_the_call(sleepy, read_back, kind):
    values = np.arange(5000, dtype=np.float32)
    getattr(sleepy, kind)("x", values, step=0)
    values[:] = -1
    (found,) = read_back(sleepy, "x", {"tensor": "tensor", "histogram": "stats"}[kind])
    assert found.max() == 4999 if kind == "tensor" else found.max == 4999


def test_a_writable_array_is_not_held(sleepy):
    values = np.arange(5000, dtype=np.float32)
    references = sys.getrefcount(values)
    sleepy.tensor("x", values, step=0)
    assert sys.getrefcount(values) == references


def test_a_read_only_view_of_a_writable_array_is_copied(sleepy, read_back):
    owner = np.arange(10.0)
    views = [frozen(owner[:]), np.broadcast_to(owner, (2, 10)), frozen(owner[::2]), frozen(owner.view(np.int64))]
    wanted = [view.copy() for view in views]
    for step, view in enumerate(views):
        sleepy.tensor("x", view, step=step)
    owner[:] = -1
    for found, value in zip(read_back(sleepy, "x"), wanted, strict=True):
        assert np.array_equal(found, value)


def test_a_read_only_view_of_writable_memory_is_copied(sleepy, read_back):
    memory = bytearray(b"abcd")
    views = [frozen(np.frombuffer(memory, np.uint8)), memoryview(memory).toreadonly()]
    for step, view in enumerate(views):
        sleepy.tensor("x", view, step=step)
    memory[:] = b"zzzz"
    assert [found.tobytes() for found in read_back(sleepy, "x")] == [b"abcd"] * 2


def test_a_read_only_array_is_held_by_reference_until_it_is_written(sleepy):
    values = frozen(np.arange(LARGE, dtype=np.float32))
    alive = weakref.ref(values)
    sleepy.tensor("x", values, step=0)
    before = sleepy.report()["queue_bytes"]
    assert before >= values.nbytes
    del values
    sleepy.flush()
    sleepy.scalar("next call", 1.0, step=0)
    gc.collect()
    assert alive() is None
    assert sleepy.report()["queue_bytes"] < before


def test_a_read_only_array_outlives_its_last_name_while_it_waits(sleepy, read_back):
    values = frozen(np.full(5000, 7, np.float32))
    alive = weakref.ref(values)
    sleepy.tensor("x", values, step=0)
    del values
    gc.collect()
    assert alive() is not None
    # Memory that was given back would be used again by these.
    others = [np.zeros(5000, np.float32) for _ in range(50)]
    assert len(others) == 50
    assert (read_back(sleepy, "x")[0] == 7).all()


def test_held_arrays_are_released_when_the_run_is_closed(tmp_path):
    values = frozen(np.arange(LARGE, dtype=np.float32))
    alive = weakref.ref(values)
    run = tap.Run(tmp_path / "run", flush_ms=60_000)
    run.tensor("x", values, step=0)
    del values
    run.close()
    gc.collect()
    assert alive() is None


def test_an_array_that_was_dropped_is_not_held(tmp_path):
    values = frozen(np.arange(LARGE, dtype=np.float32))
    alive = weakref.ref(values)
    with tap.Run(tmp_path / "run", queue_bytes=1000) as run:
        run.tensor("x", values, step=0)
        assert run.report()["dropped"] == 1
        del values
        run.scalar("next call", 1.0, step=0)
        gc.collect()
        assert alive() is None


def test_an_array_of_a_refused_call_is_not_held(run):
    values = frozen(np.arange(LARGE, dtype=np.float32))
    alive = weakref.ref(values)
    with pytest.raises(ValueError, match="empty"):
        run.tensor("", values, step=0)
    del values
    run.scalar("next call", 1.0, step=0)
    gc.collect()
    assert alive() is None


@pytest.mark.needs_tensorflow
def test_an_eager_tensor_outlives_its_last_name_while_it_waits(sleepy, read_back):
    import tensorflow as tf

    value = tf.random.stateless_normal([5000], [1, 2])
    wanted = value.numpy().copy()
    sleepy.tensor("x", value, step=0)
    del value
    gc.collect()
    # Memory that was given back would be used again by these.
    others = [tf.zeros([5000]) + number for number in range(50)]
    assert len(others) == 50
    assert np.array_equal(read_back(sleepy, "x")[0], wanted)


@pytest.mark.needs_tensorflow
def test_eager_tensors_are_released_once_they_are_written(tmp_path):
    import tensorflow as tf

    megabytes = 4
    with tap.Run(tmp_path / "run", when_full="wait", wait_ms=10_000) as run:

        def record(count: int) -> int:
            for step in range(count):
                run.tensor("x", tf.fill([megabytes << 18], float(step)), step=step)
                run.flush()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = record(10)
        assert record(40) - before < 10 * megabytes * 1024
    assert run.report()["dropped"] == 0


def settled_memory(calls, warm_up: int = 2000) -> tuple[int, int]:
    """Objects and KiB of memory that many calls leave behind."""
    calls(warm_up)
    gc.collect()
    objects = len(gc.get_objects())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(10_000)
    gc.collect()
    return len(gc.get_objects()) - objects, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory


@pytest.mark.parametrize("kind", ["scalar", "tensor", "frozen tensor", "histogram", "text", "refused"])
def test_ten_thousand_calls_leave_nothing_behind(tmp_path, kind):
    values = np.arange(1000, dtype=np.float32)
    fixed = frozen(values.copy())
    with tap.Run(tmp_path / "run", when_full="wait", wait_ms=10_000, tensorboard=False) as run:

        def refused(step: int) -> None:
            with pytest.raises(ValueError, match="empty"):
                run.tensor("", fixed, step=step)

        call = {
            "scalar": lambda step: run.scalar("x", 1.5, step=step),
            "tensor": lambda step: run.tensor("x", values, step=step),
            "frozen tensor": lambda step: run.tensor("x", fixed[:10], step=step),
            "histogram": lambda step: run.histogram("x", values, step=step),
            "text": lambda step: run.text("x", "some text", step=step),
            "refused": refused,
        }[kind]

        def calls(count: int) -> None:
            for step in range(count):
                call(step)
            run.flush()

        references = sys.getrefcount(values), sys.getrefcount(fixed)
        objects, kibibytes = settled_memory(calls)
        assert (sys.getrefcount(values), sys.getrefcount(fixed)) == references
    assert objects < 100
    assert kibibytes < 20_000
    assert run.report()["dropped"] == 0


def own_threads() -> list[str]:
    """The threads of ours, among those that TensorFlow starts and ends as it likes."""
    names = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    return [name for name in names if name == "tensortap"]


def open_files_below(directory: Path) -> list[Path]:
    targets = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            targets.append(link.readlink())
        except FileNotFoundError:
            continue  # closed by another thread meanwhile
    return [target for target in targets if target.is_relative_to(directory)]


def test_opening_and_closing_runs_leaves_no_threads_and_no_files_open(tmp_path):
    before = len(own_threads())
    for number in range(50):
        with tap.Run(tmp_path / "run", mode="join") as run:
            run.scalar("x", 1.0, step=number)
            run.sub("val").tensor("x", [1.0], step=number)
            run.flush()
            assert len(own_threads()) == before + 1
            assert len(open_files_below(tmp_path)) == 3
    assert len(own_threads()) == before
    assert open_files_below(tmp_path) == []


def test_eight_threads_lose_nothing_and_keep_their_order(tmp_path, reader):
    each = 2000
    with tap.Run(tmp_path / "run") as run:

        def work(number: int) -> None:
            own = frozen(np.full(50, number, np.int16))
            for step in range(each):
                run.scalar(f"s{number}", float(step), step=step)
                if step % 20 == 0:
                    run.tensor(f"t{number}", own, step=step)
                    run.histogram("shared", own, step=step)

        workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    report = run.report()
    assert report["offered"] == report["written"] == 8 * (each + 2 * each // 20)
    scalars = reader.scalars(run.path)
    captures = reader.captures(run.path)
    for number in range(8):
        assert [point.step for point in scalars[f"s{number}"]] == list(range(each))
        own = [capture for capture in captures if capture.tag == f"t{number}"]
        assert [capture.step for capture in own] == list(range(0, each, 20))
        assert all((capture.body == number).all() for capture in own)
    shared = [capture.sequence for capture in captures if capture.tag == "shared"]
    assert shared == list(range(8 * each // 20))
    times = [point.wall_time for points in scalars.values() for point in points]
    assert len(times) == 8 * each


def test_a_run_may_be_closed_while_threads_record(tmp_path, reader):
    run = tap.Run(tmp_path / "run")
    refused = []
    stop = threading.Event()

    def work() -> None:
        step = 0
        while not stop.is_set():
            try:
                run.tensor("x", np.full(100, step, np.int32), step=step)
            except ValueError as error:
                refused.append(str(error))
                return
            step += 1

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    while run.report()["written"] < 100:
        run.flush()
    run.close()
    for worker in workers:
        worker.join(20)
        assert not worker.is_alive()
    stop.set()
    assert len(refused) == 4 and all("is closed" in message for message in refused)
    report = run.report()
    assert report["offered"] == report["written"] + report["dropped"]
    captures = reader.captures(run.path)
    assert captures[-1].kind == "end"
    assert len([capture for capture in captures if capture.kind == "tensor"]) == report["written"]
