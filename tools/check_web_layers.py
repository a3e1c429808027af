"""Checks the rooms of web/: who may import whom, the only fetch, the only {@html}, no registry in the lock file.

A room may import itself and the rooms of its row; a view may never import another view.
"""

import re
import sys
from pathlib import Path, PurePosixPath

from project_files import project_files, report, repository_root

SOURCE = PurePosixPath("web/src")

# room -> rooms it may import.
ROOMS: dict[str, set[str]] = {
    "api": set(),
    "state": {"api"},
    "charts": set(),
    "widgets": {"api", "state", "charts"},
    "views": {"api", "state", "charts", "widgets"},
    "app": {"api", "state", "charts", "widgets", "views"},
}
# room -> rooms of which it may import types alone.
TYPES_OF: dict[str, set[str]] = {"charts": {"api", "state"}}
# Only the client asks the server; views may name the types of answers, and the client itself.
ASKS = re.compile(r"\b(?:fetch|EventSource|XMLHttpRequest|WebSocket|sendBeacon)\s*\(")
ASKING_ROOM = "api"
# The only places where text becomes HTML: all of it was sanitised.
HTML = re.compile(r"\{@html\b|\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML\s*\(|document\.write\s*\(")
HTML_FILE = "web/src/widgets/Markdown.svelte"
# A style attribute is blocked by the page's own security policy; style: directives are not.
STYLE_ATTRIBUTE = re.compile(r"""\sstyle=["'{]""")
IMPORT = re.compile(
    r"""(?:^|[\s;])(?P<keyword>import|export)\s+(?P<type>type\s)?(?P<names>[^'";]*?from\s*)?["'](?P<plain>[^"'\n]+)["']
        |\bimport\s*\(\s*["'](?P<lazy>[^"'\n]+)["']
        |\bimport\.meta\.glob(?:<[^(]*>)?\(\s*["'](?P<glob>[^"'\n]+)["']""",
    re.VERBOSE,
)
REGISTRY = re.compile(r'"resolved":|https?://[^/"\s]*(?:registry|npm|mirror|artifactory|nexus)[^/"\s]*', re.IGNORECASE)
TEST = re.compile(r"(?:\.test|_testutil(?:\.svelte)?)\.ts$")


def room_of(path: PurePosixPath) -> tuple[str, str | None] | None:
    """(room, view) of a file below web/src; None for files outside."""
    if not path.is_relative_to(SOURCE):
        return None
    parts = path.relative_to(SOURCE).parts
    if len(parts) < 2:
        return None
    return parts[0], parts[1] if parts[0] == "views" and len(parts) > 2 else None


def imported_path(importer: PurePosixPath, target: str) -> PurePosixPath | None:
    """The file behind an import, without regard to its ending; None for packages."""
    if target.startswith("$"):
        return SOURCE / target[1:]
    if not target.startswith("."):
        return None
    parts: list[str] = []
    for part in (importer.parent / target).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)


def check_import(importer: PurePosixPath, target: str, types_only: bool) -> str | None:
    """What is wrong with one import; None when nothing is."""
    room, view = room_of(importer) or (None, None)
    path = imported_path(importer, target)
    if room is None or path is None:
        return None
    below, below_view = room_of(path) or (path.name, None)
    if below == room:
        if room == "views" and below_view != view:
            return f"a view may not import another view ({target}); what both need belongs in charts, widgets or state"
        if target.startswith("$"):
            return f"inside {room} imports are relative ({target})"
        return None
    if below not in ROOMS:
        return f"{target} is in no room of tools/check_web_layers.py"
    allowed = ROOMS[room] | (TYPES_OF.get(room, set()) if types_only else set())
    if below not in allowed:
        rooms = ", ".join(sorted(ROOMS[room])) or "none"
        return f"{room} may not import {below} ({target}); allowed: {rooms}"
    if room != "app" and not target.startswith("$"):
        return f"another room is imported by its alias: ${below}/... ({target})"
    return None


def check_text(name: str, text: str) -> list[str]:
    path = PurePosixPath(name)
    problems = []

    def add(position: int, problem: str) -> None:
        line = text.count("\n", 0, position) + 1
        problems.append(f"{name}:{line}: {problem}")

    room = room_of(path)
    if room is None:
        return problems
    if room[0] not in ROOMS:
        return [f"{name}:1: is in no room of tools/check_web_layers.py"]
    for match in IMPORT.finditer(text):
        target = match["plain"] or match["lazy"] or match["glob"]
        if match["plain"] and match["keyword"] == "export" and not match["names"]:
            continue
        problem = check_import(path, target, match["type"] is not None)
        if problem:
            add(match.start() + len(match[0]) - len(match[0].lstrip()), problem)
    if TEST.search(name):
        return problems
    if room[0] != ASKING_ROOM:
        for match in ASKS.finditer(text):
            add(match.start(), "only web/src/api asks the server")
    if name != HTML_FILE:
        for match in HTML.finditer(text):
            add(match.start(), f"text becomes HTML only in {HTML_FILE}")
    if path.suffix == ".svelte":
        for match in STYLE_ATTRIBUTE.finditer(text):
            add(
                match.start() + 1,
                "the page's policy blocks style attributes: use a style: directive or a class",
            )
    return problems


def check_lock(name: str, text: str) -> list[str]:
    return [
        f"{name}:{number}: names a package registry: {match[0]}"
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := REGISTRY.search(line))
    ]


def check(root: Path) -> list[str]:
    problems = []
    for path in project_files(root, ".ts", ".svelte"):
        problems += check_text(path.as_posix(), (root / path).read_text())
    lock = root / "web/package-lock.json"
    if lock.is_file():
        problems += check_lock("web/package-lock.json", lock.read_text())
    return problems


if __name__ == "__main__":
    sys.exit(report("check_web_layers", check(repository_root()), "the page keeps to its rooms"))
