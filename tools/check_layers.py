"""Checks who includes whom, against the tables below: the layers of ARCHITECTURE.md, as data.

A module may include itself, base, the modules of its row, and what those may include.
"""

import re
import sys
from fnmatch import fnmatch
from pathlib import Path

from project_files import project_files, report, repository_root

# module -> modules it may include directly (what those may include follows).
LAYERS: dict[str, set[str]] = {
    "base": set(),
    "wire": {"base"},
    "tensor": {"base"},
    "stats": {"tensor"},
    "format": {"tensor"},
    "event": {"wire", "tensor"},
    "recorder": {"tensor", "stats", "event", "format"},
    "database": {"tensor", "format"},
    "store": {"tensor", "event", "wire"},
    "query": {"tensor", "store"},
    "export": {"query", "format", "database"},
    "model": {"wire", "event", "tensor", "format"},
    "rules": {"query", "stats"},
    "embedding": {"query", "stats"},
    "server": {"query", "rules", "embedding", "export"},
    "cli": {"recorder", "model", "server"},
    "tap_op": set(),
    "python_record": set(),
    "python_read": {"query", "model", "format"},
}

# module -> single headers it may include besides: interfaces that one side offers and the other implements.
ALSO: dict[str, list[str]] = {
    # What a sink is given: captures with their statistics. Rows hold .npy files and numbers as text (format).
    "database": ["recorder/sink*.h", "event/capture.h", "include/tensortap/tensor_stats.h"],
    # Capture records hold statistics; the type is all that the codec needs.
    "event": ["include/tensortap/tensor_stats.h"],
    # Tables hold doubles, whatever a tensor's dtype is; there is one conversion of all dtypes to them.
    "query": ["stats/value_reader.h"],
    # The recorder's capture interface: calls, and taps.
    "tap_op": ["include/tensortap/*.h", "recorder/spot*.h", "recorder/tap_watch.h", "recorder/tap_schedule.h"],
    "python_record": [
        "include/tensortap/*.h",
        "recorder/channel.h",
        "recorder/spot*.h",
        "recorder/tap_watch.h",
        "recorder/tap_schedule.h",
    ],
    "python_read": ["include/tensortap/*.h"],
}

# public header -> the module it belongs to; the first pattern that matches counts.
PUBLIC_HEADERS: dict[str, str] = {
    "export": "base",
    "version": "base",
    "status": "base",
    "result": "base",
    "dtype": "tensor",
    "tensor_view": "tensor",
    "media": "tensor",
    "tensor_stats": "stats",
    "run*": "recorder",
    "sinks": "recorder",
    "report*": "recorder",
}

# third-party header -> the files that may include it.
THIRD_PARTY: dict[str, list[str]] = {
    "boost/*": [
        "src/server/http/connections.h",
        "src/server/http/on_workers.h",
        "src/server/http/server.cc",
        "src/server/http/session.cc",
    ],
    "CLI/*": ["src/cli/program.cc"],
    "fmt/*": ["src/cli/*.cc"],
    "png.h": ["src/format/png.cc"],
    "sqlite3.h": ["src/database/sqlite_*.cc"],
    "libpq-fe.h": ["src/database/postgresql_plugin.cc"],
    "zlib.h": ["src/format/*.cc"],
    "nlohmann/*": ["src/cli/show/graph_outline.cc", "src/server/http/preferences.cc", "src/query/layer_kinds.cc"],
    "protozero/*": ["src/wire/protobuf.h"],
    "hwy/*": ["src/stats/*"],
    "nanobind/*": ["python/bindings/*"],
    "Python.h": ["python/bindings/*"],
    "gtest/*": ["*_test.cc", "*_testutil.h"],
    "gmock/*": ["*_test.cc", "*_testutil.h"],
}

