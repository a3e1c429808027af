"""What the tests of the server share: log directories recorded by ourselves, and servers started on them."""

from __future__ import annotations

import functools
import gzip
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


@pytest.fixture(scope="session")
def program() -> str:
    """The tensortap beside this Python; TENSORTAP_PROGRAM names another one."""
    return str(Path(os.environ.get("TENSORTAP_PROGRAM") or Path(sys.executable).with_name("tensortap")).absolute())


@pytest.fixture(scope="session", autouse=True)
def own_directories(tmp_path_factory) -> None:
    """No test reads or writes what belongs to the user."""
    os.environ["TENSORTAP_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["TENSORTAP_CONFIG_DIR"] = str(tmp_path_factory.mktemp("config"))


@dataclass
class Reply:
    """An answer, read whole."""

    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def text(self) -> str:
        return self.plain.decode()

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.body) if self.headers.get("content-encoding") == "gzip" else self.body

    def json(self):
        return json.loads(self.plain)


@dataclass
class Served:
    """A running `tensortap serve`."""

    process: subprocess.Popen
    url: str  # with the token, if there is one
    port: int
    ready_seconds: float
    token: str = ""
    host: str = "127.0.0.1"
    prefix: str = ""
    cookies: list[str] = field(default_factory=list)

    def ask(self, target: str, method: str = "GET", headers: dict | None = None, body: bytes | None = None) -> Reply:
        """The target as it is, with a fresh connection."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=20)
        try:
            connection.putrequest(method, target, skip_host="Host" in (headers or {}), skip_accept_encoding=True)
            sent = dict(headers or {})
            if self.token and "Authorization" not in sent and "Cookie" not in sent:
                sent["Authorization"] = f"Bearer {self.token}"
            if body is not None:
                sent["Content-Length"] = str(len(body))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def api(self, route: str, headers: dict | None = None, **parameters) -> Reply:
        """api("scalars", run=["a", "b"], tag="loss")"""
        query = urlencode(parameters, doseq=True)
        return self.ask(f"{self.prefix}/api/v1/{route}{'?' + query if query else ''}", headers=headers)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=20)

    def wait_loaded(self, seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while self.api("status").json()["loading"]:
            assert time.monotonic() < until, "the log directory is still being read"
            time.sleep(0.05)

    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
            raise
        finally:
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()


def start(program: str, logs: Path | str, *arguments: str, **environment: str) -> Served:
    """Starts the server at any free port and waits until it has said that it is ready."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [program, "serve", str(logs), "--port", "0", "--json", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
    )
    if not select.select([process.stdout], [], [], 20)[0]:
        process.kill()
        raise AssertionError("the server did not get ready in 20 s")
    line = process.stdout.readline()
    assert line, process.stderr.read().decode()
    said = json.loads(line)
    token = said["url"].partition("token=")[2]
    served = Served(process, said["url"], said["port"], time.monotonic() - begun, token)
    if "--path-prefix" in arguments:
        served.prefix = arguments[arguments.index("--path-prefix") + 1]
    return served


@pytest.fixture(scope="session")
def start_server(program):
    """(logs, *arguments, **environment) -> Served, which whoever starts it ends"""
    return functools.partial(start, program)


@pytest.fixture
def serve(program):
    """(logs, *arguments, **environment) -> Served; all are ended after the test"""
    running: list[Served] = []

    def begin(logs, *arguments, **environment) -> Served:
        running.append(start(program, logs, *arguments, **environment))
        return running[-1]

    yield begin
    for served in running:
        served.stop()


@pytest.fixture(scope="session")
def recorded(tmp_path_factory) -> Path:
    """A log directory with a run of every kind. Nobody changes it."""
    import tensortap as tap

    logs = tmp_path_factory.mktemp("recorded")
    rng = np.random.default_rng(1)
    with tap.Run(logs / "a") as run:
        for step in range(200):
            run.scalar("loss", 1 / (step + 1), step=step)
            run.sub("val").scalar("loss", 2 / (step + 1), step=step)
        for step in range(30):
            run.histogram("weights/dense/kernel", rng.normal(size=500) * (step + 1), step=step)
            run.histogram("gradients/dense/kernel", rng.normal(size=500) / (step + 1), step=step)
        for step, value in enumerate([float("nan"), 1.5, float("inf"), float("-inf")]):
            run.scalar("odd", value, step=step)
        run.tensor("x", np.arange(24, dtype=np.float32).reshape(2, 3, 4), step=7)
        run.image("picture", np.zeros((8, 6, 3), np.uint8), step=3)
        run.audio("beep", np.sin(np.arange(8000) / 10).astype(np.float32), rate=16000, step=1)
        run.text("note", "# Title\n\nsome *words*", step=5)
        run.hparams({"lr": 0.001, "layers": 3})
    with tap.Run(logs / "deeper" / "b") as run:
        for step in range(100):
            run.scalar("loss", 1.0 + step, step=step)
    return logs


@pytest.fixture(scope="session")
def viewer(start_server, recorded, tmp_path_factory):
    """A server without a token on `recorded`, with a page from a directory, shared by all tests that only look."""
    page = tmp_path_factory.mktemp("page")
    (page / "assets").mkdir()
    (page / "index.html").write_text("<!doctype html><title>Tensortap</title>")
    (page / "assets" / "index-1a2b3c4d.js").write_text("export const a = 1;\n" * 200)
    served = start_server(recorded, "--no-token", "--ui-dir", str(page))
    served.wait_loaded()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def guarded(start_server, recorded):
    """The same with a token."""
    served = start_server(recorded)
    served.wait_loaded()
    yield served
    served.stop()
