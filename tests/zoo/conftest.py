"""What the tests of the zoo share: deterministic TensorFlow, the plain reader of the files, and proven trainings.

oneDNN is off: it computes other bits where a graph fuses ops than where the same ops run one by one, and the truth of
these tests is computed one by one. What remains of such differences is Grappler's, which is on as for every user.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

# Graphs are many small objects: the collector would look at all of them again and again.
gc.set_threshold(100_000, 20, 50)

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))  # `from zoo import models`


@pytest.fixture(scope="session")
def reader() -> ModuleType:
    """The plain-Python reader of the conformance tests: it shares no code with what writes."""
    path = TESTS / "conformance" / "capture_reader.py"
    spec = importlib.util.spec_from_file_location("plain_reader", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def train_plainly():
    """(specimen, mode) -> Training without a recorder; the same one whenever it is asked for."""
    from zoo.training import train

    kept = {}

    def trained(specimen, mode):
        key = specimen.name, mode.name
        if key not in kept:
            kept[key] = mode, train(specimen, mode)
        known, training = kept[key]
        assert (known.compile, known.samples, known.epochs) == (mode.compile, mode.samples, mode.epochs), mode.name
        return training

    return trained


@pytest.fixture
def prove(reader, tmp_path, train_plainly):
    """(specimen, mode) -> (training that is the truth, training with a recorder, recording); all shown to be right.

    That recording changes no bit of a training is shown of every model in its plain mode, and of one in every mode.
    Else the truth is what a callback saw in the recorded training itself.
    """
    from zoo import proof
    from zoo.training import train

    def proven(specimen, mode, **more):
        recorded = truth = train(specimen, mode, tmp_path / "run")
        if mode.truth is not None or mode.name == "graph" or specimen.name in ("mlp", "legacy_sequential"):
            truth = train_plainly(specimen, mode.truth or mode)
        recording = proof.Recording.read(reader, tmp_path / "run")
        proof.assert_all(specimen, mode, truth, recorded, recording, **more)
        return truth, recorded, recording

    return proven
