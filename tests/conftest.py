"""What several directories of tests share: a real PostgreSQL server.

Whoever reads its databases does not import TensorFlow, whose OpenSSL would get in between.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).resolve().parents[1]
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
