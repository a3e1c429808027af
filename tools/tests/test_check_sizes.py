"""check_sizes tells short, long and too long apart, for each kind of file."""

import pytest

import check_sizes


@pytest.mark.parametrize(
    ("path", "soft", "hard"),
    [
        ("a.cc", 300, 500),
        ("a.py", 300, 500),
        ("a.h", 200, 350),
        ("a_test.cc", 400, 700),
        ("test_a.py", 400, 700),
    ],
)
def test_limits(project, path, soft, hard):
    assert check_sizes.check(project({path: "x\n" * soft})) == ([], [])
    problems, warnings = check_sizes.check(project({path: "x\n" * (soft + 1)}))
    assert (len(problems), len(warnings)) == (0, 1)
    problems, warnings = check_sizes.check(project({path: "x\n" * (hard + 1)}))
    assert (len(problems), len(warnings)) == (1, 0)
    assert path in problems[0]


def test_long_comment_line_is_found(project):
    assert check_sizes.check(project({"a.h": "/" * 120})) == ([], [])
    problems, _ = check_sizes.check(project({"a.h": "x\n" + "/" * 121}))
    assert problems[0].startswith("a.h:2: ")
