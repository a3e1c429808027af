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


def test_failing_example_is_found(project):
    _, problems = run_examples.run_all(project({"examples/a.py": "raise ValueError('why')\n"}))
    assert "why" in problems[0]


def test_nothing_to_run_is_an_error(tmp_path):
    assert run_examples.run_all(tmp_path)[1]
