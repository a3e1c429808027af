"""P10: how soon the server answers on a small directory, and the memory that it then has; beside stock TensorBoard."""

import statistics

from log_sets import LogSet, log_sets
from measure import SMOKE, emit
from viewers import ours, tensorboard, wait_until_ours_loaded

SMALL = "R@0.01"  # ten runs
ROUNDS = 7


def start_ours(logs: LogSet) -> tuple[float, float]:
    """Ready is: its API answers. The memory is what it has when a page has been fetched and everything is read."""
    with ours(logs.folder) as viewer:
        wait_until_ours_loaded(viewer)
        viewer.ask("/")
        viewer.ask("/api/v1/runs")
        viewer.ask("/api/v1/tags")
        return viewer.ready_seconds, viewer.resident_mb()


def start_tensorboard(logs: LogSet) -> tuple[float, float]:
    with tensorboard(logs.folder) as viewer:
        viewer.ask("/")
        viewer.ask("/data/plugin/timeseries/tags")
        return viewer.ready_seconds, viewer.resident_mb()


def main() -> None:
    with log_sets(SMALL) as sets:
        logs = sets[SMALL]
        mine = [start_ours(logs) for _ in range(1 if SMOKE else ROUNDS)]
        theirs = [start_tensorboard(logs) for _ in range(0 if SMOKE else 2)]
    seconds, memory = zip(*mine, strict=True)
    emit("P10", "ready_seconds", statistics.median(seconds), min=round(min(seconds), 4), unit="s")
    emit("P10", "resident_mb", statistics.median(memory), min=round(min(memory), 2), unit="MB")
    if not theirs:
        return
    seconds, memory = zip(*theirs, strict=True)
    emit("P10", "tensorboard_ready_seconds", statistics.median(seconds), min=round(min(seconds), 3), unit="s")
    emit("P10", "tensorboard_resident_mb", statistics.median(memory), min=round(min(memory), 1), unit="MB")


if __name__ == "__main__":
    main()
