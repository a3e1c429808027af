"""Proof: that a recording of a training holds what the training computed, and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from zoo.replay import Replay
from zoo.specimen import Specimen
from zoo.training import SLOT, Mode, Training

VARIABLE_KINDS = ("gradients", "weights", "updates")


@dataclass
class Recording:
    """The captures of one run directory, by tag, in the order of the file; `scalars` are those of its events."""

    tensors: dict[str, list[Any]] = field(default_factory=dict)
    stats: dict[str, list[Any]] = field(default_factory=dict)
    scalars: dict[str, list[Any]] = field(default_factory=dict)
    everything: dict[str, list[Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, reader: Any, directory: Any) -> Recording:
        found = cls(scalars=reader.scalars(directory))
        for capture in reader.captures(directory):
            if capture.kind in ("tensor", "stats"):
                kept = found.tensors if capture.kind == "tensor" else found.stats
                kept.setdefault(capture.tag, []).append(capture)
                found.everything.setdefault(capture.tag, []).append(capture)
        return found

    def values(self, tag: str) -> list[np.ndarray]:
        return [capture.body for capture in self.tensors[tag]]

    def steps(self, tag: str) -> list[int]:
        return [capture.step for capture in self.tensors[tag]]

    def tags(self, kind: str) -> set[str]:
        """Without their kind."""
        return {tag.removeprefix(f"{kind}/") for tag in self.everything if tag.startswith(f"{kind}/")}


def assert_same(recorded: np.ndarray, truth: np.ndarray, what: str, tolerance: float = 0.0) -> None:
    """Equal to the last bit, or within a tolerance relative to the largest value; NaN and infinities where they are."""
    assert recorded.shape == truth.shape, what
    assert recorded.dtype == truth.dtype, what
    if tolerance == 0:
        assert recorded.tobytes() == truth.tobytes(), f"{what}: {recorded} is not {truth}"
        return
    recorded, truth = recorded.astype("float64"), truth.astype("float64")
    finite = np.isfinite(truth)
    assert np.array_equal(recorded[~finite], truth[~finite], equal_nan=True), what
    if finite.any():
        scale = np.abs(truth[finite]).max()
        difference = np.abs(recorded[finite] - truth[finite]).max()
        assert difference <= tolerance * scale, f"{what}: {difference} of {scale}"


def assert_same_training(one: Training, other: Training, tolerance: float) -> None:
    """Every variable of the model and of its optimizers has the same bits at the end, or nearly."""
    assert one.states[-1].keys() == other.states[-1].keys()
    for path, value in one.states[-1].items():
        assert_same(other.states[-1][path], value, path, tolerance)
    assert one.steps[-1] == other.steps[-1]


def assert_tags(recording: Recording, specimen: Specimen, mode: Mode, prefixes: tuple[str, ...]) -> None:
    """Those that the specimen lists, each of them, and no others."""
    assert recording.tags("activations") == set(specimen.layers(eagerly=mode.is_eager))
    for prefix in prefixes:
        assert recording.tags(prefix) == set(specimen.variables), prefix
    known = {"activations", *prefixes, "slots"}
    assert {tag.partition("/")[0] for tag in recording.everything} <= known


def assert_sequences(recording: Recording, phase: str = "train") -> None:
    for tag, captures in recording.everything.items():
        assert [capture.sequence for capture in captures] == list(range(len(captures))), tag
        assert {capture.phase for capture in captures} == {phase}, tag
        if tag in recording.tensors:
            assert [capture.step for capture in recording.stats[tag]] == recording.steps(tag), tag


def assert_values(recording: Recording, specimen: Specimen, mode: Mode, truth: Training, masks: Any = None) -> None:
    """Activations and gradients of every batch are those of its replay, weights those of its state."""
    taken: Counter[str] = Counter()
    batches = len(truth.steps) - 1
    for index in range(batches):
        dropped = {name: mask[index] for name, mask in (masks or {}).items()}
        replay = Replay(truth, index, dropped)
        for tag, expected in expected_values(specimen, mode, truth, replay, index):
            captures = recording.tensors[tag][taken[tag] : taken[tag] + len(expected)]
            taken[tag] += len(expected)
            assert [c.step for c in captures] == [truth.steps[index]] * len(expected), f"{tag}, batch {index}"
            for capture, value in _paired(captures, expected):
                exact = tag.startswith("weights/")
                assert_same(capture.body, value, f"{tag}, batch {index}", 0 if exact else mode.tolerance)
    for tag, captures in recording.tensors.items():
        if tag.startswith(("activations/", "gradients/", "weights/")):
            assert len(captures) == taken[tag], tag


def expected_values(specimen: Specimen, mode: Mode, truth: Training, replay: Replay, index: int):
    """(tag, values) of one batch; more than one where a layer runs in a loop, none where a branch was not taken."""
    in_graph = () if mode.is_eager else specimen.loops
    for tag in specimen.layers(eagerly=mode.is_eager):
        layer, call, output = split_tag(tag)
        calls = replay.outputs.get(layer, [])
        chosen = calls if tag in in_graph else calls[call : call + 1]
        yield f"activations/{tag}", [outputs[output] for outputs in chosen]
    for path in specimen.variables:
        weight = by_ending(truth.states[index], path)
        gradient = by_ending(replay.gradients, path)
        if gradient is None and not mode.is_eager:
            gradient = np.zeros_like(weight)  # of a branch that was not taken, in a graph
        yield f"gradients/{path}", [] if gradient is None else [gradient]
        yield f"weights/{path}", [weight]


def split_tag(tag: str) -> tuple[str, int, int]:
    """ "block/dense#1:2" -> ("dense", 1, 2): names of layers are unique in a specimen."""
    rest, _, output = tag.rpartition("/")[2].partition(":")
    name, _, call = rest.partition("#")
    return name, int(call or 0), int(output or 0)


def by_ending(values: dict[str, np.ndarray], path: str) -> np.ndarray | None:
    """Keras puts a model's name before the paths of some kinds of models."""
    found = [key for key in values if key == path or key.endswith(f"/{path}")]
    assert len(found) <= 1, found
    return values[found[0]] if found else None


