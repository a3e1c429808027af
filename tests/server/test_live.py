"""The stream of changes: what is recorded is told within a second."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path

import pytest


def descriptors(served) -> int:
    return len(list(Path(f"/proc/{served.process.pid}/fd").iterdir()))


class Listener:
    """An EventSource: events in the order in which they come."""

    def __init__(self, served):
        self.connection = served.connect()
        self.connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.text = b""
        self.head = self.until(b"\r\n\r\n", 5)

    def until(self, end: bytes, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        while end not in self.text:
            self.connection.settimeout(max(0.01, deadline - time.monotonic()))
            piece = self.connection.recv(1 << 16)
            if not piece:
                raise EOFError
            self.text += piece
        part, _, self.text = self.text.partition(end)
        return part + end

    def event(self, seconds: float = 5) -> tuple[str, dict]:
        lines = self.until(b"\n\n", seconds).decode().splitlines()
        fields = dict(line.split(": ", 1) for line in lines if line.startswith(("event: ", "data: ")))
        return fields["event"], json.loads(fields["data"])

    def next(self, name: str, seconds: float = 5) -> dict:
        deadline = time.monotonic() + seconds
        while True:
            found, data = self.event(max(0.01, deadline - time.monotonic()))
            if found == name:
                return data

    def close(self):
        self.connection.close()


@pytest.fixture
def listen():
    listeners = []

    def begin(served) -> Listener:
        listeners.append(Listener(served))
        return listeners[-1]

    yield begin
    for listener in listeners:
        listener.close()


@pytest.fixture
def training(tmp_path):
    import tensortap as tap

    run = tap.Run(tmp_path / "runs" / "now")
    run.scalar("loss", 1.0, step=0)
    run.flush()
    yield tmp_path / "runs", run
    run.close()


def test_a_stream_says_hello_and_looks_like_one(serve, training, listen):
    served = serve(training[0], "--no-token")
    served.wait_loaded()
    listener = listen(served)
    assert b"200 OK" in listener.head
    assert b"Content-Type: text/event-stream" in listener.head
    assert b"Cache-Control: no-store" in listener.head
    name, data = listener.event()
    assert name == "hello"
    assert data["revision"] == served.api("status").json()["revision"]


def test_a_recorded_point_is_told_within_a_second(serve, training, listen):
    logs, run = training
    served = serve(logs, "--no-token")
    served.wait_loaded()
    listener = listen(served)
    listener.next("hello")
    for step in range(1, 6):
        run.scalar("loss", 1 / step, step=step)
        run.flush()
        recorded = time.monotonic()
        change = listener.next("change")
        late = time.monotonic() - recorded
        assert change["runs"] == ["now"]
        assert change["catalog"] is False
        assert served.api("latest", run="now", tag="loss").json()["rows"][0]["last_step"] == step
        assert late < 1, f"{late:.2f} s"


def test_new_tags_new_runs_and_states_change_the_catalog(serve, training, listen):
    import tensortap as tap

    logs, run = training
    served = serve(logs, "--no-token")
    served.wait_loaded()
    listener = listen(served)
    run.scalar("accuracy", 0.5, step=1)
    run.flush()
    assert listener.next("change")["catalog"] is True
    with tap.Run(logs / "other") as other:
        other.scalar("loss", 1.0, step=0)
    change = listener.next("change")
    assert (change["runs"], change["catalog"]) == (["other"], True)
    run.close()
    while "now" not in (change := listener.next("change"))["runs"]:
        pass
    assert change["catalog"] is True
    states = {each["name"]: each["state"] for each in served.api("runs").json()["runs"]}
    assert states == {"now": "ended", "other": "ended"}


def test_changes_are_told_at_most_four_times_a_second(serve, training, listen):
    logs, run = training
    served = serve(logs, "--no-token")
    served.wait_loaded()
    listener = listen(served)
    listener.next("hello")
    begun, step, events = time.monotonic(), 0, 0
    while (passed := time.monotonic() - begun) < 2:
        step += 1
        run.scalar("loss", 1.0, step=step)
        run.flush()
        try:
            listener.next("change", 0.02)
            events += 1
        except TimeoutError:
            pass
    assert 3 <= events <= 4 * passed + 2


def test_a_slow_listener_gets_the_newest_state_not_a_queue(serve, training, listen):
    logs, run = training
    served = serve(logs, "--no-token")
    served.wait_loaded()
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect(("127.0.0.1", served.port))
    slow.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    quick = listen(served)
    before = served.resident_mb()
    for step in range(1, 8):
        run.scalar("loss", 1.0, step=step)
        run.flush()
        quick.next("change")
    assert served.resident_mb() - before < 10
    slow.close()


def test_progress_is_told_while_a_large_directory_is_read(serve, tmp_path, listen):
    import tensortap as tap

    with tap.Run(tmp_path / "runs" / "run0") as run:
        for step in range(20_000):
            run.scalar("loss", step, step=step)
    files = list((tmp_path / "runs" / "run0").iterdir())
    for number in range(1, 600):
        (tmp_path / "runs" / f"run{number}").mkdir()
        for file in files:
            os.link(file, tmp_path / "runs" / f"run{number}" / file.name)
    served = serve(tmp_path / "runs", "--no-token", "--no-cache", "--threads", "1")
    listener = listen(served)
    name, _ = listener.event()
    assert name == "hello"
    seen = [listener.next("progress")]
    while seen[-1]["loading"]:
        seen.append(listener.next("progress", 20))
    assert len(seen) >= 2
    assert seen[-1]["read_bytes"] == seen[-1]["total_bytes"] > 0
    assert [each["read_bytes"] for each in seen] == sorted(each["read_bytes"] for each in seen)
    assert served.api("status").json()["runs"] == 600


def test_a_stream_that_is_given_up_is_noticed(serve, training, listen):
    served = serve(training[0], "--no-token")
    served.wait_loaded()
    time.sleep(0.2)  # the connection of that question goes
    before = descriptors(served)
    listeners = [listen(served) for _ in range(10)]
    assert descriptors(served) >= before + 10
    for listener in listeners:
        listener.close()
    until = time.monotonic() + 5
    while descriptors(served) > before + 1:
        assert time.monotonic() < until
        time.sleep(0.05)
