"""Stock TensorBoard as a whole, loading fast and loading slowly, shows everything over HTTP."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np
import pytest

START_SECONDS = 60
LOAD_SECONDS = 30


class TensorBoard:
    """A TensorBoard of its own process, and its HTTP API."""

    def __init__(self, log_directory: Path, *flags: str):
        program = Path(sys.executable).with_name("tensorboard")
        self._process = subprocess.Popen(
            [program, "--logdir", log_directory, "--port", "0", "--host", "localhost", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._lines: list[str] = []
        self._reader = threading.Thread(target=lambda: self._lines.extend(self._process.stdout), daemon=True)
        self._reader.start()
        self._address = ""

    def wait_for_address(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if match := re.search(r"at (http://localhost:\d+)/", "".join(self._lines)):
                self._address = match.group(1)
                return
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("TensorBoard did not start:\n" + "".join(self._lines))

    def get(self, path: str, **query: str | int) -> bytes:
        address = f"{self._address}/data/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(address, timeout=20) as reply:
            return reply.read()

    def json(self, path: str, **query: str | int):
        return json.loads(self.get(path, **query))

    def post(self, path: str, body: dict):
        request = urllib.request.Request(
            f"{self._address}/data/{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as reply:
            return json.loads(reply.read())

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def boards(everything):
    """Both at once: most of their time goes into starting."""
    started = {
        mode: TensorBoard(
            everything.log_directory,
            f"--load_fast={mode}",
            "--samples_per_plugin=scalars=10000,images=100,histograms=1000",
        )
        for mode in ("true", "false")
    }
    try:
        for board in started.values():
            board.wait_for_address()
        yield started
    finally:
        for board in started.values():
            board.stop()


@pytest.fixture(scope="module", params=["true", "false"], ids=["fast", "slow"])
def board(request, boards, everything):
    """One of them, once it has loaded every run."""
    chosen = boards[request.param]
    end = time.monotonic() + LOAD_SECONDS
    seen: list = []
    while time.monotonic() < end:
        seen = chosen.json("runs")
        tags = chosen.json("plugin/scalars/tags")
        if set(seen) >= set(everything.runs_with_events) and "all/val" in tags and "loss" in tags.get("all", {}):
            return chosen
        time.sleep(0.2)
    raise TimeoutError(f"TensorBoard loaded {seen} of {everything.runs_with_events}")


def test_the_page_lists_the_runs_with_events_and_no_other(board, everything):
    assert sorted(board.json("runs")) == sorted(everything.runs_with_events)


def test_the_page_has_every_scalar_with_every_point(board, everything):
    tags = board.json("plugin/scalars/tags")
    assert sorted(tags["all"]) == sorted(everything.scalars)
    for tag in ("loss", "accuracy", "größe/日本語 📈", "steps"):
        points = board.json("plugin/scalars/scalars", run="all", tag=tag)
        wanted = [[step, float(np.float32(value))] for step, value in everything.scalars[tag]]
        assert [[step, value] for _, step, value in points] == wanted


def test_the_page_names_values_that_are_no_numbers(board, everything):
    points = board.json("plugin/scalars/scalars", run="all", tag="odd")
    with np.errstate(over="ignore"):
        wanted = [float(np.float32(value)) for _, value in everything.scalars["odd"]]
    np.testing.assert_equal([float(value) for _, _, value in points], wanted)


def test_the_page_overlays_train_and_val(board, everything):
    for name, losses in everything.sub_losses.items():
        points = board.json("plugin/scalars/scalars", run=f"all/{name}", tag="epoch_loss")
        assert [value for _, _, value in points] == [float(np.float32(value)) for value in losses]


def test_the_page_has_every_histogram(board, everything):
    tags = board.json("plugin/histograms/tags")["all"]
    assert set(tags) == {"phased", *(f"histograms/{tag}" for tag in everything.histograms)}
    for tag, arrays in everything.histograms.items():
        shown = board.json("plugin/histograms/histograms", run="all", tag=f"histograms/{tag}")
        counts = [sum(count for _, _, count in rows) for _, _, rows in shown]
        assert counts == [np.isfinite(np.asarray(array, np.float64)).sum() for array in arrays], tag


@pytest.mark.parametrize("tag", ["normal", "constant", "zeros", "not finite", "empty", "all nan", "beyond float32"])
def test_the_page_draws_distributions_of_ordinary_and_of_strange_tensors(board, everything, tag):
    shown = board.json("plugin/distributions/distributions", run="all", tag=f"histograms/{tag}")
    values = np.asarray(everything.histograms[tag][0], np.float64)
    values = values[np.isfinite(values)]
    assert len(shown) == len(everything.histograms[tag])
    for _, value in shown[0][2] if len(values) else []:
        assert values.min() <= value <= values.max()


def test_the_page_serves_the_pictures(board, everything):
    tags = board.json("plugin/images/tags")["all"]
    assert set(tags) == {f"images/{tag}" for tag in everything.images}
    assert tags["images/batch"]["samples"] == 5
    (shown,) = board.json("plugin/images/images", run="all", tag="images/batch", sample=4)
    assert board.get(f"plugin/images/individualImage?{shown['query']}&x").startswith(b"\x89PNG")


def test_the_page_serves_the_sounds(board, everything):
    tags = board.json("plugin/audio/tags")["all"]
    assert set(tags) == {f"audio/{tag}" for tag in everything.audio}
    assert tags["audio/clips"]["samples"] == 3 and tags["audio/mono"]["samples"] == 1
    (shown,) = board.json("plugin/audio/audio", run="all", tag="audio/clips", sample=2)
    assert shown["contentType"] == "audio/wav"
    assert board.get(f"plugin/audio/individualAudio?{shown['query']}&x").startswith(b"RIFF")


def test_the_page_renders_texts_and_tables(board, everything):
    assert set(board.json("plugin/text/tags")["all"]) == set(everything.texts)
    note = board.json("plugin/text/text", run="all", tag="note")
    assert "<strong>bold</strong> größe" in note[0]["text"] and "second" in note[1]["text"]
    table = board.json("plugin/text/text", run="all", tag="table")[0]["text"]
    assert table.count("<td>") == 4 and "日本" in table


def test_the_page_compares_runs_by_hyperparameters(board, everything_module):
    experiment = board.post("plugin/hparams/experiment", {})
    assert {info["name"] for info in experiment["hparamInfos"]} == set(everything_module.HPARAMS)
    statuses = ["STATUS_SUCCESS", "STATUS_FAILURE"]
    groups = board.post(
        "plugin/hparams/session_groups", {"startIndex": 0, "sliceSize": 10, "allowedStatuses": statuses}
    )["sessionGroups"]
    sessions = {session["name"]: session["status"] for group in groups for session in group["sessions"]}
    assert sessions == {"all": "STATUS_SUCCESS", "failed": "STATUS_FAILURE"}


def test_the_page_draws_graphs_and_keras_models(board):
    info = board.json("plugin/graphs/info")
    assert info["all"]["run_graph"] is True
    assert b"product" in board.get("plugin/graphs/graph", run="all")
    for name, layer in {"sequential": b"stack/hidden", "functional": b"net/joined"}.items():
        assert info[f"models/{name}"]["tags"]["keras"]["conceptual_graph"] is True
        graph = board.get("plugin/graphs/graph", run=f"models/{name}", tag="keras", conceptual="true")
        assert layer in graph


def test_the_page_draws_pr_curves_and_meshes(board):
    (first, _) = board.json("plugin/pr_curves/pr_curves", run="all", tag="curve")["all"]
    assert len(first["precision"]) > 10 and first["step"] == 0
    meshes = board.json("plugin/mesh/tags")["all"]
    assert set(meshes) == {"body", "cloud"}
    parts = board.json("plugin/mesh/meshes", run="all", tag="body", sample=0)
    assert sorted({part["content_type"] for part in parts}) == [1, 2, 3]  # vertices, faces, colors
