"""Paths that try to leave their directory: on every route, in every parameter, and on the page."""

from __future__ import annotations

import http.client
import itertools
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest

SECRET = b"the-secret-that-nobody-may-read"
ROUTES = [
    "status", "runs", "tags", "series", "steps", "scalars", "latest", "stats", "layers", "network", "histograms",
    "tensor", "tensor/info", "images", "image", "audio", "audio/clip", "text", "hparams", "health", "graph",
    "preferences",
]  # fmt: skip


def attacks(secret: Path) -> list[str]:
    """More than 200 ways to say "the file above"."""
    climbs = [
        "../", "..\\", "..%2f", "..%5c", "%2e%2e/", "%2e%2e%2f", "%2e%2e%5c", "..%252f", "%252e%252e%252f", "....//",
        "..;/", ".%2e/", "%2e./", "..%c0%af", "%c0%ae%c0%ae/", "%e0%80%ae%e0%80%ae/", "..%ef%bc%8f", "..//", "./../",
        "..%00/", "..%0d%0a/", "%u002e%u002e/", "..%2f%2f", "/../", "/..%2f", "\\..\\", "..%09/",
    ]  # fmt: skip
    ends = ["secret.txt", "etc/passwd", "proc/self/environ", "secret.txt%00.png"]
    strings = [climb * depth + end for climb, depth, end in itertools.product(climbs, (1, 3, 8), ends)]
    strings += [
        str(secret), f"file://{secret}", f"/{secret}", quote(str(secret), safe=""), "/etc/passwd", "//etc/passwd",
        "/proc/self/environ", "/proc/self/fd/0", "/proc/self/cwd/../secret.txt", "~/.ssh/id_rsa", "~root/.bashrc",
        "C:\\windows\\win.ini", "\\\\host\\share\\secret.txt", "/dev/stdin", "/dev/zero", "a/../../secret.txt",
        "a/./../../secret.txt", "deeper/../../secret.txt", "escape/secret.txt", "escape", ".", "..", "...", "/", "//",
        "%00", "%", "%%", "%2", "%zz", "a%00", "*/../../*", "**", "../*", "$(cat secret.txt)", "`cat secret.txt`",
        "|cat secret.txt", "secret.txt", "${HOME}", "%HOME%", "a" * 5000, "../" * 1000,
    ]  # fmt: skip
    return strings


class Asker:
    """One connection, made anew where the server closes it."""

    def __init__(self, port: int):
        self.port = port
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, target: str) -> tuple[int, bytes]:
        for _ in range(2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                self.connection.putrequest("GET", target)
                self.connection.endheaders()
                answer = self.connection.getresponse()
                return answer.status, answer.read()
            except (http.client.HTTPException, OSError):
                self.connection.close()
                self.connection = None
        raise AssertionError(f"no answer to {target[:100]}")


@pytest.fixture(scope="module")
def besieged(start_server, recorded, tmp_path_factory):
    """A server whose log directory and page lie beside a secret, with links that lead to it."""
    root = tmp_path_factory.mktemp("besieged")
    (root / "secret.txt").write_bytes(SECRET)
    shutil.copytree(recorded, root / "runs")
    (root / "page").mkdir()
    (root / "page" / "index.html").write_text("<!doctype html><title>Tensortap</title>")
    for place in (root / "runs", root / "page"):
        (place / "escape").symlink_to(root)
        (place / "secret.txt").symlink_to(root / "secret.txt")
        (place / "events.out.tfevents.1.secret").symlink_to(root / "secret.txt")
    served = start_server(root / "runs", "--no-token", "--ui-dir", str(root / "page"))
    served.wait_loaded()
    yield served, root / "secret.txt"
    served.stop()


def leaks(body: bytes) -> bool:
    return SECRET in body or b"root:x:0:0" in body or b"TENSORTAP_CACHE_DIR=" in body


def test_there_are_more_than_two_hundred_strings(tmp_path):
    assert len(set(attacks(tmp_path / "secret.txt"))) > 200


def test_the_page_has_nothing_but_its_own_files(besieged):
    served, secret = besieged
    asker = Asker(served.port)
    for attack in attacks(secret):
        for before in ("/", "/assets/", "/api/v1/../../", "/api/v1/"):
            target = before + attack.replace("\x00", "%00").replace(" ", "%20").replace("\r\n", "%0d%0a")
            status, body = asker.ask(target)
            assert not leaks(body), target
            page_itself = target.lstrip("/").split("?")[0] == ""
            assert status in (400, 404) or (status == 200 and page_itself), (status, target)


@pytest.mark.parametrize("route", ROUTES)
def test_no_parameter_opens_a_file(besieged, route):
    served, secret = besieged
    asker = Asker(served.port)
    for attack in attacks(secret):
        for parameters in (
            f"run={attack}&tag={attack}&step={attack}",
            f"run={quote(attack, safe='')}&tag=loss&step=0&kind=scalars",
            f"run=a&tag={quote(attack, safe='')}&step=0&kind={quote(attack, safe='')}",
        ):
            status, body = asker.ask(f"/api/v1/{route}?{parameters.replace(' ', '%20')}")
            assert not leaks(body), (route, attack)
            assert status in (200, 400, 404, 415), (status, route, attack)


def test_links_that_lead_out_of_the_log_directory_are_named_not_followed(besieged):
    served, _ = besieged
    health = served.api("health").json()
    assert not leaks(served.api("health").body)
    assert any("secret" in skipped["path"] or "escape" in skipped["path"] for skipped in health["skipped"])
    assert [run["name"] for run in served.api("runs").json()["runs"]] == ["a", "deeper/b"]
