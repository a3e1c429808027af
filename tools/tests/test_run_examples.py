"""run_examples runs what a page shows, in order, and says which block fails."""

import run_examples

GOOD = """
```python
open("x", "w").write("1")
```
<!-- not run: needs a network -->
```python
raise SystemExit(1)
```
```sh
make nothing-of-the-kind
$ python -c 'assert open("x").read() == "1"'
```
```cpp
#include <vector>
int main() { return 0; }
```
```cpp
fragment(
```
"""


def test_good_page_passes(project):
    assert run_examples.run_all(project({"README.md": GOOD})) == (3, [])


def test_failing_block_is_named_with_its_line(project):
    for block in ("```python\n1 / 0\n```\n", "```sh\npython -c 1/0\n```\n", "```cpp\n#include <none>\n```\n"):
        _, problems = run_examples.run_all(project({"docs/a.md": f"text\n{block}"}))
        assert len(problems) == 1
        assert problems[0].startswith("docs/a.md:3: ")


def test_a_block_that_goes_on_is_part_of_the_program_before(project):
    begun = "```python\nx = 1\n```\n```sh\npython -c 1\n```\n"
    page = begun + "text\n<!-- goes on -->\n```python\nassert x == 1\n```\n"
    assert run_examples.run_all(project({"docs/a.md": page})) == (2, [])
    _, problems = run_examples.run_all(project({"docs/a.md": page.replace("x == 1", "x == 2")}))
    assert problems[0].startswith("docs/a.md:2: ")


def test_an_example_is_left_to_the_test_that_runs_it(project):
    name, test = next(iter(run_examples.TESTED_EXAMPLES.items()))
    failing = {f"examples/{name}": "raise ValueError('why')\n", "examples/b.py": "\n"}
    assert run_examples.run_all(project({**failing, test: f'run("{name}")'})) == (1, [])
    assert "why" in run_examples.run_all(project({**failing, test: "no more"}))[1][0]


def test_failing_example_is_found(project):
    _, problems = run_examples.run_all(project({"examples/a.py": "raise ValueError('why')\n"}))
    assert "why" in problems[0]


def test_nothing_to_run_is_an_error(tmp_path):
    assert run_examples.run_all(tmp_path)[1]
