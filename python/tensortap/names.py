"""Names: the paths of a model's layers and variables, unique and relative to the model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def layer_paths(model: Any, layers: Iterable[Any]) -> dict[int, str]:
    """id(layer) -> path. Keras 3 has paths once a layer is built; before that, and in tf_keras, its name must do."""
    return _unique((layer, _relative(model, getattr(layer, "path", None) or layer.name)) for layer in layers)


def variable_paths(model: Any, variables: Iterable[Any]) -> dict[int, str]:
    """id(variable) -> path; "dense/kernel"."""
    return _unique((variable, _relative(model, variable_path(variable))) for variable in variables)


def variable_path(variable: Any) -> str:
    path = getattr(variable, "path", None) or variable.name
    return path.removesuffix(":0")


def _relative(model: Any, path: str) -> str:
    """Without the name of the model itself, which stands before the paths of some kinds of models only."""
    return path.removeprefix(f"{model.name}/") or path


def _unique(named: Iterable[tuple[Any, str]]) -> dict[int, str]:
    paths: dict[int, str] = {}
    taken: set[str] = set()
    for owner, path in named:
        unique, number = path, 1
        while unique in taken:
            number += 1
            unique = f"{path}~{number}"
        taken.add(unique)
        paths[id(owner)] = unique
    return paths
