"""Checks how long source files are: warns above the soft limit, fails above the hard one; and comment lines.

Code lines are clang-format's and ruff's affair (110 columns); clang-format leaves comments alone.
"""

import sys
from pathlib import Path

from project_files import project_files, report, repository_root

# kind -> (soft, hard), in lines.
LIMITS = {"source": (300, 500), "header": (200, 350), "test": (400, 700)}
LINE_LIMIT = 120  # columns of a C++ line, comments included
SUFFIXES = (".cc", ".h", ".py", ".ts", ".svelte")


def kind_of(path: Path) -> str:
    name = path.name
    if name.endswith(("_test.cc", "_testutil.h", ".test.ts")) or name.startswith(("test_", "conftest")):
        return "test"
    return "header" if path.suffix == ".h" else "source"


def check(root: Path) -> tuple[list[str], list[str]]:
    """(problems, warnings)"""
    problems, warnings = [], []
    for path in project_files(root, *SUFFIXES):
        text = (root / path).read_text().splitlines()
        if path.suffix in (".cc", ".h"):
            problems += [
                f"{path}:{number}: {len(line)} columns; wrap it (110, at most {LINE_LIMIT})"
                for number, line in enumerate(text, start=1)
                if len(line) > LINE_LIMIT
            ]
        lines = len(text)
        kind = kind_of(path)
        soft, hard = LIMITS[kind]
        if lines > hard:
            problems.append(f"{path}:1: {lines} lines; a {kind} file may have {hard}: split it")
        elif lines > soft:
            warnings.append(f"{path}:1: warning: {lines} lines; aim for {soft} in a {kind} file")
    return problems, warnings


if __name__ == "__main__":
    found, soft_ones = check(repository_root())
    for warning in soft_ones:
        print(warning)
    sys.exit(report("check_sizes", found, f"no file is too long ({len(soft_ones)} could be shorter)"))