def _paired(captures: list[Any], expected: list[np.ndarray]) -> list[tuple[Any, np.ndarray]]:
    """A loop of the graph may run taps of its iterations in any order: the nearest belong together."""
    if len(expected) == 1:
        return list(zip(captures, expected, strict=True))
    left = list(expected)
    pairs = []
    for capture in captures:
        nearest = min(range(len(left)), key=lambda i: np.abs(left[i].astype("f8") - capture.body).max())
        pairs.append((capture, left.pop(nearest)))
    return pairs


def assert_stats(recording: Recording) -> None:
    """The statistics of every capture are NumPy's of the values that were captured with them."""
    for tag, captures in recording.tensors.items():
        for stats, capture in zip(recording.stats[tag], captures, strict=True):
            assert_stats_of(stats.body, capture.body, f"{tag}, step {capture.step}")


def assert_stats_of(stats: Any, array: np.ndarray, what: str) -> None:
    values = array.astype("float64").ravel()
    finite = values[np.isfinite(values)]
    assert (stats.shape, stats.dtype) == (list(array.shape), array.dtype), what
    counts = (values == 0).sum(), np.isnan(values).sum(), (values == np.inf).sum(), (values == -np.inf).sum()
    assert (stats.zeros, stats.nan, stats.positive_inf, stats.negative_inf) == counts, what
    assert stats.negatives == (finite < 0).sum() + (values == -np.inf).sum(), what
    if finite.size:
        assert (stats.min, stats.max) == (finite.min(), finite.max()), what
        # Sums are taken in another order than NumPy's: only the last bits of a double may differ.
        scale = np.abs(finite).sum()
        assert abs(stats.mean - finite.mean()) <= 1e-12 * scale, what
        np.testing.assert_allclose(stats.std, finite.std(), rtol=1e-6, atol=1e-12 * scale, err_msg=what)
        np.testing.assert_allclose(stats.l1, scale, rtol=1e-12, err_msg=what)
        np.testing.assert_allclose(stats.l2, np.sqrt((finite**2).sum()), rtol=1e-12, err_msg=what)


