"""P5: loading a log directory, every point kept and every CRC checked, against rustboard and TensorBoard's loader.

Ratios are kind to the peers: ours is a whole process from start to end, rustboard's runs until it has loaded,
and the Python loader's time is without its imports. Rustboard keeps 1000 points a tag and checks no CRC of data.
"""

import json
import subprocess
import sys
import time

import rustboard
from loading import emit_costs, load, ratio
from log_sets import LogSet, log_sets
from measure import emit, interleave

ROUNDS = {"S": 3, "S2": 1, "R": 3, "T": 9, "H": 9, "I": 9}
SMALL = "S@0.05"  # what the Python loader is given: it needs 13 s for it
SCALING = ("S@0.01", "S@0.1", "S")


def against_rustboard(name: str, logs: LogSet) -> None:
    readers = {"ours": lambda: load(logs), "rustboard": lambda: rustboard.load(logs)}
    result = interleave(readers, ROUNDS[name], warm_up=False)
    emit_costs("P5", result, name)
    for metric in ("cpu", "wall"):
        over = ratio(result, f"rustboard_{metric}_s", f"ours_{metric}_s")
        emit("P5", f"rustboard_{metric}_over_ours_{name}", **over)


def run_python_loader(folder: str) -> None:
    """Runs in a fresh process: prints CPU seconds and the number of scalars of TensorBoard's Python loader."""
    from tensorboard.backend.event_processing import event_accumulator
    from tensorboard.compat import tf

    assert tf.io.gfile.exists(folder)  # imports TensorFlow, whose record reader it uses
    everything = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    started = time.process_time()
    accumulator = event_accumulator.EventAccumulator(folder, size_guidance=everything)
    accumulator.Reload()
    seconds = time.process_time() - started
    print(json.dumps([seconds, sum(len(accumulator.Scalars(tag)) for tag in accumulator.Tags()["scalars"])]))


def against_python(logs: LogSet) -> None:
    command = [sys.executable, __file__, "--python-loader", str(logs.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: TensorBoard's Python loader failed:\n{done.stderr}")
    seconds, scalars = json.loads(done.stdout.splitlines()[-1])
    if scalars != logs.scalars:
        sys.exit(f"bench: TensorBoard's Python loader kept {scalars} of {logs.scalars} scalars")
    result = interleave({"ours": lambda: load(logs)}, rounds=3)
    emit("P5", "python_cpu_s_Ss", seconds, unit="s CPU, for 1/20 of S")
    emit("P5", "ours_cpu_s_Ss", result["ours_cpu_s"]["median"], min=round(result["ours_cpu_s"]["min"], 6), unit="s CPU")
    emit("P5", "python_cpu_over_ours_Ss", seconds / result["ours_cpu_s"]["median"])


def scaling(sets: dict[str, LogSet]) -> None:
    """Our CPU for one event at 1x, 10x and 100x the events: it should not grow."""
    for name in SCALING:
        logs = sets[name]
        result = interleave({"ours": lambda logs=logs: load(logs)}, rounds=3, warm_up=False)
        nanos = {which: seconds / logs.events * 1e9 for which, seconds in result["ours_cpu_s"].items()}
        emit("P5", f"scaling_{name}_ns", nanos["median"], min=round(nanos["min"], 3), unit="ns CPU per event")


def main() -> None:
    with log_sets(*ROUNDS, SMALL, *(name for name in SCALING if name not in ROUNDS)) as sets:
        for name in ROUNDS:
            against_rustboard(name, sets[name])
        scaling(sets)
        against_python(sets[SMALL])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--python-loader"]:
        run_python_loader(sys.argv[2])
    else:
        main()
