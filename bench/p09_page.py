"""P9: the page on R in chromium, first chart drawn and JavaScript heap: ours and stock TensorBoard's."""

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

from log_sets import log_sets
from measure import SMOKE, emit, interleave
from viewers import Viewer, ours, tensorboard, wait_until_ours_loaded, wait_until_tensorboard_loaded

ROOT = Path(__file__).resolve().parent.parent
VISIT = Path(__file__).with_name("page_visit.mjs")
# TensorBoard's chart counts as soon as it is in the page; of 1000 runs it draws none until they are ticked.
CHARTS = {"tensortap serve": "main canvas", "TensorBoard": "line-chart"}
ROUNDS = 3


def visit(viewer: Viewer) -> dict[str, float]:
    path = subprocess.run([ROOT / "tools" / "node.sh"], capture_output=True, text=True, check=True).stdout.strip()
    command = [f"{path}/node", str(VISIT), viewer.address, CHARTS[viewer.name], "3" if SMOKE else "90"]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: the page of {viewer.name} was not drawn:\n{done.stderr}")
    return json.loads(done.stdout)


def prepare() -> None:
    """The browser, and the library that drives it."""
    subprocess.run([ROOT / "tools" / "system_packages.sh", "browser"], check=True)
    subprocess.run([ROOT / "tools" / "web.sh", "packages"], check=True, stdout=sys.stderr)


def main() -> None:
    prepare()
    with log_sets("R") as sets:
        logs = sets["R"]
        with ours(logs.folder) as mine, nullcontext() if SMOKE else tensorboard(logs.folder) as theirs:
            wait_until_ours_loaded(mine)
            visits = {"ours": lambda: visit(mine)}
            if theirs is not None:
                wait_until_tensorboard_loaded(theirs, logs.series)
                visits["tensorboard"] = lambda: visit(theirs)
            result = interleave(visits, rounds=ROUNDS, warm_up=False)
    for name, seen in result.items():
        emit("P9", name, seen["median"], min=round(seen["min"], 3), unit=name.rpartition("_")[2])
    if theirs is None:
        return
    for metric, what in (("first_chart", "first_chart_s"), ("heap", "heap_mb")):
        ratio = result[f"tensorboard_{what}"]["median"] / result[f"ours_{what}"]["median"]
        emit("P9", f"tensorboard_{metric}_over_ours", ratio)


if __name__ == "__main__":
    main()
