"""Names: the paths of a model's layers and variables, unique and relative to the model: see docs/format.md, Tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensortap.watching import modules

# What has a meaning of its own in tags: <kind>/<path>[~2][#call][:output][@replica].
_RESERVED = str.maketrans({character: f"%{ord(character):02X}" for character in "%#:@~"})


def layer_paths(model: Any, placed: Iterable[tuple[Any, str]]) -> dict[int, str]:
    """id(layer) -> path, of (layer, names from the model down to it).

    Keras 3 has paths once a layer is built. Before that, in tf_keras, and for layers that are never built as Dropout,
    its place in the model is the path.
    """
    return _unique((layer, _relative(model, getattr(layer, "path", None) or place)) for layer, place in placed)


def variable_paths(model: Any, variables: Iterable[Any]) -> dict[int, str]:
    """id(variable) -> path; "dense/kernel"."""
    if modules.is_plain(model):
        places = modules.variable_paths(model)
        return _unique((one, places.get(id(one), variable_path(one))) for one in variables)
    return _unique((variable, _relative(model, variable_path(variable))) for variable in variables)


def variable_path(variable: Any) -> str:
    """Keras 3 has paths; tf_keras has the names of TensorFlow's tensors."""
    return getattr(variable, "path", None) or variable.name.removesuffix(":0")


def escaped(path: str) -> str:
    """A layer or variable may be called as its maker likes; in tags some characters say more than a name."""
    return path.translate(_RESERVED)


def _relative(model: Any, path: str) -> str:
    """Without the name of the model itself, which stands before the paths of some kinds of models only."""
    return path.removeprefix(f"{model.name}/") or path


def _unique(named: Iterable[tuple[Any, str]]) -> dict[int, str]:
    paths: dict[int, str] = {}
    taken: set[str] = set()
    for owner, path in named:
        unique, number = escaped(path), 1
        while unique in taken:
            number += 1
            unique = f"{escaped(path)}~{number}"
        taken.add(unique)
        paths[id(owner)] = unique
    return paths
