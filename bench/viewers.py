"""Viewers: `tensortap serve` and stock TensorBoard on the same log directory, started and asked by the benchmarks."""

import gzip
import http.client
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from loading import program

START_SECONDS = 180


@dataclass
class Viewer:
    """A web server that shows a log directory."""

    name: str
    process: subprocess.Popen
    address: str
    ready_seconds: float  # from the start of its process to its first answer

    def connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=START_SECONDS)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def ask(self, path: str) -> tuple[bytes, int]:
        """The answer, unpacked, and how many bytes of it came over the wire."""
        raw = self.fetch(path)
        return unpacked(raw), len(raw)

    def fetch(self, path: str, body: str | None = None, connection: http.client.HTTPConnection | None = None) -> bytes:
        """The answer as it came over the wire; a body makes it a POST."""
        connection = connection or self.connect()
        headers = {"Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        raw = answer.read()
        if answer.status != 200:
            sys.exit(f"bench: {self.name}: {path[:200]}: HTTP {answer.status}: {raw[:300]!r}")
        return raw

    def resident_mb(self) -> float:
        """Of the process and those that it started, now."""
        pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in family(self.process.pid))
        return pages * 4096 / 1e6


def unpacked(raw: bytes) -> bytes:
    return gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw


def family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in family(int(child)))]


@contextmanager
def ours(folder: Path, *options: str) -> Iterator[Viewer]:
    """Without a token, and on a port of its own choice."""
    with tempfile.TemporaryFile("w+") as said:
        started = time.perf_counter()
        command = [program(), "serve", str(folder), "--no-token", "--port", "0", *options]
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, text=True)
        try:
            while not (found := re.search(r"http://\S+", read_all(said))):
                if process.poll() is not None or time.perf_counter() - started > START_SECONDS:
                    sys.exit(f"bench: {' '.join(command)} did not start: {read_all(said)}")
                time.sleep(0.002)
            yield answering("tensortap serve", process, found.group(0).rstrip("/"), "/api/v1/status", started)
        finally:
            end(process)


def read_all(file) -> str:
    file.seek(0)
    return file.read()


@contextmanager
def tensorboard(folder: Path) -> Iterator[Viewer]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    command = [str(Path(sys.executable).with_name("tensorboard")), "--logdir", str(folder), "--port", str(port)]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        try:
            address = f"http://127.0.0.1:{port}"
            yield answering("TensorBoard", process, address, "/data/environment", started)
        finally:
            end(process)


def answering(name: str, process: subprocess.Popen, address: str, path: str, started: float) -> Viewer:
    viewer = Viewer(name, process, address, 0)
    while True:
        try:
            viewer.ask(path)
            viewer.ready_seconds = time.perf_counter() - started
            return viewer
        except OSError:
            if process.poll() is not None or time.perf_counter() - started > START_SECONDS:
                sys.exit(f"bench: {name} did not start on {address}")
            time.sleep(0.005)


def end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until_ours_loaded(viewer: Viewer) -> None:
    wait_until(viewer, lambda: not json.loads(viewer.ask("/api/v1/status")[0])["loading"])


def wait_until_tensorboard_loaded(viewer: Viewer, series: int) -> None:
    """Until it lists every series; it reads on, run by run, after it has begun to answer."""

    def listed() -> int:
        tags = json.loads(viewer.ask("/data/plugin/timeseries/tags")[0])["scalars"]["runTagInfo"]
        return sum(len(each) for each in tags.values())

    wait_until(viewer, lambda: listed() >= series)


def wait_until(viewer: Viewer, is_done) -> None:
    deadline = time.monotonic() + 600
    while not is_done():
        if time.monotonic() > deadline:
            sys.exit(f"bench: {viewer.name} has not read the directory in ten minutes")
        time.sleep(0.2)
