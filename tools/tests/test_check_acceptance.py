"""check_acceptance finds every way in which the list and the tests can disagree."""

import check_acceptance

PLANNED = '[[acceptance]]\nid = "000-1"\nwants = "a"\nstate = "planned"\n'
TESTED = PLANNED.replace("planned", "tested")


def check(project, toml, python=""):
    root = project({"tests/acceptance/acceptance.toml": toml, "tests/acceptance/test_a.py": python})
    return check_acceptance.check(root)


def test_agreement_passes(project):
    assert check(project, PLANNED) == ([], "0 of 1 tested")
    assert check(project, TESTED, "def test_000_1_by_name(): ...\n") == ([], "1 of 1 tested")


def test_tested_without_test_is_found(project):
    problems, _ = check(project, TESTED, "def test_000_1(): ...\n")
    assert len(problems) == 2  # the test has no words, and the id no test


def test_similar_number_does_not_count(project):
    problems, _ = check(project, TESTED, "def test_000_11_x(): ...\n")
    assert any("no test for it" in problem for problem in problems)


def test_planned_with_test_is_found(project):
    problems, _ = check(project, PLANNED, "def test_000_1_by_name(): ...\n")
    assert "has a test" in problems[0]


def test_unknown_and_missing_ids_are_found(project):
    for name in ("test_000_9_x", "test_something"):
        problems, _ = check(project, PLANNED, f"def {name}(): ...\n")
        assert "tests/acceptance/test_a.py:1" in problems[0]


def test_bad_list_is_found(project):
    assert check(project, "")[0]
    assert check(project, PLANNED + PLANNED)[0]
    assert check(project, PLANNED.replace("planned", "maybe"))[0]
    assert check(project, PLANNED.replace("000-1", "one"))[0]
