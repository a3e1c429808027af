"""What the conformance tests share: one recorded log directory, and readers of it that are not ours."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def _load(name: str) -> ModuleType:
    """A module that stands beside this file; test folders are no packages."""
    spec = importlib.util.spec_from_file_location(f"conformance_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def load_module():
    return _load


@pytest.fixture(scope="session")
def start_server(tmp_path_factory):
    """(log directory, *flags) -> DataServer, loaded once; all are stopped at the end."""
    data_server = _load("data_server")
    started = []

    def start(log_directory: Path, *flags: str):
        started.append(data_server.DataServer(log_directory, tmp_path_factory.mktemp("port") / "port", *flags))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def capture_reader() -> ModuleType:
    """The plain-Python reader."""
    return _load("capture_reader")


@pytest.fixture(scope="session")
def everything_module() -> ModuleType:
    return _load("everything")


@pytest.fixture(scope="session")
def everything(everything_module, tmp_path_factory):
    """A log directory with every kind of data; see everything.py."""
    return everything_module.record(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="session")
def events_in():
    """(directory) -> the Event messages of its one event file, read by TensorFlow."""
    import tensorflow as tf

    def read(directory: Path) -> list:
        (path,) = Path(directory).glob("events.out.tfevents.*")
        return list(tf.compat.v1.train.summary_iterator(str(path)))

    return read


PLUGINS = [
    "scalars",
    "histograms",
    "images",
    "audio",
    "text",
    "hparams",
    "pr_curves",
    "mesh",
    "graph_keras_model",
]


def _classic(directory: Path):
    """The reader that scripts use."""
    from tensorboard.backend.event_processing import event_accumulator

    keep_all = dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    return event_accumulator.EventAccumulator(str(directory), size_guidance=keep_all)


def _behind_the_page(directory: Path):
    """The reader that TensorBoard itself uses when it does not load fast."""
    from tensorboard.backend.event_processing import plugin_event_accumulator

    return plugin_event_accumulator.EventAccumulator(
        str(directory), {plugin_event_accumulator.TENSORS: 0}, dict.fromkeys(PLUGINS, 0)
    )


@pytest.fixture(scope="session", params=[_classic, _behind_the_page])
def accumulate(request):
    """(directory) -> TensorBoard's EventAccumulator, either of the two, with every point kept."""
    return lambda directory: request.param(directory).Reload()


@pytest.fixture(scope="session")
def accumulated(accumulate, everything):
    return accumulate(everything.run)


@pytest.fixture(scope="session")
def reload_as_tensorboard():
    """(directory) -> the accumulator behind TensorBoard's page."""
    return lambda directory: _behind_the_page(directory).Reload()


@pytest.fixture(scope="session")
def tensors_of():
    """(accumulator, tag) -> [(step, array)]"""
    from tensorboard.util import tensor_util

    def read(accumulator, tag: str) -> list:
        return [(event.step, tensor_util.make_ndarray(event.tensor_proto)) for event in accumulator.Tensors(tag)]

    return read
