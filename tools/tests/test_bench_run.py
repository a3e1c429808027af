"""bench/run.py tells a bar that is met from one that is missed; bars.toml names all of them."""

from pathlib import Path

import run as bench_run

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

BAR = {"id": "P1", "limits": [{"metric": "us", "at_most": 1.0}, {"metric": "ratio", "at_least": 10}]}


def verdicts(**values):
    return [row.verdict for row in bench_run.judge(BAR, {("P1", name): v for name, v in values.items()})]


def test_verdicts():
    assert verdicts(us=1.0, ratio=10) == ["pass", "pass"]
    assert verdicts(us=1.01, ratio=9.9) == ["miss", "miss"]
    assert verdicts(us=0.5) == ["pass", "not measured"]
    assert verdicts(us=float("nan")) == ["miss", "not measured"]


def test_every_bar_has_limits():
    path = Path(bench_run.__file__).with_name("bars.toml")
    bars = tomllib.loads(path.read_text())["bar"]
    assert [bar["id"] for bar in bars] == [*(f"P{n}" for n in range(1, 14)), "R8"]
    for limit in (limit for bar in bars for limit in bar["limits"]):
        assert {"at_least", "at_most"} & set(limit)


def test_what_some_benchmarks_give_takes_the_place_of_what_the_page_has_of_them_alone():
    bars = [
        {"id": "P1", "what": "one", "peers": ["x"], "limits": [{"metric": "us", "at_most": 1.0}]},
        {"id": "P2", "what": "two", "peers": ["x"], "limits": [{"metric": "us", "at_most": 1.0}]},
        {"id": "P3", "what": "three", "peers": ["x"], "limits": [{"metric": "us", "at_most": 1.0}]},
    ]

    def page(older, **values):
        lines = [{"bar": bar, "metric": "us", "value": value} for bar, value in values.items()]
        measured = {(line["bar"], "us"): line["value"] for line in lines}
        rows = [row for bar in bars for row in bench_run.judge(bar, measured)]
        return bench_run.results_page(bars, rows, lines, older)

    first = page("", P1=0.25, P2=0.5)
    second = page(first, P2=0.75)
    assert "| us | <= 1.0 | 0.25 | pass |" in second
    assert "0.75" in second and "| 0.5 |" not in second
    assert second.index("## P1") < second.index("## P2")
    assert second.count("Not measured yet: P3.") == 1
