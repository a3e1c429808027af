"""What the tests of the API share: runs with values of every kind, a server on them, and the same runs in Python."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
# Names that somebody may give, and that an address, a page or a table might trip over.
ODD = "we/ird <b>\"'&=%?#+ *\n日本\u202e"


@pytest.fixture(scope="session")
def read_columns():
    """The reader of columns that docs/api.md shows."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict = {}
    exec(next(code for code in blocks if "def read_columns" in code), names)
    return names["read_columns"]


def dtypes() -> list[np.dtype]:
    import ml_dtypes

    plain = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
    extended = ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
    named = [np.dtype(name) for name in [*plain, "bool", "complex64", "complex128"]]
    return named + [np.dtype(getattr(ml_dtypes, name)) for name in extended]


def values_of(dtype: np.dtype) -> np.ndarray:
    """Small whole numbers, which every dtype has; and some that only this one has."""
    values = np.arange(24).reshape(2, 3, 4) % 7
    found = (values % 2).astype(bool) if dtype == np.bool_ else values.astype(dtype)
    if dtype.kind in "iu":
        found[0, 0, 0], found[0, 0, 1] = np.iinfo(dtype).max, np.iinfo(dtype).min
    if dtype.kind in "fc":
        found[0, 0, :3] = [np.nan, np.inf, -np.inf]
        found[0, 1, 0] = 0.1
    return found


@pytest.fixture(scope="session")
def logs(tmp_path_factory) -> Path:
    """A log directory that nobody changes."""
    import tensortap as tap

    folder = tmp_path_factory.mktemp("api") / "logs"
    rng = np.random.default_rng(5)
    with tap.Run(folder / "a") as run:
        run.hparams({"lr": -1e-3, "name": "=1+1", "deep": True})
        for step in range(3000):
            run.scalar("loss", np.sin(step / 100) + (1000 if step == 1234 else 0), step=step)
            run.scalar("exact", 0.1 * step, step=10 * step)
        for step, value in enumerate([np.nan, 1.5, np.inf, -np.inf, 0.25]):
            run.scalar("odd", value, step=step)
        run.sub("val").scalar("loss", 2.5, step=7)
        for step in range(0, 90, 3):
            for layer, width in (("first", 8), ("second", 4)):
                values = rng.normal(size=(5, width)).astype("float32")
                if step == 30 and layer == "second":
                    values[0, :2] = np.nan, np.inf
                run.histogram(f"activations/{layer}", values, step=step)
            run.histogram("weights/first/kernel", rng.normal(size=(3, 8)), step=step)
        for dtype in dtypes():
            run.tensor(f"tensors/{dtype.name}", values_of(dtype), step=3)
        run.tensor("scalar", np.float64(1.5), step=1)
        run.tensor("empty", np.zeros((0, 3), "float32"), step=1)
        for step in (1, 2, 2, 9):
            run.tensor("again", np.full((2,), step + rng.random()), step=step)
        run.image("picture", rng.random((3, 6, 4, 3)), step=2)
        run.image("picture", rng.random((1, 6, 4, 3)), step=5)
        run.audio("beep", np.sin(np.arange(4000) / 10).astype("float32"), rate=8000, step=1)
        for step in range(5):
            run.text("note", f"# {step}\n<script>alert(1)</script>", step=step)
        run.text("table", np.array([["a", "b"], ["-c", "d"]], object), step=0)
    with tap.Run(folder / "deeper" / "b") as run:
        for step in range(50):
            run.scalar("loss", float(step), step=step)
        run.hparams({"lr": 0.5, "name": "plain"})
        for step in range(0, 50, 10):
            run.histogram("activations/first", rng.normal(size=(5, 8)), step=step)
            run.histogram("activations/extra", rng.normal(size=(5, 2)), step=step)
    with tap.Run(folder / "run <i>'&=%+ü") as run:
        run.scalar(ODD, 3.25, step=0)
        run.tensor(ODD, np.arange(3), step=0)
        run.text(ODD + "text", ODD, step=0)
    write_words(folder / "words")
    return folder


def write_words(folder: Path) -> None:
    """A tensor of strings, as TensorFlow writes it."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
    from tensorboard.util.tensor_util import make_tensor_proto

    words = make_tensor_proto(np.array([["a", "=b"], ["ü,\n", ""]], object))
    writer = EventFileWriter(str(folder))
    writer.add_event(Event(wall_time=1.7e9, step=1, summary=Summary(value=[Summary.Value(tag="words", tensor=words)])))
    writer.close()


@pytest.fixture(scope="session")
def odd_tag() -> str:
    return ODD


@pytest.fixture(scope="session")
def runs(logs):
    """The same runs, read by tap.open."""
    import tensortap as tap

    return tap.open(logs, cache=False)


@pytest.fixture(scope="session")
def served(start_server, logs):
    server = start_server(logs, "--no-token")
    server.wait_loaded()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def api(served):
    """(route, **parameters) -> Reply, which must be 200"""

    def ask(route: str, **parameters):
        reply = served.api(route, **parameters)
        assert reply.status == 200, reply.text
        return reply

    return ask


class Series(dict):
    """A series of an answer, with its columns as arrays."""

    def __getattr__(self, name):
        return self[name]


def number(value):
    return float(value) if isinstance(value, str) else value


@pytest.fixture(scope="session")
def series_of(api, read_columns):
    """(route, format, **parameters) -> the series of an answer in columns or JSON, their columns as arrays"""

    def ask(route: str, form: str, **parameters) -> list[Series]:
        reply = api(route, format=form, **parameters)
        if form == "json":
            meta = json.loads(reply.plain)
            return [
                Series({k: np.array([number(x) for x in v]) if isinstance(v, list) else v for k, v in each.items()})
                for each in meta["series"]
            ]
        meta, columns = read_columns(reply.plain)
        plain = ("run", "tag", "total", "total_points", "total_non_finite", "replaced_points", "total_steps")
        if route == "histograms":
            plain = ("run", "tag", "total_steps")
        return [Series({k: v if k in plain else columns[v] for k, v in each.items()}) for each in meta["series"]]

    return ask


@pytest.fixture(scope="session")
def table(api):
    """(route, **parameters) -> the rows of an answer in CSV, as dictionaries of text"""

    def ask(route: str, **parameters) -> list[dict[str, str]]:
        reply = api(route, format="csv", **parameters)
        assert reply.headers["content-type"].startswith("text/csv")
        return list(csv.DictReader(io.StringIO(reply.plain.decode(), newline="")))

    return ask
