"""Our libraries and TensorFlow's live in one process without touching each other's symbols."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tensortap import _read, _record

MODULE = Path(_record.__file__)
READER = Path(_read.__file__)
LIBRARY = MODULE.with_name("libtensortap.so.0")

# Symbols of libraries that TensorFlow brings too, in versions of its own.
FOREIGN = re.compile(r"^(png_|sqlite3|inflate|deflate|crc32|adler32|gz|zlib|compress|uncompress|XXH|protobuf|google)")


def symbols(path: Path, *flags: str) -> list[str]:
    """What stands in the table of dynamic symbols, by the names that C++ gives them."""
    found = subprocess.run(["nm", "-DC", *flags, path], capture_output=True, text=True, check=True).stdout
    return [re.sub(r"^[0-9a-f ]*[A-Za-z] ", "", line) for line in found.splitlines()]


def needed(path: Path) -> list[str]:
    found = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", found)


def test_the_library_shows_its_own_names_and_templates_of_the_standard_library():
    shown = symbols(LIBRARY, "--defined-only")
    assert any(name.startswith("tensortap::Run::scalar") for name in shown)
    known = re.compile(r"\b(tensortap|std|__gnu_cxx)::")
    assert [name for name in shown if not known.search(name)] == []


@pytest.mark.parametrize("path", [LIBRARY, MODULE, READER], ids=["library", "module", "reader"])
def test_no_symbol_of_zlib_png_or_sqlite_is_shown_or_asked_for(path):
    assert [name for name in symbols(path) if FOREIGN.match(name)] == []


def test_the_module_shows_its_entry_point_and_nothing_of_the_recorder():
    shown = symbols(MODULE, "--defined-only")
    assert "PyInit__record" in shown
    known = re.compile(r"^PyInit__record$|\b(std|nanobind|__gnu_cxx)::")
    assert [name for name in shown if not known.search(name)] == []


def test_the_reader_shows_its_entry_point_and_has_no_recorder():
    assert symbols(READER, "--defined-only") == ["PyInit__read"]
    assert [name for name in symbols(READER) if "tensortap::" in name] == []
    everything = subprocess.run(["nm", "-C", READER], capture_output=True, text=True, check=True).stdout
    assert "tensortap::store::" in everything and "tensortap::recorder::" not in everything


def test_the_libraries_need_nothing_but_the_system_and_each_other():
    system = re.compile(r"^(libstdc\+\+|libm|libgcc_s|libc|libpthread|ld-linux.*|libhwy)\.so")
    assert [name for name in needed(LIBRARY) if not system.match(name)] == []
    assert [name for name in needed(MODULE) if not system.match(name)] == ["libtensortap.so.0"]
    assert [name for name in needed(READER) if not system.match(name)] == []


def test_the_plug_in_for_postgresql_shows_its_entry_and_needs_nothing_but_libpq():
    plugin = MODULE.with_name("tensortap_postgresql.so")
    if not plugin.exists():
        pytest.skip("built without libpq")
    shown = [name for name in symbols(plugin, "--defined-only") if "@" not in name]
    assert shown == ["tensortap_postgresql"]
    system = re.compile(r"^(libstdc\+\+|libm|libgcc_s|libc|ld-linux.*)\.so")
    assert [name for name in needed(plugin) if not system.match(name)] == ["libpq.so.5"]
    assert "sqlite3_open_v2" in subprocess.run(["nm", LIBRARY], capture_output=True, text=True, check=True).stdout


RECORD = """
import sys
import numpy as np
IMPORTS
with tap.Run(sys.argv[1]) as run:
    run.image("i", np.zeros((40, 40, 3), np.uint8), step=0)
    run.histogram("h", np.arange(100_000.0), step=0)
    run.audio("a", np.zeros(100), 8000, step=0)
    run.tensor("t", np.zeros(10), step=0)
    run.scalar("s", 1.0, step=0)
    run.hparams({"a": 1})
assert run.error is None
found = tap.open(sys.argv[1], cache=False)["."]
assert found.tensor("t").shape == (10,) and found.stats("h").p50.size == 1 and found.images("i")[0].width == 40
tap.open(sys.argv[1], cache=False).table("scalars").__arrow_c_stream__()
"""


@pytest.fixture(scope="module", params=["tensorflow", "tensortap"], ids=["after", "before"])
def bindings(request, tmp_path_factory):
    """(user, provider, symbol) of every binding to or from us, with TensorFlow imported first or last."""
    directory = tmp_path_factory.mktemp("bindings")
    imports = ["import tensorflow", "import tensortap as tap"]
    source = RECORD.replace("IMPORTS", "\n".join(imports if request.param == "tensorflow" else imports[::-1]))
    done = subprocess.run(
        [sys.executable, "-c", source, directory / "run"],
        env={
            **os.environ,
            "LD_DEBUG": "bindings",
            "LD_DEBUG_OUTPUT": str(directory / "log"),
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    binding = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `([^']+)'")
    found = set()
    for log in directory.glob("log.*"):
        with log.open(errors="replace") as lines:
            for line in lines:
                if "/tensortap/" in line and (match := binding.search(line)):
                    found.add(match.groups())
        log.unlink()  # hundreds of megabytes
    assert len(found) > 100
    return found


def from_us_to_tensorflow(bindings) -> set[tuple[str, str]]:
    return {
        (Path(provider).name, symbol)
        for user, provider, symbol in bindings
        if "/tensortap/" in user and "tensorflow" in provider
    }


@pytest.mark.needs_tensorflow
def test_no_picture_or_compression_of_ours_runs_in_tensorflows_libraries(bindings):
    assert {entry for entry in from_us_to_tensorflow(bindings) if FOREIGN.match(entry[1])} == set()


@pytest.mark.needs_tensorflow
def test_no_function_of_ours_is_bound_to_tensorflows_libraries(bindings):
    """Templates of the standard library included: TensorFlow compiles them with another compiler."""
    data = ("_ZTI", "_ZTS", "_ZTV", "_ZZ")  # type information and tags, which have to be shared
    functions = {entry for entry in from_us_to_tensorflow(bindings) if not entry[1].startswith(data)}
    assert functions == set()


@pytest.mark.needs_tensorflow
def test_no_symbol_of_tensorflow_is_bound_to_ours(bindings):
    into_us = {
        (Path(user).name, symbol)
        for user, provider, symbol in bindings
        if "/tensortap/" in provider and "/tensortap/" not in user
    }
    assert into_us == set()
