"""Rustboard, the data server of stock TensorBoard: one load of a log set, and what it cost.

It is started as TensorBoard starts it, with its default sampling, but loads once, and says (-v) when it has loaded.
Nothing asks it before that, so that asking costs it nothing; then it is asked whether it serves the whole set.
"""

import subprocess
import sys
import threading
import time
from pathlib import Path

from log_sets import LogSet
from measure import scratch_directory

TIMEOUT_SECONDS = 600
LARGEST_REPLY_BYTES = 256 << 20
LOADED = "Finished load cycle"


def start(logs: LogSet, port_file: Path) -> subprocess.Popen:
    import tensorboard_data_server

    command = [
        tensorboard_data_server.server_binary(),
        f"--logdir={logs.folder}",
        "--reload=once",
        "--samples-per-plugin=",
        "--port=0",
        f"--port-file={port_file}",
        "--die-after-stdin",
        "-v",
    ]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until_loaded(process: subprocess.Popen) -> None:
    said = []
    for line in process.stderr:
        if LOADED in line:
            return
        said.append(line)
    sys.exit(f"bench: rustboard ended, or took over {TIMEOUT_SECONDS} s, without '{LOADED}':\n{''.join(said[-20:])}")


def cpu_seconds(process_id: int) -> float:
    """Of all threads, also ended ones; /proc/PID/stat has the same in steps of 10 ms."""
    cpu_clock_of_process = (~process_id << 3) | 2  # what clock_getcpuclockid(3) gives
    return time.clock_gettime(cpu_clock_of_process)


def peak_memory_mb(process_id: int) -> float:
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM:"))


def last_steps(kind: str, port: int) -> list[int]:
    """The last step of every series that is served."""
    import grpc
    from tensorboard.data.proto import data_provider_pb2 as messages
    from tensorboard.data.proto import data_provider_pb2_grpc

    noun, plugin = {"H": ("Tensors", "histograms"), "I": ("BlobSequences", "images")}.get(kind, ("Scalars", "scalars"))
    request = getattr(messages, f"List{noun}Request")(plugin_filter=messages.PluginFilter(plugin_name=plugin))
    options = [("grpc.max_receive_message_length", LARGEST_REPLY_BYTES)]
    with grpc.insecure_channel(f"localhost:{port}", options) as channel:
        reply = getattr(data_provider_pb2_grpc.TensorBoardDataProviderStub(channel), f"List{noun}")(request)
    return [tag.metadata.max_step for run in reply.runs for tag in run.tags]


def check_served(logs: LogSet, port: int) -> None:
    steps = last_steps(logs.kind, port)
    whole = sum(step == logs.last_step for step in steps)
    if whole != logs.series:
        sys.exit(f"bench: rustboard serves {whole} of {logs.series} series of {logs.folder} to their last step")


def load(logs: LogSet) -> dict[str, float]:
    """CPU and wall seconds until everything is served, and the peak memory until then."""
    with scratch_directory() as scratch:
        port_file = scratch / "port"
        started = time.perf_counter()
        process = start(logs, port_file)
        too_late = threading.Timer(TIMEOUT_SECONDS, process.kill)
        too_late.start()
        try:
            wait_until_loaded(process)
            cost = {
                "cpu_s": cpu_seconds(process.pid),
                "wall_s": time.perf_counter() - started,
                "memory_mb": peak_memory_mb(process.pid),
            }
            check_served(logs, int(port_file.read_text()))
        finally:
            too_late.cancel()
            process.kill()
            process.communicate()
    return cost
