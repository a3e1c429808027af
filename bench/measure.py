"""How the benchmarks measure and print: interleaved rounds, JSON lines."""

import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SMOKE = bool(os.environ.get("BENCH_SMOKE"))  # one short round: does it run at all?


def emit(bar: str, metric: str, value: float, **more) -> None:
    """One measurement, for bench/run.py and for eyes."""
    print(json.dumps({"bar": bar, "metric": metric, "value": round(value, 6), **more}), flush=True)


@contextmanager
def scratch_directory() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="tensortap-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def interleave(
    writers: dict[str, Callable[[], dict[str, float] | float]],
    rounds: int,
    before_each: Callable[[], None] = lambda: None,
    warm_up: bool = True,
) -> dict[str, dict[str, float]]:
    """Calls every writer once a round, so that all meet the same noise; min and median of their values.

    A writer that returns several named values gives one entry each: writer_name. A first round that is not counted
    warms up; those that run in processes of their own need none.
    """
    samples: dict[str, list[float]] = {}
    for measured in range(-1 if warm_up else 0, 1 if SMOKE else rounds):
        for name, writer in writers.items():
            before_each()
            value = writer()
            if measured < 0:
                continue
            named = {f"{name}_{k}": v for k, v in value.items()} if isinstance(value, dict) else {name: value}
            for key, each in named.items():
                samples.setdefault(key, []).append(each)
    return {name: {"min": min(s), "median": statistics.median(s)} for name, s in samples.items()}


def seconds_of(work: Callable[[], None]) -> float:
    """Wall seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def cpu_seconds_of(work: Callable[[], None]) -> float:
    """CPU seconds of the whole process, its worker threads too."""
    started = time.process_time()
    work()
    return time.process_time() - started
