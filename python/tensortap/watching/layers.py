"""The layers of a model that have outputs of their own to record, and those chosen by globs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensortap import _record
from tensortap.rules import Capture
from tensortap.watching import modules, names


class NoMatchError(ValueError):
    """A glob means nothing in this model; the message says what there is."""


def all_layers(model: Any) -> list[tuple[Any, str, bool]]:
    """(layer, names from the model down to it, is a container) for every layer below, in the model's order.

    An RNN layer is one layer, and so is TimeDistributed: what they wrap runs once for every time step. Keras' own
    layers that are made of layers, such as MultiHeadAttention, count as layers and as what they are made of.
    """
    if modules.is_plain(model):
        return modules.all_parts(model)
    found: dict[int, tuple[Any, str, bool]] = {}
    for layer, place in _below(model, ""):
        found.setdefault(id(layer), (layer, place, _is_container(layer)))
    return list(found.values())


def chosen_layers(model: Any, capture: Capture) -> dict[int, tuple[Any, str]]:
    """id(layer) -> (layer, path) of those that a rule means. NoMatchError when a glob means none."""
    everything = all_layers(model)
    paths = names.layer_paths(model, [(layer, place) for layer, place, _ in everything])
    by_name = capture.globs or ()  # a container that is called by its whole name is meant
    wanted = {
        id(layer): (layer, paths[id(layer)])
        for layer, _, is_container in everything
        if capture.containers or not is_container or paths[id(layer)] in by_name
    }
    searched = {key: [path] for key, (_, path) in wanted.items()}
    return {key: wanted[key] for key in _matching(model, capture, searched, "layer")}


def chosen_variables(model: Any, capture: Capture, trainable: list[Any], everything: list[Any]) -> dict[int, str]:
    """id(variable) -> path of those that a rule means: all trainable ones, or what globs find among all.

    A glob means variables by their own path or by that of their layer.
    """
    candidates = trainable if capture.globs is None else everything
    paths = names.variable_paths(model, candidates)
    searched = {key: [path, path.rpartition("/")[0]] for key, path in paths.items()}
    return {key: paths[key] for key in _matching(model, capture, searched, "variable")}


def _matching(model: Any, capture: Capture, searched: dict[int, list[str]], noun: str) -> list[int]:
    if capture.globs is None:
        return list(searched)
    keys: list[int] = []
    for glob in capture.globs:
        found = [key for key, paths in searched.items() if any(_record.glob_matches(glob, path) for path in paths)]
        # A model that is not built may still make what the glob means.
        if not found and searched and getattr(model, "built", True):
            there = sorted(paths[0] for paths in searched.values())
            listed = ", ".join(there[:40]) + (f", and {len(there) - 40} more" if len(there) > 40 else "")
            raise NoMatchError(
                f"no {noun} matches {glob!r}.{_record.did_you_mean(glob, there)} There are: {listed}. "
                "(* stops at /, ** does not.)"
            )
        keys += [key for key in found if key not in keys]
    return keys


def _below(layer: Any, place: str) -> Iterator[tuple[Any, str]]:
    for part in _parts(layer):
        below = f"{place}/{part.name}" if place else part.name
        yield part, below
        yield from _below(part, below)


def _parts(layer: Any) -> list[Any]:
    if _runs_parts_itself(layer):
        return []
    parts = getattr(layer, "_layers", None)
    if parts is None:
        parts = list(layer._flatten_layers(recursive=False, include_self=False))
    # tf_keras keeps lists and metrics among them.
    return [part for part in _flat(parts) if hasattr(part, "call") and hasattr(part, "name") and not _never_runs(part)]


def _flat(parts: Any) -> Iterator[Any]:
    for part in parts:
        if hasattr(part, "_flatten_layers") or hasattr(part, "call"):
            yield part
        elif hasattr(part, "layers"):
            yield from _flat(part.layers)


def _never_runs(part: Any) -> bool:
    return any(base.__name__ in ("Metric", "InputLayer") for base in type(part).__mro__)


def _runs_parts_itself(layer: Any) -> bool:
    names_of_bases = {base.__name__ for base in type(layer).__mro__}
    return bool(names_of_bases & {"RNN", "TimeDistributed"})


def _is_container(layer: Any) -> bool:
    """Layers of the user's that are made of layers, and models."""
    if not _parts(layer):
        return False
    is_model = any(base.__name__ in ("Model", "Functional", "Sequential") for base in type(layer).__mro__)
    is_kerass = type(layer).__module__.split(".")[0] in ("keras", "tf_keras")
    return is_model or not is_kerass
