"""Runs bench/p*.py (speed) and bench/r*.py (load), holds what they print against bars.toml, writes RESULTS.md.

run.py               all of them
run.py p01 p02       some; nothing is written
run.py p01 --write   some; what they give takes the place of what RESULTS.md has of them
run.py --smoke       a few seconds, to see that they run: no bar is checked, nothing is written
run.py --strict      exit 1 when a bar is missed
"""

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

HERE = Path(__file__).resolve().parent


@dataclass
class Row:
    """One limit of one bar, and what was measured for it."""

    bar: str
    metric: str
    limit: str
    value: float | None
    verdict: str  # pass | miss | not measured


def judge(bar: dict, measured: dict[tuple[str, str], float]) -> list[Row]:
    rows = []
    for limit in bar["limits"]:
        value = measured.get((bar["id"], limit["metric"]))
        text = f">= {limit['at_least']}" if "at_least" in limit else f"<= {limit['at_most']}"
        if value is None:
            verdict = "not measured"
        elif value >= limit.get("at_least", value) and value <= limit.get("at_most", value):
            verdict = "pass"
        else:
            verdict = "miss"
        rows.append(Row(bar["id"], limit["metric"], text, value, verdict))
    return rows


def run_scripts(scripts: list[Path], smoke: bool) -> list[dict]:
    """What all of them print. The logs that several load are made once, below TMPDIR (bench/log_sets.py)."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="tensortap-bench-") as logs:
        os.environ.setdefault("BENCH_LOGS", logs)
        for script in scripts:
            print(f"running {script.name}", file=sys.stderr, flush=True)
            lines += run_script(script, smoke)
    return lines


def run_script(script: Path, smoke: bool) -> list[dict]:
    """The JSON lines a benchmark prints; its failure ends the run."""
    environment = os.environ | ({"BENCH_SMOKE": "1"} if smoke else {})
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stderr}\n{script.name} failed with exit code {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def machine() -> str:
    """The kind of machine, without its name."""
    model = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} cores, Linux, Python {platform.python_version()}"


def commit() -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = " with changes" if git("status", "--porcelain", "--", "../src", "../include", "../python") else ""
    return (git("rev-parse", "--short", "HEAD") or "none") + changed


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def table(rows: list[Row]) -> str:
    lines = [f"{'bar':4} {'metric':34} {'limit':>10} {'measured':>10}  verdict"]
    lines += [f"{r.bar:4} {r.metric:34} {r.limit:>10} {number(r.value):>10}  {r.verdict}" for r in rows]
    return "\n".join(lines)


def section(bar: dict, rows: list[Row], lines: list[dict]) -> str:
    """What was measured of one bar, and when."""
    when = f"Measured {datetime.date.today().isoformat()} at {commit()} on {machine()}."
    page = [f"## {bar['id']}: {bar['what']}", "", when, f"Peers: {', '.join(bar['peers'])}.", ""]
    page += ["| metric | limit | measured | verdict |", "|---|---|---|---|"]
    page += [f"| {r.metric} | {r.limit} | {number(r.value)} | {r.verdict} |" for r in rows]
    page += ["", "| all measurements | median | min | unit |", "|---|---|---|---|"]
    page += [
        f"| {li['metric']} | {number(li['value'])} | {number(li.get('min'))} | {li.get('unit', '')} |"
        for li in lines
        if li["bar"] == bar["id"] and "metric" in li
    ]
    return "\n".join([*page, ""])


def sections_of(page: str) -> dict[str, str]:
    """Those of an older page, by the bar's id."""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]
    return {part[3 : part.index(":")]: re.sub(r"\nNot measured yet:.*", "", part).rstrip() + "\n" for part in parts}


def results_page(bars: list[dict], rows: list[Row], lines: list[dict], older: str) -> str:
    """What was measured now; of the bars that were not, what the older page says."""
    sections = sections_of(older)
    for bar in bars:
        if of_bar := [row for row in rows if row.bar == bar["id"] and row.value is not None]:
            sections[bar["id"]] = section(bar, of_bar, lines)
    page = [
        "# Benchmark results",
        "",
        "Generated by `make bench`; not edited by hand.",
        "Ratios are measured side by side in one run; absolute times hold for this machine only.",
        "",
        *(sections[bar["id"]] for bar in bars if bar["id"] in sections),
    ]
    if missing := [bar["id"] for bar in bars if bar["id"] not in sections]:
        page += [f"Not measured yet: {', '.join(missing)}.", ""]
    return "\n".join(page)


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the benchmarks.")
    parser.add_argument("names", nargs="*", help="p01, r08, ...: all when none is named")
    parser.add_argument("--smoke", action="store_true", help="short, no bars, nothing written")
    parser.add_argument("--write", action="store_true", help="of some benchmarks, too")
    parser.add_argument("--strict", action="store_true", help="exit 1 when a bar is missed")
    options = parser.parse_args()

    scripts = [s for s in sorted(HERE.glob("[pr][0-9]*.py")) if not options.names or s.name[:3] in options.names]
    if not scripts:
        sys.exit(f"no benchmark is called {' or '.join(options.names)}")
    lines = run_scripts(scripts, options.smoke)
    measured = {(line["bar"], line["metric"]): line["value"] for line in lines if "metric" in line}
    if options.smoke:
        print(f"bench smoke: {len(scripts)} benchmarks, {len(measured)} measurements")
        return 0 if measured else 1

    bars = tomllib.loads((HERE / "bars.toml").read_text())["bar"]
    rows = [row for bar in bars for row in judge(bar, measured)]
    shown = [row for row in rows if row.value is not None]
    print(table(shown))
    if not options.names or options.write:
        results = HERE / "RESULTS.md"
        results.write_text(results_page(bars, rows, lines, results.read_text() if options.names else ""))
        print("wrote bench/RESULTS.md")
    missed = sum(row.verdict == "miss" for row in shown)
    print(f"{len(shown) - missed} of {len(shown)} measured limits pass")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