# Everything else in angle brackets must be the language's or the system's.
STANDARD = re.compile(
    r"""[a-z_0-9]+ | (sys|linux|arpa|netinet|asm)/.+\.h
        | (dirent|dlfcn|errno|fcntl|poll|pthread|sched|signal|spawn|stddef|stdlib|string|time|unistd)\.h
        | ([a-z0-9]+intrin|cpuid|arm_acle|arm_neon)\.h | cxxabi\.h""",
    re.VERBOSE,
)
INCLUDE = re.compile(r'\s*#\s*include\s*(<[^>]+>|"[^"]+")')


def reachable(module: str) -> set[str]:
    """All modules that `module` may include."""
    seen = {module, "base"}
    waiting = [module]
    while waiting:
        for below in LAYERS[waiting.pop()] - seen:
            seen.add(below)
            waiting.append(below)
    return seen


def module_of(path: str) -> str | None:
    """The module that a file of the repository belongs to; None when no row names it."""
    parts = path.split("/")
    if path.startswith("include/tensortap/"):
        stem = Path(path).stem
        return next((m for pattern, m in PUBLIC_HEADERS.items() if fnmatch(stem, pattern)), None)
    if path.startswith("python/bindings/"):
        return "python_read" if parts[2] == "read" else "python_record"
    if parts[0] == "src" and len(parts) > 2 and parts[1] in LAYERS:
        return parts[1]
    return None


def included_file(root: Path, includer: Path, include: str) -> str | None:
    """The repository's file behind `include` (<x> or "x"); None when it is none of ours."""
    header = include[1:-1]
    if header.startswith("tensortap/"):
        return f"include/{header}"
    if include.startswith("<"):
        return None
    if header.split("/")[0] in LAYERS or (root / "src" / header).is_file():
        return f"src/{header}"
    if (root / includer.parent / header).is_file():
        return (includer.parent / header).as_posix()
    return None


def check_include(root: Path, includer: Path, module: str, include: str) -> str | None:
    """What is wrong with one #include; None when nothing is."""
    header = include[1:-1]
    target = included_file(root, includer, include)
    if target is None:
        return check_third_party(includer, header)
    below = module_of(target)
    if below is None:
        return f"{target} belongs to no module: add it to tools/check_layers.py"
    if includer.parts[0] == "include" and not target.startswith("include/"):
        return f"a public header includes {target}, which is not installed"
    if below in reachable(module):
        return None
    if any(fnmatch(target.removeprefix("src/"), pattern) for pattern in ALSO.get(module, [])):
        return None
    allowed = ", ".join(sorted(reachable(module) - {module}) + ALSO.get(module, []))
    return f"{module} may not include {below} ({header}); allowed: {allowed}"


def check_third_party(includer: Path, header: str) -> str | None:
    for pattern, files in THIRD_PARTY.items():
        if fnmatch(header, pattern):
            if any(fnmatch(includer.as_posix(), allowed) for allowed in files):
                return None
            return f"<{header}> is for {', '.join(files)} only"
    if STANDARD.fullmatch(header):
        return None
    return f"<{header}> is unknown: add it to THIRD_PARTY in tools/check_layers.py, with the files that need it"


def check_folders(root: Path) -> list[str]:
    folders = sorted(p.name for p in (root / "src").iterdir() if p.is_dir())
    return [
        f"src/{name}: a folder without a row in LAYERS of tools/check_layers.py"
        for name in folders
        if name not in LAYERS
    ]


def check(root: Path) -> list[str]:
    problems = check_folders(root)
    for path in project_files(root, ".h", ".cc"):
        name = path.as_posix()
        if not name.startswith(("src/", "include/", "python/bindings/")):
            continue
        module = module_of(name)
        if module is None:
            problems.append(f"{name}:1: belongs to no module of tools/check_layers.py")
            continue
        for number, line in enumerate((root / path).read_text().splitlines(), start=1):
            if match := INCLUDE.match(line):
                problem = check_include(root, path, module, match.group(1))
                if problem:
                    problems.append(f"{name}:{number}: {problem}")
    return problems


if __name__ == "__main__":
    sys.exit(report("check_layers", check(repository_root()), "every include keeps to the layers"))
