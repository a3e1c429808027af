"""Checks that no file of the project names a machine: local paths, package mirrors, inner hosts."""

import re
import sys
from pathlib import Path

from project_files import project_files, report, repository_root

# what it is -> how it looks
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.\-$}*])/(?:work/|root(?:/|\b(?!\.))|tmp/v|home/[a-z]+/)"),
    "a package registry or mirror": re.compile(
        r"\b(?:registry|mirror|artifactory|nexus|pypi)\.[a-z0-9-]+\.[a-z]{2,}|files\.pythonhosted\.org|"
        r"pypi\.org/simple|--(?:extra-)?index-url|--find-links|--trusted-host"
    ),
    "an inner host name": re.compile(r"https?://[^/\s]*\.(?:internal|intranet|corp|lan|local)\b"),
}
# These two hold the words themselves.
EXCEPT = {"tools/check_words.py", "tools/tests/test_check_words.py"}


def check_text(name: str, text: str) -> list[str]:
    problems = []
    for number, line in enumerate(text.splitlines(), start=1):
        for what, pattern in FORBIDDEN.items():
            if match := pattern.search(line):
                problems.append(f"{name}:{number}: {what}: {match.group(0)}")
    return problems


def check(root: Path) -> list[str]:
    problems = []
    for path in project_files(root):
        if path.as_posix() in EXCEPT:
            continue
        try:
            text = (root / path).read_text()
        except UnicodeDecodeError:
            continue  # pictures and golden files
        problems += check_text(path.as_posix(), text)
    return problems


if __name__ == "__main__":
    sys.exit(report("check_words", check(repository_root()), "no machine is named"))