def assert_updates(recording: Recording, specimen: Specimen, truth: Training) -> None:
    """Each change of a weight is the difference of its states, and the ratio that of their norms."""
    for path in specimen.variables:
        changes, ratios = recording.stats[f"updates/{path}"], recording.scalars[f"update_ratio/{path}"]
        assert [c.step for c in changes] == recording.steps(f"gradients/{path}") == [r.step for r in ratios], path
        batches = range(len(truth.steps) - 1)
        if len(changes) < len(batches):  # without a graph there is no update where there is no gradient
            batches = [truth.steps.index(change.step) for change in changes]
        for index, change, ratio in zip(batches, changes, ratios, strict=True):
            before, after = (by_ending(truth.states[i], path) for i in (index, index + 1))
            assert change.step == truth.steps[index], path
            assert_stats_of(change.body, after - before, f"updates/{path}, batch {index}")
            assert_ratio(ratio.value, l2(after - before), l2(before), f"update_ratio/{path}, batch {index}")


def l2(array: np.ndarray) -> float:
    return float(np.sqrt((array.astype("float64") ** 2).sum()))


def assert_ratio(recorded: float, change: float, before: float, what: str) -> None:
    if before == 0:  # a bias that begins with zeros
        assert not np.isfinite(recorded), what
    else:
        np.testing.assert_allclose(recorded, change / before, rtol=1e-9, err_msg=what)


def assert_slots(recording: Recording, truth: Training, first: int) -> None:
    """The optimizer's own variables, before the update of each batch.

    It makes them with its first update; in a graph they are there before, as zeros, which is where they all begin.
    """
    for path in recording.tags("slots"):
        captures = recording.tensors[f"slots/{path}"]
        assert len(captures) == len(truth.steps) - 1 - first, path
        for index, capture in enumerate(captures, first):
            value = by_ending(truth.states[index], path + SLOT)
            if value is None and index == 0:
                value = np.zeros_like(capture.body)
            assert capture.step == truth.steps[index], path
            assert_same(capture.body, value, f"{path}, batch {index}")


def assert_all(
    specimen: Specimen,
    mode: Mode,
    plain: Training,
    recorded: Training,
    recording: Recording,
    *,
    more_kinds: tuple[str, ...] = (),
) -> None:
    """`more_kinds` are recorded too; whoever asks for them shows that they are right."""
    hidden = [note for note in recorded.notes if mode.is_eager and specimen.graph_only and "inside of a tf.f" in note]
    assert recorded.notes == hidden, recorded.notes
    assert_same_training(plain, recorded, 0 if mode.is_undisturbed else mode.tolerance)
    truth = plain if mode.is_undisturbed else recorded
    assert_tags(recording, specimen, mode, (*VARIABLE_KINDS, *more_kinds))
    assert_sequences(recording)
    # Where the same mask cannot be drawn again, it is what was recorded.
    masks = dropout_masks(recording, truth.model) if specimen.is_legacy or not mode.is_undisturbed else None
    assert_values(recording, specimen, mode, truth, masks)
    assert_stats(recording)
    assert_updates(recording, specimen, truth)
    assert_slots(recording, truth, 1 if mode.is_eager else 0)


def dropout_masks(recording: Recording, model: Any, replica: str = "") -> dict[str, list[np.ndarray]]:
    """What dropout layers multiplied by, out of what they gave.

    Their inputs here are outputs of layers that have no exact zeros, so that what is zero was dropped.
    """
    rates = {layer.name: layer.rate for layer in model._flatten_layers() if hasattr(layer, "rate")}
    masks = {}
    for tag in recording.tags("activations"):
        name = split_tag(tag.removesuffix(replica))[0]
        if name in rates and tag.endswith(replica):
            kept = [value != 0 for value in recording.values(f"activations/{tag}")]
            dropped = 1 - np.mean([part.mean() for part in kept])
            assert 0 < dropped < 2 * rates[name], f"{dropped} of {tag} are zeros"
            masks[name] = [part / np.float32(1 - rates[name]) for part in kept]
    return masks
