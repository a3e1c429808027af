"""R8: wrk with 64 connections, slow clients beside it, while a writer adds 50,000 points a second.

Counted: answers of 500 and above, refused or broken connections, file descriptors that stay open, memory that stays
beyond what the added points take.
"""

import json
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

from measure import SMOKE, emit, scratch_directory
from viewers import Viewer, ours, wait_until, wait_until_ours_loaded

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 2 if SMOKE else 30
CONNECTIONS, SLOW_READERS, SLOW_WRITERS = 64, 12, 12
POINTS_PER_SECOND = 50_000
TAGS = [f"train/metric_{number}" for number in range(20)]

LUA = """
local paths = { %s }
local next_path = 0
local threads = {}
failed, refused = 0, 0
function setup(thread) table.insert(threads, thread) end
function request()
  next_path = next_path %% #paths + 1
  return wrk.format("GET", paths[next_path])
end
function response(status)
  if status >= 500 then failed = failed + 1 elseif status >= 400 then refused = refused + 1 end
end
function done(summary, latency)
  local all_failed, all_refused = 0, 0
  for _, thread in ipairs(threads) do
    all_failed = all_failed + thread:get("failed")
    all_refused = all_refused + thread:get("refused")
  end
  local e = summary.errors
  print(string.format("COUNTED %%d %%d %%d %%d %%f %%f", summary.requests, all_failed, all_refused,
        e.connect + e.read + e.write + e.timeout, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
"""

WRITER = """
import sys, time
import numpy as np
import tensortap as tap
per_second, tags = int(sys.argv[2]), sys.argv[3].split(",")
with tap.Run(sys.argv[1] + "/growing") as run:
    values = np.random.default_rng(0).random(1000).tolist()
    started, step = time.monotonic(), 0
    while True:
        for _ in range(50):
            for tag in tags:
                run.scalar(tag, values[step % 1000], step=step)
            step += 1
        if step % 1000 == 0:
            run.histogram("weights/dense/kernel", np.asarray(values), step=step)
        ahead = step * len(tags) / per_second - (time.monotonic() - started)
        if ahead > 0:
            time.sleep(ahead)
"""


def write_still_runs(folder: Path) -> None:
    import numpy as np

    import tensortap as tap

    random = np.random.default_rng(1)
    for name in ("a", "b", "c"):
        with tap.Run(folder / name) as run:
            for step in range(2000):
                run.scalar("train/loss", random.random(), step=step)
            for step in range(0, 200, 10):
                run.histogram("activations/dense", random.normal(size=1000), step=step)
                run.histogram("weights/dense/kernel", random.normal(size=1000), step=step)
            run.tensor("values", random.normal(size=(64, 64)), step=0)
            run.image("picture", random.random((4, 32, 32, 3)), step=0)
            run.text("note", "# A note", step=0)


def routes(viewer: Viewer) -> list[str]:
    """The page and one of each kind of question."""
    page = viewer.ask("/")[0].decode()
    script = re.search(r'src="\.?/?([^"]+\.js)"', page)
    growing = "&".join(f"tag={quote(tag, safe='')}" for tag in TAGS[:4])
    asked = [
        "status",
        "runs",
        "tags",
        "series?run=a",
        "latest",
        "layers?run=a",
        "health",
        f"scalars?run=growing&{growing}",
        "scalars?run=a&run=b&run=c&tag=train%2Floss",
        "scalars?run=a&tag=train%2Floss&format=csv",
        "stats?run=a&tag=weights%2Fdense%2Fkernel",
        "network?run=a&run=b&of=activations&stat=rms&columns=200",
        "histograms?run=a&tag=activations%2Fdense",
        "tensor?run=a&tag=values&step=0",
        "image?run=a&tag=picture&step=0",
        "text?run=a&tag=note",
    ]
    return ["/", *([f"/{script.group(1)}"] if script else []), *(f"/api/v1/{each}" for each in asked)]


class SlowClients:
    """Those that read a byte at a time, and those that never finish their question."""

    def __init__(self, viewer: Viewer) -> None:
        parts = urlsplit(viewer.address)
        self._place = (parts.hostname, parts.port)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._read_slowly, daemon=True) for _ in range(SLOW_READERS)]
        self._threads += [threading.Thread(target=self._ask_slowly, daemon=True) for _ in range(SLOW_WRITERS)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _read_slowly(self) -> None:
        while not self._stop.is_set():
            with socket.create_connection(self._place) as connection:
                connection.sendall(
                    b"GET /api/v1/scalars?run=a&tag=train%2Floss&format=csv HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                )
                self._drip(lambda connection=connection: connection.recv(1))

    def _ask_slowly(self) -> None:
        while not self._stop.is_set():
            with socket.create_connection(self._place) as connection:
                letters = iter(b"GET /api/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " + b"x" * 4000)
                self._drip(lambda to=connection, left=letters: to.send(bytes([next(left)])))

    def _drip(self, once) -> None:
        """Until the server has had enough of it."""
        try:
            while not self._stop.wait(0.1):
                if not once():
                    return
        except (OSError, StopIteration):
            return


def load(viewer: Viewer, scratch: Path) -> dict[str, float]:
    script = scratch / "routes.lua"
    script.write_text(LUA % ", ".join(json.dumps(path) for path in routes(viewer)))
    command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "10s", "-s", str(script), viewer.address]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counted = re.search(r"COUNTED (.+)", done.stdout)
    if done.returncode != 0 or counted is None:
        sys.exit(f"bench: wrk failed: {done.stdout}{done.stderr}")
    names = ("requests", "server_errors", "client_errors", "broken_connections", "median_ms", "p99_ms")
    return dict(zip(names, map(float, counted.group(1).split()), strict=True))


def open_files(viewer: Viewer) -> int:
    return len(list(Path(f"/proc/{viewer.process.pid}/fd").iterdir()))


def points_of_growing(viewer: Viewer) -> int:
    runs = json.loads(viewer.ask("/api/v1/runs")[0])["runs"]
    return next((run["points"] for run in runs if run["name"] == "growing"), 0)


def main() -> None:
    subprocess.run([ROOT / "tools" / "system_packages.sh", "bench"], check=True, stdout=sys.stderr)
    with scratch_directory() as scratch:
        logs = scratch / "runs"
        write_still_runs(logs)
        with ours(logs) as viewer:
            wait_until_ours_loaded(viewer)
            command = [sys.executable, "-c", WRITER, str(logs), str(POINTS_PER_SECOND), ",".join(TAGS)]
            writer = subprocess.Popen(command)
            try:
                wait_until(viewer, lambda: points_of_growing(viewer) > POINTS_PER_SECOND)
                load(viewer, scratch)  # what it takes once: threads, buffers, caches
                files, memory, points = open_files(viewer), viewer.resident_mb(), points_of_growing(viewer)
                started = time.monotonic()
                slow = SlowClients(viewer)
                counted = load(viewer, scratch)
                slow.stop()
                added, seconds = points_of_growing(viewer) - points, time.monotonic() - started
                wait_until(viewer, lambda: open_files(viewer) <= files or time.monotonic() - started > seconds + 60)
                left, grown = open_files(viewer) - files, viewer.resident_mb() - memory
            finally:
                writer.kill()
                writer.wait()
    for name, value in counted.items():
        emit("R8", name, value)
    emit("R8", "points_added_per_second", added / seconds)
    emit("R8", "file_descriptors_left", left)
    emit("R8", "memory_grown_mb", grown, unit="MB")
    emit("R8", "memory_bytes_per_added_point", grown * 1e6 / max(added, 1))


if __name__ == "__main__":
    main()
