"""What the tests of database sinks share: a real PostgreSQL server, and trainings in processes of their own.

This process reads the databases and never imports TensorFlow, whose SQLite and OpenSSL would get in between.
"""

from __future__ import annotations

import json
import os
import runpy
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "to:p/s@cret"
ESCAPED = "to%3Ap%2Fs%40cret"


@dataclass
class Server:
    """PostgreSQL with TLS on a port of the loopback, its data in a directory that is thrown away."""

    programs: Path
    directory: Path
    port: int

    def call(self, program: str, *arguments: str) -> None:
        """As a user who is not root: the server refuses to run as root."""
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=60)
        log = self.directory / "log"
        assert done.returncode == 0, done.stdout + done.stderr + (log.read_text() if log.exists() else "")

    def start(self) -> None:
        self.call("pg_ctl", "-D", str(self.directory / "data"), "-l", str(self.directory / "log"), "-w", "start")

    def stop(self) -> None:
        """As if the power had failed."""
        self.call("pg_ctl", "-D", str(self.directory / "data"), "-m", "immediate", "-w", "stop")

    def is_running(self) -> bool:
        return (self.directory / "data" / "postmaster.pid").exists()

    def url(self, database: str, **options: str) -> str:
        query = "&".join(f"{name}={value}" for name, value in options.items())
        return f"postgresql://postgres:{ESCAPED}@127.0.0.1:{self.port}/{database}?{query}"

    def ask(self, database: str, sql: str, *parameters) -> list[tuple]:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(sql, parameters or None)
            return cursor.fetchall() if cursor.description else []


def _programs() -> Path:
    subprocess.run([ROOT / "tools" / "system_packages.sh", "postgresql"], check=True)
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    assert found, "no PostgreSQL server; install Debian's package postgresql"
    return found[-1].parent


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def _prepare(server: Server) -> None:
    directory = server.directory
    (directory / "password").write_text(PASSWORD)
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-keyout", "server.key", "-out", "server.crt"),
        ],
        cwd=directory,
        check=True,
        capture_output=True,
    )
    (directory / "server.key").chmod(0o600)
    if os.geteuid() == 0:
        for path in (directory, *directory.iterdir()):
            shutil.chown(path, "postgres", "postgres")
    server.call(
        "initdb", "-D", str(directory / "data"), "-U", "postgres", "--auth=scram-sha-256", "--encoding=UTF8",
        "--locale=C", "--no-sync", f"--pwfile={directory / 'password'}",
    )  # fmt: skip
    with (directory / "data" / "postgresql.conf").open("a") as settings:
        settings.write(
            f"""
listen_addresses = '127.0.0.1'
port = {server.port}
unix_socket_directories = '{directory}'
ssl = on
ssl_cert_file = '{directory / "server.crt"}'
ssl_key_file = '{directory / "server.key"}'
fsync = off
max_connections = 30
"""
        )


@pytest.fixture(scope="session")
def server():
    directory = Path(tempfile.mkdtemp(prefix="tensortap-postgresql-"))
    directory.chmod(0o755)
    running = Server(_programs(), directory, _free_port())
    try:
        _prepare(running)
        running.start()
        yield running
    finally:
        if running.is_running():
            running.stop()
        shutil.rmtree(directory)


@pytest.fixture(scope="session")
def new_database(server):
    """() -> the name of an empty database"""

    def make() -> str:
        if not server.is_running():
            server.start()
        name = f"test_{secrets.token_hex(6)}"
        server.ask("postgres", f"CREATE DATABASE {name}")
        return name

    return make


@pytest.fixture
def database(new_database) -> str:
    """The name of an empty database."""
    return new_database()


def begin(script: str, *arguments, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", **environment},
    )


def result_of(process: subprocess.Popen, seconds: float = 60):
    """What a script said last, in JSON."""
    out, error = process.communicate(timeout=seconds)
    assert process.returncode == 0, out + error
    return json.loads(out.splitlines()[-1]) if out.strip() else None


@pytest.fixture
def start():
    """(script, *arguments, **environment) -> Popen of Python, which finds the arguments in sys.argv; ended after the
    test"""
    running: list[subprocess.Popen] = []

    def start_one(script: str, *arguments, **environment: str) -> subprocess.Popen:
        running.append(begin(script, *arguments, **environment))
        return running[-1]

    yield start_one
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def finish():
    """(process) -> what it said last"""
    return result_of


@pytest.fixture(scope="session")
def record():
    """(script, *arguments, **environment) -> what it said last"""
    return lambda script, *arguments, **environment: result_of(begin(script, *arguments, **environment))


@pytest.fixture(scope="session")
def everything() -> str:
    """The script of everything.py; takes a run directory, the kind of sink, and its target."""
    return runpy.run_path(str(Path(__file__).with_name("everything.py")))["SCRIPT"]


@pytest.fixture(scope="session")
def until():
    """(condition, seconds=20): waits until it is true"""

    def wait(condition, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.02)

    return wait
