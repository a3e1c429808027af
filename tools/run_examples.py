"""Runs examples/*.py and the code blocks of README.md and docs/**/*.md, as a reader would type them.

The blocks of a page run in order in one directory, so that a later one may read what an earlier one wrote:
  python, py      as a program of its own
  cpp             compiled against include/ (only blocks with an #include; others are fragments)
  sh, bash        lines that start with `tensortap ` or `python `; others (make, git) are not run
A block after the comment `<!-- not run: why -->` is left out; one after `<!-- goes on -->` is the rest of the program
that the python block before it began.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from project_files import project_files, report, repository_root

BLOCK = re.compile(r"(?:<!-- (not run: .+?|goes on) -->\s*)?^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Examples that the acceptance tests run, who also look at what they leave behind: once is enough.
TESTED_EXAMPLES = {
    "each_epoch_tf1.py": "tests/acceptance/test_sessions.py",
    "intermediate_tensors.py": "tests/acceptance/test_intermediate.py",
    "record_outputs.py": "tests/acceptance/test_outputs.py",
    "see_layers.py": "tests/acceptance/test_layers.py",
    "to_csv.py": "tests/acceptance/test_csv.py",
}
SECONDS_EACH = 300


def blocks_of(text: str) -> list[tuple[int, str, str]]:
    """(line, language, code) of every block that is to be run; those that go on are part of the one they go on with."""
    blocks: list[tuple[int, str, str]] = []
    for match in BLOCK.finditer(text):
        comment, language, code = match.groups()
        line = text.count("\n", 0, match.start(3)) + 1
        begun = [i for i, block in enumerate(blocks) if block[1] == language]
        if comment == "goes on" and begun:
            first_line, _, before = blocks[begun[-1]]
            blocks[begun[-1]] = (first_line, language, before + code)
        elif comment in (None, "goes on"):
            blocks.append((line, language, code))
    return blocks


def command_of(language: str, code: str, root: Path) -> tuple[list[str], str] | None:
    """The command that runs a block, and its standard input; None for a block that is only shown."""
    if language in ("python", "py"):
        return [sys.executable, "-"], code
    if language == "cpp" and "#include" in code:
        return ["g++", "-std=c++20", "-fsyntax-only", f"-I{root / 'include'}", "-x", "c++", "-"], code
    if language in ("sh", "bash"):
        typed = (line.removeprefix("$ ") for line in code.splitlines())
        lines = [line for line in typed if line.startswith(("tensortap ", "python "))]
        return (["bash", "-e"], "\n".join(lines)) if lines else None
    return None


def run(command: list[str], code: str, folder: Path) -> str | None:
    """None when it went well, otherwise the last lines it printed."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    try:
        done = subprocess.run(
            command,
            input=code,
            cwd=folder,
            env=environment,
            timeout=SECONDS_EACH,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"still running after {SECONDS_EACH} s"
    return None if done.returncode == 0 else "\n    ".join(done.stdout.splitlines()[-8:])


def run_page(root: Path, page: Path) -> tuple[int, list[str]]:
    """(blocks run, problems)"""
    count, problems = 0, []
    with tempfile.TemporaryDirectory(prefix="tensortap-docs-") as folder:
        for line, language, code in blocks_of((root / page).read_text()):
            command = command_of(language, code, root)
            if command is None:
                continue
            count += 1
            if failure := run(*command, Path(folder)):
                problems.append(f"{page}:{line}: this {language} block fails:\n    {failure}")
    return count, problems


def is_tested(root: Path, example: Path) -> bool:
    test = root / TESTED_EXAMPLES.get(example.name, example)
    return example.name in TESTED_EXAMPLES and test.is_file() and f'"{example.name}"' in test.read_text()


def run_all(root: Path) -> tuple[int, list[str]]:
    count, problems = 0, []
    for path in project_files(root, ".md", ".py"):
        is_page = path.suffix == ".md" and (path.as_posix() == "README.md" or path.parts[0] == "docs")
        if is_page:
            page_count, page_problems = run_page(root, path)
            count += page_count
            problems += page_problems
        elif path.suffix == ".py" and path.parts[0] == "examples":
            if is_tested(root, path):
                continue
            count += 1
            with tempfile.TemporaryDirectory(prefix="tensortap-example-") as folder:
                if failure := run([sys.executable, str(root / path)], "", Path(folder)):
                    problems.append(f"{path}:1: this example fails:\n    {failure}")
    if count == 0:
        problems.append("README.md:1: nothing to run: no README, docs or examples found")
    return count, problems


if __name__ == "__main__":
    how_many, found = run_all(repository_root())
    sys.exit(report("run_examples", found, f"{how_many} examples and code blocks run"))
