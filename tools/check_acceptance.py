"""Checks that acceptance.toml and the tests in tests/acceptance/ name the same ids.

An id is "planned" (no test yet) or "tested" (at least one function test_<id>_..., e.g. test_000_16_...).
"""

import re
import sys
from pathlib import Path

from project_files import report, repository_root

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

TEST_FUNCTION = re.compile(r"\s*(?:async )?def (test_\w*)")
TEST_NAME = re.compile(r"test_(\d{3})_(\d+)_\w+")
STATES = ("planned", "tested")


def test_functions(folder: Path) -> list[tuple[str, str]]:
    """(function name, file:line) of every test below `folder`."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            if match := TEST_FUNCTION.match(line):
                found.append((match.group(1), f"{path.relative_to(folder.parent.parent)}:{number}"))
    return found


def check_list(entries: list[dict], where: str) -> list[str]:
    problems = []
    ids = [entry.get("id", "") for entry in entries]
    for identifier, entry in zip(ids, entries, strict=True):
        if not re.fullmatch(r"\d{3}-\d+", identifier) or ids.count(identifier) > 1:
            problems.append(f"{where}: id {identifier!r} is malformed or repeated")
        if not entry.get("wants") or entry.get("state") not in STATES:
            problems.append(f"{where}: {identifier} needs wants = ... and state = {' | '.join(STATES)}")
    return problems if entries else [f"{where}: holds no acceptance ids"]


def check(root: Path) -> tuple[list[str], str]:
    """(problems, summary)"""
    folder = root / "tests" / "acceptance"
    where = "tests/acceptance/acceptance.toml"
    entries = tomllib.loads((folder / "acceptance.toml").read_text()).get("acceptance", [])
    problems = check_list(entries, where)
    states = {entry.get("id"): entry.get("state") for entry in entries}

    tested = set()
    for name, place in test_functions(folder):
        match = TEST_NAME.fullmatch(name)
        identifier = match and f"{match.group(1)}-{match.group(2)}"
        if identifier not in states:
            problems.append(f"{place}: {name} names no acceptance id (test_000_16_what_it_shows)")
            continue
        tested.add(identifier)
        if states[identifier] == "planned":
            problems.append(f'{place}: {identifier} has a test, so say state = "tested" in {where}')
    for identifier, state in states.items():
        if state == "tested" and identifier not in tested:
            problems.append(f"{where}: {identifier} is tested, but tests/acceptance/ has no test for it")
    return problems, f"{len(tested)} of {len(entries)} tested"


if __name__ == "__main__":
    found, summary = check(repository_root())
    sys.exit(report("check_acceptance", found, summary))
