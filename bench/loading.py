"""How the loading benchmarks load a log set with our program, and print what was measured."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from log_sets import LogSet
from measure import emit, scratch_directory

CHILD_COST = Path(__file__).with_name("child_cost.py")
UNITS = {"cpu_s": "s CPU", "wall_s": "s", "memory_mb": "MB"}

Result = dict[str, dict[str, float]]  # of interleave()


def program() -> str:
    """The tensortap beside this Python; TENSORTAP_PROGRAM names another one."""
    named = os.environ.get("TENSORTAP_PROGRAM") or str(Path(sys.executable).with_name("tensortap"))
    found = shutil.which(named)
    if found is None:
        sys.exit(f"bench: there is no program {named}; `make build` makes it")
    return found


def check_points(logs: LogSet, answer: Path) -> None:
    """A load that loses points is not fast."""
    try:
        points = json.loads(answer.read_text())["points"]
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f'bench: `tensortap ls --json` on {logs.folder} gave no JSON with "points": {error!r}')
    if logs.scalars and points != logs.scalars:
        sys.exit(f"bench: `tensortap ls` kept {points} of the {logs.scalars} scalars of {logs.folder}")


def load(logs: LogSet, *, cache: Path | None = None) -> dict[str, float]:
    """CPU and wall seconds of a whole `tensortap ls`, and its peak memory; without a cache unless one is given."""
    with scratch_directory() as scratch:
        answer = scratch / "answer.json"
        command = [program(), "ls", str(logs.folder), "--json"]
        if cache is None:
            command.append("--no-cache")
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(CHILD_COST), str(answer), *command],
            env=os.environ | ({"TENSORTAP_CACHE_DIR": str(cache)} if cache else {}),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} failed:\n{done.stderr}")
        check_points(logs, answer)
    return json.loads(done.stdout)


def emit_costs(bar: str, result: Result, name: str) -> None:
    """A row for each measurement of interleave(), such as ours_cpu_s_S."""
    for metric, seen in result.items():
        unit = next(unit for ending, unit in UNITS.items() if metric.endswith(ending))
        emit(bar, f"{metric}_{name}", seen["median"], min=round(seen["min"], 6), unit=unit)


def ratio(result: Result, above: str, below: str) -> dict[str, float]:
    """Of the medians; min is the ratio of the two best."""
    over = {which: result[above][which] / result[below][which] for which in ("median", "min")}
    return {"value": over["median"], "min": round(over["min"], 6)}
