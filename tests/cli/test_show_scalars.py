"""`tensortap show` on scalars: curves for people, lines for pipes."""

from __future__ import annotations

import json
import math
import re

import pytest

BRAILLE = re.compile("[\u2800-\u28ff]")


def write(path, frames) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(frames))


def chart(text: str) -> list[str]:
    """The rows of the chart, without their labels."""
    return [re.split("[│┤]", line, maxsplit=1)[1] for line in text.splitlines() if re.search("[│┤]", line)]


def dots_down(rows: list[str]) -> int:
    """How many rows of characters have a dot."""
    return sum(1 for row in rows if BRAILLE.search(row))


def test_a_pipe_gets_every_point_as_step_tab_value(call, recorded):
    done = call("show", recorded, "a", "loss")
    assert done.returncode == 0 and done.stderr == ""
    points = [line.split("\t") for line in done.stdout.splitlines()]
    assert [(int(step), float(value)) for step, value in points] == [(s, 1 / (s + 1)) for s in range(200)]


def test_steps_choose_both_ends_included(call, recorded):
    def steps(of: str) -> list[int]:
        done = call("show", recorded, "a", "loss", f"--steps={of}")
        return [int(line.split("\t")[0]) for line in done.stdout.splitlines()]

    assert steps("10:12") == [10, 11, 12]
    assert steps(":1") == [0, 1] and steps("198:") == [198, 199] and steps("5") == [5]
    assert len(steps("-5:1000")) == 200


@pytest.mark.parametrize("steps", ["a:b", "1:2:3", "1-2", "1.5:2", "99999999999999999999:"])
def test_steps_that_are_none_are_2(call, recorded, steps):
    done = call("show", recorded, "a", "loss", f"--steps={steps}")
    assert done.returncode == 2 and "--steps" in done.stderr and done.stdout == ""


def test_numbers_that_are_none_are_printed_too(call, recorded):
    assert call("show", recorded, "a", "odd").stdout == "0\tnan\n1\t1.5\n2\tinf\n"


def test_json_holds_all_points_and_says_what_json_cannot(call, recorded):
    found = json.loads(call("show", recorded, "a", "odd", "--json").stdout)
    assert (found["run"], found["tag"], found["kind"]) == ("a", "odd", "scalars")
    assert found["step"] == [0, 1, 2] and found["value"] == ["NaN", 1.5, "Infinity"]
    assert len(found["wall_time"]) == 3


def test_a_terminal_gets_a_curve_with_axes_and_the_last_value(on_terminal, recorded):
    seen = on_terminal("show", recorded, "a", "loss", columns=60, rows=20)
    assert seen.returncode == 0 and "200 points" in seen.text
    assert "last 0.005 at step 199" in seen.text and "greatest 1 at step 0" in seen.text
    rows = chart(seen.text)
    assert len(rows) == 15 and dots_down(rows) == 15
    assert all(len(line) < 60 for line in seen.text.splitlines()[1:-1])
    assert BRAILLE.search(rows[0][:2]) and BRAILLE.search(rows[-1][-2:])  # falls from the left to the right
    assert re.search(r"└─+\n +0 +199\n", seen.text)


def test_no_spike_is_lost(on_terminal, frames, tmp_path):
    values = [0.0] * 100_000
    values[54_321] = 1.0
    write(tmp_path / "r" / "tfevents", [frames.version(), *(frames.scalar("s", i, v) for i, v in enumerate(values))])
    seen = on_terminal("show", tmp_path, "r", "s", columns=80)
    assert dots_down(chart(seen.text)) == 16
    assert "greatest 1 at step 54321" in seen.text


def test_nan_and_inf_are_marks_on_the_axis_in_red(on_terminal, frames, tmp_path):
    values = [1.0, math.nan, 2.0, math.inf, 1.5, -math.inf, 1.0]
    write(tmp_path / "r" / "tfevents", [frames.version(), *(frames.scalar("s", i, v) for i, v in enumerate(values))])
    seen = on_terminal("show", tmp_path, "r", "s")
    assert "3 NaN or Inf" in seen.text
    (axis,) = (line for line in seen.text.splitlines() if "└" in line)
    assert re.findall("\x1b\\[31m(.)\x1b\\[0m", axis) == ["x", "^", "v"]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "xterm", "COLORTERM": ""}])
def test_without_colours_marks_are_plain(on_terminal, recorded, environment):
    seen = on_terminal("show", recorded, "a", "odd", **environment)
    assert "x─" in seen.text and "\x1b" not in seen.text


def test_a_dumb_terminal_gets_lines(on_terminal, recorded):
    assert on_terminal("show", recorded, "a", "odd", TERM="dumb").text == "0\tnan\n1\t1.5\n2\tinf\n"


@pytest.mark.parametrize(
    "values", [[1.0], [5.0, 5.0, 5.0], [math.nan], [math.inf, -math.inf], [1.7e308, -1.7e308], [5e-324, 0.0]]
)
def test_odd_series_are_drawn(call, frames, tmp_path, values):
    # Numbers of TensorFlow 1 are float32: the largest become Inf.
    write(tmp_path / "r" / "tfevents", [frames.version(), *(frames.scalar("s", i, v) for i, v in enumerate(values))])
    done = call("show", tmp_path, "r", "s", "--width", 40, "--height", 5)
    assert done.returncode == 0 and len(chart(done.stdout)) == 5


def test_the_greatest_doubles_and_steps_fit_on_the_axes(call, tmp_path):
    import tensortap as tap

    with tap.Run(tmp_path / "r") as run:
        run.scalar("s", 1.7e308, step=-(2**63))
        run.scalar("s", -1.7e308, step=2**63 - 1)
    done = call("show", tmp_path, "r", "s", "--width", 100, "--height", 8)
    assert "1.7e+308" in done.stdout and "-1.7e+308" in done.stdout
    assert "-9223372036854775808" in done.stdout and "9223372036854775807" in done.stdout
    assert dots_down(chart(done.stdout)) == 8


def test_width_and_height_are_kept_in_a_pipe(call, recorded):
    done = call("show", recorded, "a", "loss", "--width", 50, "--height", 7)
    rows = chart(done.stdout)
    assert len(rows) == 7 and "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:-1])) == 50


def test_what_a_restart_replaced_is_said(call, on_terminal, frames, tmp_path):
    steps = [*range(10), *range(5, 10)]
    write(tmp_path / "r" / "tfevents", [frames.version(), *(frames.scalar("s", step, 1.0) for step in steps)])
    assert len(call("show", tmp_path, "r", "s").stdout.splitlines()) == 10
    assert "5 replaced" in on_terminal("show", tmp_path, "r", "s").text


def test_a_tag_that_is_not_there_is_2_with_near_names(call, recorded):
    done = call("show", recorded, "a", "los")
    assert done.returncode == 2 and done.stdout == ""
    assert "'los'" in done.stderr and "'loss'" in done.stderr


def test_a_step_that_is_not_there_is_2(call, recorded):
    assert call("show", recorded, "a", "loss", "--step", 1000).returncode == 2


def test_many_points_are_piped_whole(call, frames, tmp_path):
    write(tmp_path / "r" / "tfevents", [frames.version(), *(frames.scalar("s", i, 1.0) for i in range(100_000))])
    assert call("show", tmp_path, "r", "s").stdout.count("\n") == 100_000
