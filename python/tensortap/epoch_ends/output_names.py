"""Output names: what the outputs of a model are called, and which labels belong to which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tensortap import _record
from tensortap.watching.names import escaped


def outputs_by_name(model: Any, outputs: Any) -> dict[str, Any]:
    """{"": output} of a model with one output; of several each by its name, in their order."""
    if isinstance(outputs, (list, tuple)) and len(outputs) > 1:
        names = list(getattr(model, "output_names", None) or [])
        if len(names) == len(outputs):
            outputs = dict(zip(names, outputs, strict=True))
    named = dict(_flat(outputs, ""))
    if len(named) == 1 and not isinstance(outputs, Mapping):
        return {"": next(iter(named.values()))}
    return named


def _flat(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Structures inside of structures: "a/b", "a/0"."""
    if isinstance(value, (list, tuple)):
        value = {str(index): one for index, one in enumerate(value)}
    if not isinstance(value, Mapping):
        yield name, value
        return
    for part, one in value.items():
        if one is not None:
            yield from _flat(one, f"{name}/{escaped(str(part))}" if name else escaped(str(part)))


def labels_by_name(labels: Any, names: list[str], also: list[str], where: str) -> dict[str, Any]:
    """Those of each output, by name or by position. `also` are other names of the same outputs. ValueError: no match.

    An output may have no labels.
    """
    if labels is None:
        return {}
    if isinstance(labels, dict) and len(names) > 1:
        places = {**dict(zip(also, names, strict=False)), **{name: name for name in names}}
        for name in labels:
            if name not in places:
                raise ValueError(
                    f"{where}: labels are given for {name!r}, and no output is called so."
                    f"{_record.did_you_mean(name, list(places))} There are: {', '.join(places)}"
                )
        return {places[name]: one for name, one in labels.items()}
    several = list(labels.values()) if isinstance(labels, dict) else labels if isinstance(labels, list) else [labels]
    if len(several) != len(names):
        listed = f" ({', '.join(names)})" if len(names) > 1 else ""
        raise ValueError(
            f"{where}: the model has {len(names)} outputs{listed}, and there are labels for {len(several)}; "
            "give them as a list in the order of the outputs, or as a dict by name"
        )
    return dict(zip(names, several, strict=True))


def known_names(model: Any) -> tuple[list[str], list[str]]:
    """(names, other names) as far as they are known before the model runs; empty where they are not."""
    others = [str(name) for name in getattr(model, "output_names", None) or []]
    structure = getattr(model, "_outputs_struct", None)  # Keras 3
    if structure is None:
        structure = getattr(model, "_nested_outputs", None)  # tf_keras
    if isinstance(structure, Mapping):
        return [escaped(str(name)) for name in structure], others
    count = len(others) or len(getattr(model, "outputs", None) or [])  # a Sequential of Keras 3 has no names for them
    return ([""] if count == 1 else [escaped(name) for name in others]), others
