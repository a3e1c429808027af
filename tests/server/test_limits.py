"""What one client cannot take from the others: memory, connections, time."""

from __future__ import annotations

import contextlib
import socket
import time

import pytest


def status_of(connection: socket.socket) -> int:
    line = connection.makefile("rb").readline()
    return int(line.split()[1]) if line else 0


def test_long_addresses_work_up_to_the_limit(viewer):
    fine = "/api/v1/runs?" + "&".join(["x"] * 10)
    assert viewer.ask(fine).status == 400  # an unknown parameter, but read
    assert viewer.ask("/api/v1/scalars?tag=loss&run=" + "a" * 60_000).status == 404
    assert viewer.ask("/api/v1/scalars?tag=loss&run=" + "a" * 65_600).status == 414
    assert viewer.ask("/api/v1/scalars?tag=loss&run=" + "a" * 200_000).status in (414, 431)


def test_long_header_fields_are_refused(viewer):
    assert viewer.ask("/api/v1/status", headers={"X-Long": "a" * 10_000}).status == 200
    assert viewer.ask("/api/v1/status", headers={"X-Long": "a" * 20_000}).status == 431
    assert viewer.ask("/api/v1/status", headers={"X-Long": "a" * 200_000}).status == 431
    assert viewer.ask("/api/v1/status", headers={f"X-{i}": "a" for i in range(4000)}).status == 431


def test_long_bodies_are_refused(viewer):
    headers = {"Content-Type": "application/json"}

    def status(body: bytes) -> int:
        return viewer.ask("/api/v1/preferences", method="PATCH", headers=headers, body=body).status

    assert status(b'{"notes": {"x": "' + b"a" * 60_000 + b'"}}') == 200
    assert status(b'{"notes": {"x": "' + b"a" * 70_000 + b'"}}') == 413
    with viewer.connect() as connection:  # promised, never sent
        connection.sendall(
            b"PATCH /api/v1/preferences HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 99999999999\r\n\r\n"
        )
        assert status_of(connection) == 413


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x00" * 100,
    ],
)
def test_what_is_not_http_is_refused_and_the_connection_closed(viewer, bytes_sent):
    with viewer.connect() as connection:
        connection.sendall(bytes_sent)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()
    assert answer == b"" or answer.split()[1] == b"400"
    assert answer.count(b"Content-Length:") <= 1
    assert viewer.api("status").status == 200


def test_slow_requests_end_and_others_do_not_wait(viewer):
    """Slowloris: requests that never end, a byte at a time."""
    begun = time.monotonic()
    slow = [viewer.connect() for _ in range(60)]
    silent = [viewer.connect() for _ in range(20)]
    for connection in slow:
        connection.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n")
    open_ones = set(slow)
    while open_ones and time.monotonic() - begun < 9:
        asked = time.monotonic()
        assert viewer.api("status").status == 200
        assert time.monotonic() - asked < 2
        for connection in list(open_ones):
            try:
                connection.sendall(b"X: y\r\n")
            except OSError:
                open_ones.discard(connection)
        time.sleep(0.25)
    assert not open_ones, f"{len(open_ones)} of 60 are still open"
    for connection in silent:
        connection.settimeout(5)
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(1) == b""
    for connection in slow + silent:
        connection.close()


def test_a_body_that_does_not_come_ends_the_request(viewer):
    with viewer.connect() as connection:
        connection.sendall(
            b"PATCH /api/v1/preferences HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100\r\n\r\n{"
        )
        connection.settimeout(8)
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(100) == b""


def test_many_connections_are_refused_politely_and_forgotten(serve, recorded):
    served = serve(recorded, "--no-token")
    before = served.resident_mb()
    held = [served.connect() for _ in range(512)]
    # Each says something, so that it is known to be counted.
    for connection in held:
        connection.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert all(status_of(connection) in (200, 503) for connection in held)
    with served.connect() as one_more:
        one_more.sendall(b"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = one_more.makefile("rb").read()
        assert answer.split()[1] == b"503"
        assert b"Retry-After: 1" in answer
    assert served.resident_mb() - before < 40
    for connection in held:
        connection.close()
    until = time.monotonic() + 10
    while True:
        with contextlib.suppress(OSError):
            if served.api("status").status == 200:
                break
        assert time.monotonic() < until
        time.sleep(0.05)


def test_readers_that_do_not_read_cost_little_and_hold_nobody_up(serve, tmp_path):
    """A long answer comes in pieces, at the pace of its reader; and only so many at once."""
    import tensortap as tap

    with tap.Run(tmp_path / "runs" / "long") as run:
        for step in range(150_000):
            run.scalar("loss", step / 3, step=step)
    served = serve(tmp_path / "runs", "--no-token")
    served.wait_loaded()
    whole = served.api("scalars", run="long", tag="loss", format="csv")
    assert whole.status == 200
    assert len(whole.body.splitlines()) == 150_001
    before = served.resident_mb()
    slow = []
    for _ in range(100):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", served.port))
        connection.sendall(b"GET /api/v1/scalars?run=long&tag=loss&format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n")
        slow.append(connection)
    statuses = [status_of(connection) for connection in slow]
    assert statuses.count(200) == 16
    assert statuses.count(503) == 84
    for _ in range(10):
        asked = time.monotonic()
        assert served.api("scalars", run="long", tag="loss").status == 200
        assert time.monotonic() - asked < 2
    grown = served.resident_mb() - before
    assert grown < 16 * 10, f"100 readers that do not read cost {grown:.0f} MiB"
    for connection in slow:
        connection.close()
    until = time.monotonic() + 10
    while served.api("scalars", run="long", tag="loss", format="csv").status != 200:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_streams_of_changes_are_limited(serve, recorded):
    served = serve(recorded, "--no-token")
    streams = []
    for _ in range(128):
        connection = served.connect()
        connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams.append(connection)
    assert all(status_of(connection) == 200 for connection in streams)
    reply = served.ask("/api/v1/events")
    assert reply.status == 503
    assert reply.headers["retry-after"] == "1"
    for connection in streams:
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
    # Those that are gone are noticed at once, not at the next keep-alive.
    time.sleep(0.5)
    with served.connect() as connection:
        connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status_of(connection) == 200
