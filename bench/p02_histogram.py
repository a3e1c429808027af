"""P2: a histogram of 1 M floats: caller time, total CPU; extra memory for 16 M floats."""

import json
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

import tensortap as tap
from measure import SMOKE, cpu_seconds_of, emit, interleave, scratch_directory, seconds_of

ELEMENTS = 100_000 if SMOKE else 1_000_000
MEMORY_ELEMENTS = 1_000_000 if SMOKE else 16_000_000
PEERS = ("tf_summary", "tensorboardX", "torch")


def values(count: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(count, dtype=np.float32)


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.flags.writeable = False
    return array


class Peer:
    """One other writer: log(array, step) and flush()."""

    def __init__(self, name: str, folder: Path):
        if name == "tf_summary":
            import tensorflow as tf

            writer = tf.summary.create_file_writer(str(folder / name))

            def log(array, step):
                with writer.as_default():
                    tf.summary.histogram("w", array, step=step)

            self.log, self.flush = log, writer.flush
            return
        if name == "tensorboardX":
            from tensorboardX import SummaryWriter
        else:
            from torch.utils.tensorboard import SummaryWriter
        writer = SummaryWriter(str(folder / name))
        self.log, self.flush = lambda array, step: writer.add_histogram("w", array, step), writer.flush


def caller_time(folder: Path) -> None:
    """Seconds on the calling thread, for a buffer that can be kept and one that must be copied."""
    import tensorflow as tf

    run = tap.Run(folder / "caller")
    array, target = values(ELEMENTS), values(ELEMENTS)
    kept, eager = read_only(array), tf.constant(array)
    steps = iter(range(10**9))
    writers = {
        "memcpy": lambda: seconds_of(lambda: np.copyto(target, array)),
        "kept_array": lambda: seconds_of(lambda: run.histogram("kept", kept, step=next(steps))),
        "kept_eager_tensor": lambda: seconds_of(lambda: run.histogram("eager", eager, step=next(steps))),
        "copied": lambda: seconds_of(lambda: run.histogram("copied", array, step=next(steps))),
    }
    result = interleave(writers, rounds=40, before_each=run.flush)
    dropped = run.report()["dropped"]
    run.close()
    for name, seconds in result.items():
        emit("P2", f"{name}_ms", seconds["median"] * 1e3, min=round(seconds["min"] * 1e3, 4), unit="ms")
    kept_seconds = max(result["kept_array"]["median"], result["kept_eager_tensor"]["median"])
    emit("P2", "kept_caller_ms", kept_seconds * 1e3)
    emit("P2", "copied_over_memcpy", result["copied"]["median"] / result["memcpy"]["median"])
    emit("P2", "dropped", dropped)


def writer_of(name: str, folder: Path) -> tuple:
    """(log, flush) of ours or of a peer."""
    if name in ("kept", "copied"):
        run = tap.Run(folder / name)
        return lambda array, step: run.histogram("w", array, step=step), run.flush
    peer = Peer(name, folder)
    return peer.log, peer.flush


def cpu_of(writer: str, folder: Path) -> None:
    """Runs in a fresh process, where no other writer's threads are: prints CPU seconds of several histograms."""
    log, flush = writer_of(writer, folder)
    array = read_only(values(ELEMENTS))

    def work(step):
        log(array, step)
        flush()

    work(0)
    print(json.dumps([cpu_seconds_of(lambda step=step: work(step)) for step in range(1, 4 if SMOKE else 13)]))


def in_fresh_process(task: str, writer: str, folder: Path) -> str | None:
    """The last line it printed; None when the writer is not installed."""
    done = subprocess.run(
        [sys.executable, __file__, task, writer, str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return done.stdout.splitlines()[-1]
    if "ModuleNotFoundError" not in done.stderr:
        sys.exit(f"{writer}: {done.stderr}")
    print(json.dumps({"bar": "P2", "note": f"{writer} is not installed"}), flush=True)
    return None


def total_cpu(folder: Path) -> None:
    """CPU seconds of the process for one histogram, worker threads and flush included."""
    samples: dict[str, list[float]] = {}
    for turn in range(1 if SMOKE else 3):
        for writer in ("kept", *PEERS):
            line = in_fresh_process("--cpu-of", writer, folder / f"cpu{turn}")
            if line is not None:
                samples.setdefault(writer, []).extend(json.loads(line))
    median = {name: statistics.median(values) for name, values in samples.items()}
    for name, seconds in samples.items():
        label = "ours" if name == "kept" else name
        emit("P2", f"{label}_cpu_ms", median[name] * 1e3, min=round(min(seconds) * 1e3, 3), unit="ms")
    if len(median) > 1:
        best = min(median[name] for name in PEERS if name in median)
        emit("P2", "best_peer_cpu_over_ours", best / median["kept"])


def memory_of(writer: str, folder: Path) -> None:
    """Runs in a fresh process: prints the bytes that one histogram adds to the peak, over the tensor's."""
    array = values(MEMORY_ELEMENTS)
    array.flags.writeable = writer != "kept"
    log, flush = writer_of(writer, folder)
    log(values(1000), 0)  # what a first call loads is not the tensor's cost
    flush()
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = status_bytes("VmRSS")
    log(array, 1)
    flush()
    print((status_bytes("VmHWM") - before) / array.nbytes)


def status_bytes(field: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def extra_memory(folder: Path) -> None:
    for writer in ("kept", "copied", *PEERS):
        line = in_fresh_process("--memory-of", writer, folder)
        if line is not None:
            emit("P2", f"{writer}_extra_memory_over_tensor", float(line))


def scaling(folder: Path) -> None:
    """Total CPU per element at 1x, 10x and 100x the elements: it should not grow."""
    run = tap.Run(folder / "scaling")
    for scale in (1, 10) if SMOKE else (1, 10, 100):
        array = read_only(values(100_000 * scale))

        def work(array=array, step=scale):
            run.histogram("w", array, step=step)
            run.flush()

        work()
        best = min(cpu_seconds_of(work) for _ in range(3))
        emit("P2", f"scaling_{scale}x_ns", best / array.size * 1e9, unit="ns CPU per float, with flush")
    run.close()


def main() -> None:
    with scratch_directory() as folder:
        caller_time(folder)
        total_cpu(folder)
        extra_memory(folder)
        scaling(folder)


if __name__ == "__main__":
    tasks = {"--memory-of": memory_of, "--cpu-of": cpu_of}
    if sys.argv[1:2] and sys.argv[1] in tasks:
        tasks[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
    else:
        main()
