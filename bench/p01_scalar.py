"""P1: what one scalar costs on the calling thread, against tf.summary, tensorboardX, torch and a CSV line.

Ratios are kind to the peers: our wall time, with whatever made us wait, against the CPU time of their
calling thread, which leaves out how long they wait for a full queue.
"""

import time
from pathlib import Path

import tensortap as tap
from measure import SMOKE, emit, interleave, scratch_directory, seconds_of

TRACKERS = ("tensorboardX", "torch")
SCALARS_PER_FUNCTION_CALL = 10


def per_scalar(count, log, settle, scalars_per_call=1):
    """A writer for interleave(): seconds per scalar of `count` calls; settling afterwards is not timed."""
    step = 0

    def measure() -> dict[str, float]:
        nonlocal step

        def calls():
            for i in range(step, step + count):
                log(i)

        thread_started = time.thread_time()
        wall = seconds_of(calls)
        cpu = time.thread_time() - thread_started
        step += count
        settle()
        return {"wall": wall / count / scalars_per_call, "cpu": cpu / count / scalars_per_call}

    return measure


def tensorflow_writers(folder: Path):
    import tensorflow as tf

    writer = tf.summary.create_file_writer(str(folder / "tf"))

    def eager(i):
        with writer.as_default():
            tf.summary.scalar("loss", 0.5, step=i)

    @tf.function
    def ten_scalars(step):
        with writer.as_default():
            for k in range(SCALARS_PER_FUNCTION_CALL):
                tf.summary.scalar(f"loss{k}", 0.5, step=step)

    steps = [tf.constant(i, tf.int64) for i in range(16)]

    def function(i):
        ten_scalars(steps[i % 16])

    return {
        "tf_summary_eager": per_scalar(200, eager, writer.flush),
        "tf_summary_function": per_scalar(200, function, writer.flush, SCALARS_PER_FUNCTION_CALL),
    }


def tracker_writers(folder: Path):
    """tensorboardX, and torch's writer when torch is installed."""
    found = {}
    try:
        from tensorboardX import SummaryWriter

        x = SummaryWriter(str(folder / "tensorboardX"))
        found["tensorboardX"] = per_scalar(2_000, lambda i: x.add_scalar("loss", 0.5, i), x.flush)
    except ImportError:
        pass
    try:
        from torch.utils.tensorboard import SummaryWriter as TorchWriter

        t = TorchWriter(str(folder / "torch"))
        found["torch"] = per_scalar(2_000, lambda i: t.add_scalar("loss", 0.5, i), t.flush)
    except ImportError:
        pass
    return found


def scaling(folder: Path) -> None:
    """Cost per scalar, flush included, at 1x, 10x and 100x the work: it should not grow."""
    for scale in (1, 10) if SMOKE else (1, 10, 100):
        run = tap.Run(folder / f"scale{scale}")
        count = 1_000 * scale

        def work(run=run, count=count):
            for i in range(count):
                run.scalar("loss", 0.5, step=i)
            run.flush()

        emit("P1", f"scaling_{scale}x_us", seconds_of(work) / count * 1e6, unit="us per scalar, with flush")
        run.close()


def main() -> None:
    with scratch_directory() as folder:
        run = tap.Run(folder / "ours")
        csv = (folder / "loss.csv").open("w")
        writers = {
            "ours": per_scalar(20_000, lambda i: run.scalar("loss", 0.5, step=i), run.flush),
            "csv_line": per_scalar(20_000, lambda i: csv.write(f"{i},loss,{0.5}\n"), csv.flush),
            **tensorflow_writers(folder),
            **tracker_writers(folder),
        }
        result = interleave(writers, rounds=15)
        report = run.report()
        run.close()
        csv.close()

        for name, seconds in result.items():
            emit("P1", f"{name}_us", seconds["median"] * 1e6, min=round(seconds["min"] * 1e6, 3), unit="us")
        ours = result["ours_wall"]["median"]
        emit("P1", "caller_us", ours * 1e6, min=round(result["ours_wall"]["min"] * 1e6, 3), unit="us")
        ratios = {name: result[f"{name}_cpu"]["median"] / ours for name in writers if name != "ours"}
        for name, ratio in ratios.items():
            emit("P1", f"{name}_over_ours", ratio)
        trackers = [ratios[name] for name in TRACKERS if name in ratios]
        if trackers:
            emit("P1", "best_tracker_over_ours", min(trackers))
        emit("P1", "dropped", report["dropped"])
        scaling(folder)


if __name__ == "__main__":
    main()
