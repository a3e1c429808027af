"""docs/api.md: each command of it is typed, and answers what the page shows."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
TEXT = PAGE.read_text()
ADDRESS = "http://localhost:6007"
NOT_NUMBERS = ("NaN", "Infinity", "-Infinity")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """(command, what the page shows behind it)"""
    found = []
    for block in blocks("console"):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = piece.partition("\n")
            found.append((command, shown.strip()))
    return found


EXAMPLES = examples()


@pytest.fixture(scope="module")
def served(tmp_path_factory, start_server):
    """A server on the run that the page records, and the directory it was recorded in."""
    folder = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, "-"], input=blocks("python")[0], text=True, cwd=folder, check=True, timeout=120)
    server = start_server(folder / "runs", "--no-token")
    server.wait_loaded()
    yield server, folder
    server.stop()


def typed(command: str, served) -> tuple[int, str]:
    """(HTTP status, body) of a command of the page, typed at the server"""
    server, folder = served
    assert ADDRESS in command, command
    address = f"http://localhost:{server.port}"
    done = subprocess.run(
        ["bash", "-c", command.replace(ADDRESS, address) + r" -w '\n%{http_code}'"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=30,
        check=False,
    )
    assert done.returncode == (28 if "--max-time" in command else 0), done.stderr
    body, _, status = done.stdout.rpartition("\n")
    return int(status), body


def assert_same_shape(shown, answered, where: str = "$") -> None:
    """The same members, and values of the same type; of lists the first of each."""
    if isinstance(shown, dict):
        assert isinstance(answered, dict) and list(shown) == list(answered), f"{where}: {shown} and {answered}"
        for name in shown:
            assert_same_shape(shown[name], answered[name], f"{where}.{name}")
    elif isinstance(shown, list):
        assert isinstance(answered, list) and bool(shown) == bool(answered), f"{where}: {shown} and {answered}"
        for one, other in zip(shown[:1], answered[:1], strict=True):
            assert_same_shape(one, other, f"{where}[0]")
    else:
        assert kind_of(shown) == kind_of(answered), f"{where}: {shown!r} and {answered!r}"


def kind_of(value) -> str:
    if isinstance(value, bool) or value is None:
        return str(type(value))
    return "number" if isinstance(value, (int, float)) or value in NOT_NUMBERS else "text"


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command.split("api/v1/")[-1] for command, _ in EXAMPLES])
def test_a_command_answers_what_the_page_shows(command, shown, served):
    status, body = typed(command, served)
    assert status == (404 if shown.startswith('{"error"') else 200), body
    if "--output" in command:
        assert (served[1] / command.split("--output ")[1].split()[0]).stat().st_size > 60
    elif shown.startswith("{"):
        assert_same_shape(json.loads(shown), json.loads(body))
    else:
        lines = body.splitlines()
        assert lines[0] == shown.splitlines()[0] and len(lines) > 1


def test_files_that_the_page_saves_are_what_they_are_called(served):
    import numpy as np

    for command, _ in EXAMPLES:
        if "--output" in command:
            typed(command, served)
    folder = served[1]
    whole = np.arange(24, dtype="float32").reshape(2, 3, 4)
    assert np.array_equal(np.load(folder / "logits.npy"), whole[0, :, 1:3])
    assert (folder / "input.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "beep.wav").read_bytes().startswith(b"RIFF")


def test_every_route_has_an_example():
    headings = re.findall(r"^### (`.+)$", TEXT, re.MULTILINE)
    routes = {route for heading in headings for route in re.findall(r"`([a-z/]+)`", heading)}
    shown = {re.search(r"/api/v1/([a-z/]+)", command).group(1) for command, _ in EXAMPLES}
    assert routes and routes == shown


def test_the_reader_of_columns_reads_an_answer(served, read_columns, capsys):
    server, _ = served
    code = blocks("python")[-1].replace(ADDRESS, f"http://localhost:{server.port}")
    exec(code, {"read_columns": read_columns, "urlopen": urlopen})
    said = capsys.readouterr().out
    assert said.startswith("a train/loss") and "nan" in said


def test_the_worked_example_is_what_the_reader_reads(read_columns):
    block = re.search(r"^```\n(54 54.*?)^```", TEXT, re.MULTILINE | re.DOTALL).group(1)
    magic, length, header, values = block.splitlines()

    def of_hex(line: str) -> bytes:
        return bytes.fromhex(re.match(r"(?:[0-9a-f]{2} ?)+", line).group(0))

    said = int(re.search(r"these (\d+) bytes", TEXT).group(1))
    size = int.from_bytes(of_hex(length)[:4], "little")
    data = of_hex(magic) + of_hex(length) + header.encode().ljust(size) + of_hex(values)
    assert len(data) == said
    meta, columns = read_columns(data)
    assert meta == {"series": [{"step": 0, "value": 1}]}
    assert columns[0].tolist() == [0, 10, 20, 30]
    half, nan, *rest = columns[1].tolist()
    assert half == 0.5 and math.isnan(nan) and rest == [2, 4]
