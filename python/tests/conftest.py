"""What the tests of the Python package share: the plain reader of the files, small models, programs of their own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

CONFORMANCE = Path(__file__).parents[2] / "tests" / "conformance"


@pytest.fixture(scope="session")
def reader() -> ModuleType:
    """The plain-Python reader of the conformance tests."""
    spec = importlib.util.spec_from_file_location("plain_reader", CONFORMANCE / "capture_reader.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True, scope="session")
def cache_of_its_own(tmp_path_factory):
    """Nothing the tests read ends up in the cache of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENSORTAP_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def run(tmp_path):
    """An open run; closed at the end if the test did not."""
    import tensortap as tap

    with tap.Run(tmp_path / "run") as opened:
        yield opened


@pytest.fixture
def read_back(reader):
    """(run, tag, kind) -> the bodies of its captures, once everything is flushed."""

    def read(run, tag: str, kind: str = "tensor") -> list:
        run.flush()
        return [capture.body for capture in reader.of_tag(Path(run.path), tag, kind)]

    return read


HEEDS_SIGINT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


@pytest.fixture
def start_program():
    """(source, *arguments, **more) -> Popen of a Python of its own; ended when the test ends."""
    started = []

    def start(source: str, *arguments, **more) -> subprocess.Popen:
        process = subprocess.Popen(
            # Whoever runs the tests in the background may have told their children to ignore Ctrl-C.
            [sys.executable, "-c", HEEDS_SIGINT + textwrap.dedent(source), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **more,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def run_program(start_program):
    """(source, *arguments, **more) -> CompletedProcess"""

    def call(source: str, *arguments, timeout: float = 60, **more) -> subprocess.CompletedProcess:
        process = start_program(source, *arguments, **more)
        out, err = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return call


@pytest.fixture(params=["graph", "eager", "jit", "tf_keras"])
def mode(request) -> str:
    """How a model runs; see build_model."""
    return request.param


@pytest.fixture
def build_model():
    """(mode, **more of compile) -> a compiled model of two layers, a and b; always with the same weights."""

    def build(mode: str = "graph", **more: Any) -> Any:
        import keras
        import tf_keras

        library = tf_keras if mode.startswith("tf_keras") else keras
        library.utils.set_random_seed(7)
        layers = library.layers
        parts = [layers.Dense(4, "relu", name="a"), layers.Dense(1, name="b")]
        model = library.Sequential([library.Input((3,)), *parts], name="small")
        options = {"eager": {"run_eagerly": True}, "jit": {"jit_compile": True}}.get(mode, {})
        model.compile(**{"optimizer": library.optimizers.SGD(0.1, momentum=0.5), "loss": "mse", **options, **more})
        return model

    return build


@pytest.fixture
def data() -> dict[str, Any]:
    """What fit takes: two batches."""
    x = np.random.default_rng(1).normal(size=(8, 3)).astype(np.float32)
    return {"x": x, "y": x[:, :1] - x[:, 1:2], "batch_size": 4, "verbose": 0, "shuffle": False}


@pytest.fixture
def state_of():
    """model -> where what is in the attributes of the model, its layers and optimizers; compared by identity."""

    def look(model: Any) -> dict[str, Any]:
        optimizer = getattr(model, "optimizer", None)
        parts = [*model._flatten_layers(), optimizer, getattr(optimizer, "inner_optimizer", None)]
        return {
            f"{index} {type(part).__name__}.{name}": Held(value)
            for index, part in enumerate(parts)
            if part is not None
            for name, value in vars(part).items()
        }

    return look


@pytest.fixture
def changes_since(state_of):
    """(model, state before) -> the attributes that are not as they were, but for those that fit itself sets."""
    of_fit = ("history", "_eval_epoch_iterator", "stop_training", "_train_counter")

    def compare(model: Any, before: dict[str, Any]) -> set[str]:
        after = state_of(model)
        changed = {name for name in {*before, *after} if before.get(name, _missing) != after.get(name, _missing)}
        return {name for name in changed if name.rpartition(".")[2] not in of_fit}

    return compare


_missing = object()


class Held:
    """Equal to what holds the very same object; small values may be equal instead."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Held):
            return False
        if isinstance(self.value, (bool, int, float, str, type(None))):
            return type(self.value) is type(other.value) and self.value == other.value
        return self.value is other.value

    __hash__ = None

    def __repr__(self) -> str:
        return f"{self.value!r:.60}"


@pytest.fixture
def read_run():
    """run or recorder -> what tap.open finds there once everything is flushed."""
    import tensortap as tap

    def read(source: Any) -> Any:
        run = getattr(source, "run", source)
        run.closed or run.flush()
        path = Path(run.path)
        return tap.open(path.parent, cache=False)[path.name]

    return read
