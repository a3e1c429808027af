"""Log sets: the directories that P5, P6 and P7 load, made by the program make_logs.

A set is named by its kind and, if that is not 1, its scale: "R", "S@0.05". make_logs.cc says what the kinds hold.
BENCH_LOGS names a directory in which sets are kept and found again; bench/run.py sets it for all it runs. Without it
they are made below TMPDIR and removed at the end.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import SMOKE, scratch_directory

ROOT = Path(__file__).resolve().parent.parent
MAKE_LOGS = ROOT / "build" / "dev" / "bench" / "make_logs"  # the preset with TENSORTAP_TESTS
BYTES_AT_SCALE_1 = {"S": 1.10e9, "S2": 1.46e9, "R": 0.73e9, "T": 19e6, "H": 41e6, "I": 101e6}
SMOKE_SCALE = 0.01
SPARE_BYTES = 1e9  # for index caches, and for whoever shares the disk


@dataclass(frozen=True)
class LogSet:
    """A log directory, and what a reader must find in it."""

    kind: str
    folder: Path
    runs: int
    series: int
    events: int
    scalars: int
    last_step: int
    bytes: int


def kind_and_scale(name: str) -> tuple[str, float]:
    kind, _, scale = name.partition("@")
    return kind, float(scale or 1) * (SMOKE_SCALE if SMOKE else 1)


def run_cmake(*arguments: str) -> None:
    try:
        done = subprocess.run(["cmake", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit("bench: cmake is needed to build make_logs; `make build` installs it")
    if done.returncode != 0:
        sys.exit(f"bench: cmake {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")


def make_logs_program() -> Path:
    """Built when it is missing or older than its sources; TENSORTAP_MAKE_LOGS names another one."""
    if named := os.environ.get("TENSORTAP_MAKE_LOGS"):
        return Path(named)
    sources = (ROOT / "bench" / name for name in ("make_logs.cc", "log_writer.h"))
    if not MAKE_LOGS.exists() or any(MAKE_LOGS.stat().st_mtime < source.stat().st_mtime for source in sources):
        run_cmake("--preset", "dev", "-Wno-dev")
        run_cmake("--build", "--preset", "dev", "--target", "make_logs")
    return MAKE_LOGS


def check_free_space(where: Path, names: list[str]) -> None:
    sizes = [BYTES_AT_SCALE_1[kind] * scale for kind, scale in map(kind_and_scale, names)]
    needed, free = sum(sizes) + SPARE_BYTES, shutil.disk_usage(where).free
    if free < needed:
        sys.exit(
            f"bench: {where} has {free / 1e9:.1f} GB free; {needed / 1e9:.1f} are needed for the logs "
            f"({', '.join(names) or 'all there'}) and an index cache, so {(needed - free) / 1e9:.1f} GB are missing. "
            f"Free them, or set TMPDIR to a larger disk."
        )


def path_of(name: str, where: Path) -> Path:
    kind, scale = kind_and_scale(name)
    return where / (kind if scale == 1 else f"{kind}@{scale:g}")


def description_of(folder: Path) -> Path:
    """Beside the set; written last, so that a set without it is not whole."""
    return folder.with_name(folder.name + ".json")


def make(name: str, where: Path) -> None:
    kind, scale = kind_and_scale(name)
    folder = path_of(name, where)
    shutil.rmtree(folder, ignore_errors=True)  # what an interrupted run left
    command = [str(make_logs_program()), kind, str(folder), f"{scale:g}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed with exit code {done.returncode}: {done.stderr}")
    description_of(folder).write_text(done.stdout)


def read_once(folder: Path) -> None:
    """So that every reader finds the files in the page cache."""
    buffer = bytearray(1 << 20)
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb", buffering=0) as file:
                while file.readinto(buffer):
                    pass


@contextmanager
def log_sets(*names: str) -> Iterator[dict[str, LogSet]]:
    """The sets by name, made where they are missing."""
    with scratch_directory() as scratch:
        where = Path(os.environ.get("BENCH_LOGS") or scratch)
        where.mkdir(parents=True, exist_ok=True)
        missing = [name for name in names if not description_of(path_of(name, where)).exists()]
        check_free_space(where, missing)
        for name in missing:
            make(name, where)
        found = {}
        for name in names:
            folder = path_of(name, where)
            read_once(folder)
            found[name] = LogSet(name.partition("@")[0], folder, **json.loads(description_of(folder).read_text()))
        yield found
