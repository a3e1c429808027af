"""check_words finds names of machines, and leaves ordinary text alone."""

import pytest

import check_words


@pytest.mark.parametrize(
    "text",
    [
        "cd /work/main",
        'open("/root/x")',
        "/tmp/venv/bin/python",
        "/home/someone/src",
        "https://registry.npmjs.org/x",
        "https://pypi.example.com/simple",
        "pip install --index-url x",
        "http://cache.build.internal/x",
    ],
)
def test_bad_words_are_found(project, text):
    problems = check_words.check(project({"docs/a.md": f"first\n{text}\n"}))
    assert len(problems) == 1
    assert problems[0].startswith("docs/a.md:2: ")


@pytest.mark.parametrize(
    "text", ["build/root.cc", "runs/work/a", "/tmp", "http://localhost:6006", "~/.local/bin", "${dir}/root"]
)
def test_ordinary_words_pass(project, text):
    assert check_words.check(project({"docs/a.md": text})) == []
