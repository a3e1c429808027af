"""What people ask of the viewer: one command, everything that was recorded in one place, beside stock TensorBoard."""

import csv
import io
import json
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from tensorboard.util.tensor_util import make_ndarray

PROGRAM = Path(sys.executable).with_name("tensortap")
SCRIPT = """
    import numpy as np, keras
    import tensortap as tap
    keras.utils.set_random_seed(1)
    x = np.random.default_rng(0).random((128, 6, 6, 1), "float32"); y = (x.mean(axis=(1, 2, 3)) > 0.5).astype("int32")
    layers = [keras.layers.Conv2D(4, 3, activation="relu", name="conv"), keras.layers.Flatten(name="flat")]
    model = keras.Sequential([keras.Input((6, 6, 1)), *layers, keras.layers.Dense(2, "softmax", name="head")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    with tap.Run("runs/fit") as run:
        run.hparams({"optimizer": "adam", "layers": 3})
        rec = tap.keras.Recorder(run, updates=True, every=1, what=("stats", "tensor"))
        model.fit(x, y, batch_size=16, epochs=2, validation_split=0.25, callbacks=[rec], verbose=0)
        rec.close()
        run.image("input", x[:2], step=0)
        run.audio("tone", np.sin(np.arange(800) / 9) / 2, rate=8000, step=0)
        run.text("about", "a **small** network", step=0)
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory, run_script_in):
    directory = tmp_path_factory.mktemp("viewer")
    run_script_in(directory, SCRIPT)
    return directory


class Viewer:
    """What `tensortap serve` printed, and what it answers to one who has that."""

    def __init__(self, printed: str):
        self.printed = printed
        self.address, self.token = re.search(r"(http://\S+?/)\?token=([\w-]+)", printed).groups()

    def get(self, path: str, **parameters) -> bytes:
        query = "?" + urlencode(parameters, doseq=True) if parameters else ""
        headers = {"Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(f"{self.address}{path}{query}", headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()

    def ask(self, route: str, **parameters) -> dict:
        return json.loads(self.get(f"api/v1/{route}", **parameters))

    def rows(self, route: str, **parameters) -> list[dict]:
        return list(csv.DictReader(io.StringIO(self.get(f"api/v1/{route}", format="csv", **parameters).decode())))


@pytest.fixture(scope="module")
def viewer(logs):
    command = [PROGRAM, "serve", "runs", "--port", "0"]
    with subprocess.Popen(command, cwd=logs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            printed = ""
            while "http://" not in printed:
                line = process.stdout.readline()
                assert line, f"tensortap serve ended: {printed}"
                printed += line
            served = Viewer(printed)
            deadline = time.monotonic() + 20
            while served.ask("status")["loading"]:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield served
        finally:
            process.terminate()
    assert process.returncode == 0


def test_002_12_one_command_on_the_log_directory_gives_the_address_of_the_viewer(viewer):
    page = viewer.get("").decode()
    assert "<!doctype html>" in page.lower()
    scripts = re.findall(r'<script[^>]+src="\./([^"]+)"', page)
    assert scripts and sum(len(viewer.get(script)) for script in scripts) > 10_000
    assert [run["name"] for run in viewer.ask("runs")["runs"]] == ["fit"]


def test_000_19_what_was_recorded_shows_alike_in_tensorboard_and_in_the_viewer(viewer, logs, read_events):
    ours = viewer.rows("scalars", run="fit", tag="train/loss")
    events = read_events(logs / "runs/fit/train").Tensors("loss")
    theirs = [(event.step, make_ndarray(event.tensor_proto).item()) for event in events]
    assert [int(row["step"]) for row in ours] == [step for step, _ in theirs] == list(range(12))
    np.testing.assert_array_equal(np.float32([float(row["value"]) for row in ours]), [value for _, value in theirs])


def test_002_5_the_viewer_has_train_and_validation_of_each_metric_under_one_run(viewer):
    tags = {entry["tag"] for entry in viewer.ask("series", run="fit", kind="scalars")["series"]}
    for name in ("loss", "accuracy"):
        assert {f"train/{name}", f"val/{name}"} <= tags
        rows = viewer.rows("scalars", run="fit", tag=[f"train/{name}", f"val/{name}"])
        steps = {
            tag: [int(row["step"]) for row in rows if row["tag"] == tag] for tag in (f"train/{name}", f"val/{name}")
        }
        assert steps == {f"train/{name}": list(range(12)), f"val/{name}": [6, 12]}


def test_004_9_scalars_histograms_images_and_more_in_one_viewer(viewer):
    (run,) = viewer.ask("runs")["runs"]
    assert {"scalars", "stats", "images", "audio", "text", "tensors", "hparams"} <= set(run["kinds"])
    assert len(viewer.rows("stats", run="fit", tag="gradients/conv/kernel")) == 12
    histograms = viewer.rows("histograms", run="fit", tag="activations/conv", max_steps=0)
    assert len(histograms) == 12
    assert sum(json.loads(histograms[0]["count"])) == 16 * 4 * 4 * 4
    array = np.load(io.BytesIO(viewer.get("api/v1/tensor", run="fit", tag="activations/conv", step=3)))
    assert array.shape == (16, 4, 4, 4) and array.dtype == np.float32 and (array >= 0).all()
    assert viewer.get("api/v1/image", run="fit", tag="input", step=0).startswith(b"\x89PNG")
    assert viewer.get("api/v1/audio/clip", run="fit", tag="tone", step=0).startswith(b"RIFF")
    assert viewer.ask("text", run="fit", tag="about")["texts"][0]["strings"] == ["a **small** network"]
    assert viewer.ask("hparams")["runs"][0]["values"] == {"optimizer": "adam", "layers": 3}
    paths = [layer["path"] for layer in viewer.ask("layers", run="fit")["layers"]]
    assert paths == ["conv", "flat", "head"]
