"""P6: peak memory of loading 1000 runs with all 10 M points, against rustboard."""

import rustboard
from loading import emit_costs, load, ratio
from log_sets import LogSet, log_sets
from measure import emit, interleave

SCALING = ("R@0.01", "R@0.1", "R")


def against_rustboard(logs: LogSet) -> None:
    readers = {"ours": lambda: load(logs), "rustboard": lambda: rustboard.load(logs)}
    result = interleave(readers, rounds=3, warm_up=False)
    memory = {metric: seen for metric, seen in result.items() if metric.endswith("memory_mb")}
    emit_costs("P6", memory, "R")
    emit("P6", "rustboard_memory_over_ours", **ratio(memory, "rustboard_memory_mb", "ours_memory_mb"))


def scaling(sets: dict[str, LogSet]) -> None:
    """Our bytes for one point at 1x, 10x and 100x the runs: they should not grow (the program itself counts too)."""
    for name in SCALING:
        bytes_per_point = load(sets[name])["memory_mb"] * 1e6 / sets[name].scalars
        emit("P6", f"scaling_{name}_bytes", bytes_per_point, unit="bytes per point")


def main() -> None:
    with log_sets(*SCALING) as sets:
        against_rustboard(sets["R"])
        scaling(sets)


if __name__ == "__main__":
    main()
