"""P7: starting again on a directory that was loaded before: the index cache against our own cold load."""

import shutil
import sys
from pathlib import Path

from loading import emit_costs, load, ratio
from log_sets import LogSet, log_sets
from measure import emit, interleave, scratch_directory


def bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def loads(logs: LogSet, cache: Path) -> dict:
    """Three loads for interleave(), in this order: without a cache, with one that it has to fill, with a full one."""

    def filling() -> dict[str, float]:
        shutil.rmtree(cache, ignore_errors=True)
        return load(logs, cache=cache)

    return {"cold": lambda: load(logs), "filling": filling, "warm": lambda: load(logs, cache=cache)}


def warm_start(name: str, logs: LogSet, cache: Path) -> None:
    result = interleave(loads(logs, cache), rounds=5, warm_up=False)
    cache_bytes = bytes_below(cache)
    shutil.rmtree(cache, ignore_errors=True)
    if cache_bytes == 0:
        sys.exit("bench: `tensortap ls` left nothing in TENSORTAP_CACHE_DIR: there is no warm start")
    emit_costs("P7", result, name)
    emit("P7", f"cold_over_warm_{name}", **ratio(result, "cold_wall_s", "warm_wall_s"))
    emit("P7", f"cold_over_warm_cpu_{name}", **ratio(result, "cold_cpu_s", "warm_cpu_s"))
    emit("P7", f"filling_over_cold_{name}", **ratio(result, "filling_wall_s", "cold_wall_s"))
    emit("P7", f"filling_over_cold_cpu_{name}", **ratio(result, "filling_cpu_s", "cold_cpu_s"))
    emit("P7", f"cache_over_logs_{name}", cache_bytes / logs.bytes, unit="bytes of cache per byte of logs")


def main() -> None:
    with log_sets("S", "R") as sets, scratch_directory() as scratch:
        for name, logs in sets.items():
            warm_start(name, logs, scratch / name)


if __name__ == "__main__":
    main()
