"""The parts and variables of a plain tf.Module, by the attributes that lead to them: "layers/0/w"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tensortap.hooks import module_call
from tensortap.watching.tensorflow_op import tf


def is_plain(model: Any) -> bool:
    """Whether this is a tf.Module that is no Keras model or layer."""
    return isinstance(model, tf.Module) and not hasattr(model, "call")


def all_parts(module: Any) -> list[tuple[Any, str, bool]]:
    """(part, path, is a container) for every module below that can be called; as layers.all_layers()."""
    found = [(part, path) for path, part in _walk(module, "", {id(module)}) if isinstance(part, tf.Module)]
    return [(part, path, False) for part, path in found if hasattr(part, "call") or module_call.can_be_called(part)]


def variable_paths(module: Any) -> dict[int, str]:
    """id(variable) -> path."""
    return {id(part): path for path, part in _walk(module, "", {id(module)}) if isinstance(part, tf.Variable)}


def _walk(module: Any, place: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    for name, value in vars(module).items():
        if not name.startswith("_"):
            yield from _inside(value, f"{place}/{name}" if place else name, seen)


def _inside(value: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _inside(item, f"{path}/{key}", seen)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _inside(item, f"{path}/{index}", seen)
    elif isinstance(value, (tf.Module, tf.Variable)) and id(value) not in seen:
        seen.add(id(value))
        yield path, value
        if isinstance(value, tf.Module) and not hasattr(value, "call"):
            yield from _walk(value, path, seen)
