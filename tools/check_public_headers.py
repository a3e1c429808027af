"""Checks that every public header compiles alone, and includes only ours and the standard's."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from project_files import report, repository_root

COMPILE = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x", "c++"]
INCLUDE = re.compile(r'\s*#\s*include\s*(<[^>]+>|"[^"]+")')


def foreign_includes(root: Path, header: Path) -> list[str]:
    """Includes that are neither <standard> (no dot in the name) nor ours: a consumer may lack them."""
    problems = []
    for number, line in enumerate(header.read_text().splitlines(), start=1):
        match = INCLUDE.match(line)
        if match and not re.fullmatch(r'<[a-z_0-9]+>|"tensortap/[a-z_0-9]+\.h"', match.group(1)):
            problems.append(f"{header.relative_to(root)}:{number}: a public header includes {match.group(1)}")
    return problems


def compile_alone(root: Path, header: Path) -> list[str]:
    source = f'#include "tensortap/{header.name}"\n#include "tensortap/{header.name}"\n'
    result = subprocess.run(
        [*COMPILE, f"-I{root / 'include'}", "-"], input=source, capture_output=True, text=True, check=False
    )
    if result.returncode == 0:
        return []
    first_error = next((li for li in result.stderr.splitlines() if "error" in li), result.stderr.strip())
    return [f"{header.relative_to(root)}:1: does not compile alone: {first_error}"]


def check(root: Path) -> list[str]:
    headers = sorted((root / "include" / "tensortap").glob("*.h"))
    if not headers:
        return ["include/tensortap: no public headers found"]
    problems = [problem for header in headers for problem in foreign_includes(root, header)]
    with ThreadPoolExecutor() as pool:
        for found in pool.map(lambda header: compile_alone(root, header), headers):
            problems += found
    return problems


if __name__ == "__main__":
    sys.exit(report("check_public_headers", check(repository_root()), "each public header stands alone"))
