"""A throw-away project directory for the tests of the lint tools."""

from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path):
    """project(files={"src/base/x.h": "..."}) writes them and returns the root."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write
