"""Runs fit_steps.py in a process of its own, and prints what it found."""

import json
import subprocess
import sys
from pathlib import Path

from measure import emit

HERE = Path(__file__).resolve().parent


def run_fits(model: str, *contenders: str) -> dict[str, dict[str, float]]:
    command = [sys.executable, str(HERE / "fit_steps.py"), model, *contenders]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}\n{' '.join(command)} failed")
    results = json.loads(done.stdout.splitlines()[-1])
    results.pop("rounds")
    return results


def emit_results(bar: str, model: str, results: dict[str, dict[str, float]]) -> None:
    for name, found in results.items():
        if name == "plain":
            emit(bar, f"{model}_plain_step_ms", found["step_ms"], unit="ms")
            continue
        emit(bar, f"{model}_{name}_over_plain_wall", found["wall"], min=round(found["wall_min"], 6))
        emit(bar, f"{model}_{name}_over_plain_cpu", found["cpu"])
