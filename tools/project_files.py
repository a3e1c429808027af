"""The files of the project: what git tracks or would track; `project_files.py .h .cc` lists some of them."""

import subprocess
import sys
from pathlib import Path

NOT_OURS = {".git", ".venv", "build", "node_modules", "__pycache__"}


def repository_root() -> Path:
    return Path(__file__).resolve().parent.parent


def project_files(root: Path, *suffixes: str) -> list[Path]:
    """Files below `root` with one of the suffixes (all without any), sorted, relative to `root`."""
    names = _git_files(root)
    if names is None:  # an unpacked archive, or a test's directory
        found = (p.relative_to(root) for p in root.rglob("*") if p.is_file())
        names = [p for p in found if not NOT_OURS.intersection(p.parts)]
    return sorted(p for p in names if (not suffixes or p.suffix in suffixes) and (root / p).is_file())


def _git_files(root: Path) -> list[Path] | None:
    if not (root / ".git").exists():
        return None
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        return None
    return [Path(name) for name in listing.stdout.split("\0") if name]


def report(tool: str, problems: list[str], summary: str) -> int:
    """Prints what was found; the exit code of the tool."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{tool}: {len(problems)} problem(s)")
        return 1
    print(f"{tool}: {summary}")
    return 0


if __name__ == "__main__":
    for listed in project_files(repository_root(), *sys.argv[1:]):
        print(listed)
