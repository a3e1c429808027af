"""From start to end: ready at once, what is said when it cannot start, and how it goes."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Path:
    """400 runs, a megabyte each: one file under many names."""
    import tensortap as tap

    logs = tmp_path_factory.mktemp("large")
    with tap.Run(logs / "run0") as run:
        for step in range(2000):
            for tag in range(10):
                run.scalar(f"tag{tag}", step * tag, step=step)
    files = list((logs / "run0").iterdir())
    for number in range(1, 400):
        (logs / f"run{number}").mkdir()
        for file in files:
            os.link(file, logs / f"run{number}" / file.name)
    return logs


def fails(program: str, *arguments) -> str:
    """What a start that cannot work says; it ends with 2."""
    done = subprocess.run(
        [program, "serve", *map(str, arguments)], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("tensortap serve: ")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def snapshot(directory: Path) -> dict:
    return {str(p): (p.lstat().st_mtime_ns, p.lstat().st_size) for p in [directory, *directory.rglob("*")]}


def test_it_answers_at_once_whatever_there_is_to_read(serve, large):
    served = serve(large, "--no-token", "--no-cache")
    assert served.ready_seconds < 1
    asked = time.monotonic()
    status = served.api("status").json()
    assert time.monotonic() - asked < 1
    assert served.ask("/").status == 200
    seen = [status]
    while seen[-1]["loading"]:
        time.sleep(0.05)
        seen.append(served.api("status").json())
    assert seen[-1]["runs"] == 400
    assert seen[-1]["read_bytes"] == seen[-1]["total_bytes"] == sum(p.stat().st_size for p in large.rglob("*.*"))
    assert [each["read_bytes"] for each in seen] == sorted(each["read_bytes"] for each in seen)


def test_it_is_small_on_a_small_directory(serve, recorded):
    served = serve(recorded, "--no-token")
    served.wait_loaded()
    for route in ("status", "runs", "tags", "health", "hparams"):
        assert served.api(route).status == 200
    assert served.resident_mb() < 40


def test_sigterm_ends_it_well_and_soon(serve, recorded):
    for number in (signal.SIGTERM, signal.SIGINT):
        served = serve(recorded, "--no-token")
        served.wait_loaded()
        begun = time.monotonic()
        assert served.stop(number) == 0
        assert time.monotonic() - begun < 2


def test_sigterm_ends_streams_idle_connections_and_loading(serve, large):
    served = serve(large, "--no-token", "--no-cache")
    idle = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    idle.request("GET", "/api/v1/status")
    idle.getresponse().read()
    stream = served.connect()
    stream.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"hello" in stream.recv(4096) + stream.recv(4096)
    begun = time.monotonic()
    assert served.stop() == 0
    assert time.monotonic() - begun < 3
    while stream.recv(4096):
        pass
    idle.close()
    stream.close()


def test_sigterm_lets_answers_finish(serve, tmp_path):
    import tensortap as tap

    with tap.Run(tmp_path / "runs" / "a") as run:
        for step in range(100_000):
            run.scalar("loss", step / 3, step=step)
    served = serve(tmp_path / "runs", "--no-token")
    served.wait_loaded()
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(10)
    connection.connect(("127.0.0.1", served.port))
    connection.sendall(
        b"GET /api/v1/scalars?run=a&tag=loss&max_points=0&format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    begun = connection.recv(1000)
    served.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    with pytest.raises(OSError, match="refused"):
        served.connect().close()
    pieces = [begun]
    while piece := connection.recv(1 << 16):
        pieces.append(piece)
    connection.close()
    assert b"".join(pieces).endswith(b"0\r\n\r\n"), "the answer was cut"
    assert served.process.wait(5) == 0


def test_answers_that_nobody_reads_do_not_keep_it(serve, tmp_path):
    import tensortap as tap

    with tap.Run(tmp_path / "runs" / "a") as run:
        for step in range(100_000):
            run.scalar("loss", step / 3, step=step)
    served = serve(tmp_path / "runs", "--no-token")
    served.wait_loaded()
    with served.connect() as connection:
        connection.sendall(
            b"GET /api/v1/scalars?run=a&tag=loss&max_points=0&format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        connection.recv(1000)
        begun = time.monotonic()
        assert served.stop() == 0
        assert 2 < time.monotonic() - begun < 6


def test_a_second_signal_ends_it_at_once(serve, tmp_path):
    import tensortap as tap

    with tap.Run(tmp_path / "runs" / "a") as run:
        for step in range(100_000):
            run.scalar("loss", step / 3, step=step)
    served = serve(tmp_path / "runs", "--no-token")
    served.wait_loaded()
    with served.connect() as connection:
        connection.sendall(
            b"GET /api/v1/scalars?run=a&tag=loss&max_points=0&format=csv HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        connection.recv(1000)
        served.process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        begun = time.monotonic()
        assert served.stop(signal.SIGINT) == 130
        assert time.monotonic() - begun < 1


def test_what_was_read_is_remembered_for_the_next_start(serve, large, tmp_path):
    served = serve(large, "--no-token", TENSORTAP_CACHE_DIR=str(tmp_path))
    served.wait_loaded()
    assert served.stop() == 0
    assert len(list(tmp_path.rglob("*.idx"))) == 400


def test_a_log_directory_is_only_read(serve, program, recorded):
    before = snapshot(recorded)
    served = serve(recorded, "--no-token")
    served.wait_loaded()
    for route in ("status", "runs", "tags", "health"):
        served.api(route)
    headers = {"Content-Type": "application/json"}
    assert served.ask("/api/v1/preferences", "PATCH", headers, b'{"pins": ["x"]}').status == 200
    served.stop()
    assert snapshot(recorded) == before


def test_a_busy_port_says_who_has_it_and_which_is_free(serve, program, recorded, tmp_path):
    served = serve(recorded, "--no-token")
    said = fails(program, recorded, "--port", served.port)
    assert f"process {served.process.pid} " in said
    assert "this log directory is shown there already" in said
    suggested = int(said.rpartition("--port ")[2])
    assert served.port < suggested <= served.port + 100
    said = fails(program, tmp_path, "--port", served.port)
    assert f"is taken by process {served.process.pid} " in said
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = fails(program, recorded, "--port", other.getsockname()[1])
        assert f"process {os.getpid()} " in said


def test_a_token_of_another_server_is_not_told(serve, program, recorded):
    served = serve(recorded, "--token", "secret-of-the-other")
    assert "secret-of-the-other" not in fails(program, recorded, "--port", served.port)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{}/missing"], "no such directory"),
        (["{}/file"], "not a directory"),
        (["{}", "--host", "0.0.0.0", "--no-token"], "--no-token"),
        (["{}", "--host", "::", "--no-token"], "--no-token"),
        (["{}", "--token", "abcdefghij", "--no-token"], "exclude"),
        (["{}", "--token", "short"], "token"),
        (["{}", "--token", "has; semicolons; in it"], "token"),
        (["{}", "--host", "no.such.host.example"], "no.such.host.example"),
        (["{}", "--host", "192.0.2.1"], "192.0.2.1"),
        (["{}", "--path-prefix", "x"], "--path-prefix"),
        (["{}", "--path-prefix", "/../x"], "--path-prefix"),
        (["{}", "--path-prefix", "/a b"], "--path-prefix"),
        (["{}", "--ui-dir", "{}/missing"], "no such directory"),
    ],
)
def test_what_cannot_work_is_said_in_a_sentence(program, tmp_path, arguments, words):
    (tmp_path / "file").write_text("x")
    assert words in fails(program, *(each.format(tmp_path) for each in arguments), "--port", "0")


def test_other_addresses_are_served_with_a_token(serve, recorded):
    served = serve(recorded, "--host", "0.0.0.0")
    assert len(served.token) == 32
    assert served.ask("/api/v1/status", headers={"Cookie": ""}).status == 401
    assert served.api("status").status == 200
    for host in ("10.1.2.3", socket.gethostname().lower(), "[fe80::1]:80"):
        headers = {"Host": host, "Authorization": f"Bearer {served.token}"}
        assert served.ask("/api/v1/status", headers=headers).status == 200
    assert served.ask("/api/v1/status", headers=headers | {"Host": "evil.example"}).status == 403


def test_an_empty_directory_is_served(serve, tmp_path):
    served = serve(tmp_path, "--no-token")
    served.wait_loaded()
    assert served.api("runs").json()["runs"] == []
    assert served.ask("/").status == 200


def test_the_address_is_printed_for_people(program, recorded):
    process = subprocess.Popen(
        [program, "serve", str(recorded), "--port", "0", "--path-prefix", "/lab/"], stdout=subprocess.PIPE, text=True
    )
    try:
        lines = [process.stdout.readline() for _ in range(3)]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        process.stdout.close()
    assert "/lab/?token=" in lines[1]
    assert lines[1].strip().startswith("http://127.0.0.1:")
    assert "Ctrl-C" in lines[2]


def test_everything_is_below_the_path_prefix(serve, recorded):
    served = serve(recorded, "--path-prefix", "/lab/runs")
    assert served.ask("/lab/runs/api/v1/status").status == 200
    assert served.ask("/lab/runs/").status == 200
    assert served.ask("/lab/runs").headers["location"] == "/lab/runs/"
    for outside in ("/", "/api/v1/status", "/lab", "/lab/", "/lab/runsx/", "/lab/runs/../../api/v1/status"):
        assert served.ask(outside).status in (400, 404)
    reply = served.ask(f"/lab/runs/?token={served.token}", headers={"Cookie": ""})
    assert reply.headers["location"] == "/lab/runs/"
    assert "Path=/lab/runs/" in reply.headers["set-cookie"]


def test_open_starts_the_browser_with_the_link(serve, recorded, tmp_path):
    browser = tmp_path / "xdg-open"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    served = serve(recorded, "--open", PATH=f"{tmp_path}:{os.environ['PATH']}")
    until = time.monotonic() + 5
    while not (tmp_path / "opened").exists() or not (tmp_path / "opened").read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    assert (tmp_path / "opened").read_text().strip() == served.url


def test_preferences_survive_a_restart_and_belong_to_the_directory(serve, recorded, tmp_path):
    config = {"TENSORTAP_CONFIG_DIR": str(tmp_path / "config")}
    headers = {"Content-Type": "application/json"}
    served = serve(recorded, "--no-token", **config)
    patch = json.dumps({"notes": {"a": "größer"}, "colors": {"a": 3}, "pins": ["loss"]}).encode()
    assert served.ask("/api/v1/preferences", "PATCH", headers, patch).status == 200
    served.stop()
    served = serve(f"{recorded}/../{recorded.name}/", "--no-token", **config)
    assert served.api("preferences").json()["notes"] == {"a": "größer"}
    other = serve(tmp_path, "--no-token", **config)
    assert other.api("preferences").json()["notes"] == {}


def test_where_nothing_can_be_kept_viewing_goes_on(serve, recorded, tmp_path):
    (tmp_path / "file").write_text("x")
    served = serve(recorded, "--no-token", TENSORTAP_CONFIG_DIR=str(tmp_path / "file"))
    assert served.api("preferences").json()["pins"] == []
    reply = served.ask("/api/v1/preferences", "PATCH", {"Content-Type": "application/json"}, b'{"pins": ["x"]}')
    assert reply.status == 500
    assert "not kept" in reply.json()["error"]["message"]
    assert served.api("runs").status == 200
