"""Specimen: one model of the zoo, with the tags that recording it must give, written out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

BATCH = 4
BATCHES = 3  # in an epoch


@dataclass(frozen=True)
class Specimen:
    """build(optimizer=None, **options of compile) -> (compiled model, x, y).

    activations:  the tags of a training step in a graph, without their kind.
    variables:    the paths of the trainable variables.
    loops:        layers called inside a loop or branch of the graph: tags whose number of captures depends on the data.
    eager_only:   where Python runs a loop itself, each call of a layer has a tag of its own.
    graph_only:   layers inside of tf.functions, which keep what they traced: not recorded eagerly or under XLA.
    """

    name: str
    build: Callable[..., tuple[Any, Any, Any]]
    activations: tuple[str, ...]
    variables: tuple[str, ...]
    loops: tuple[str, ...] = ()
    eager_only: tuple[str, ...] = ()
    graph_only: tuple[str, ...] = ()
    is_legacy: bool = False

    def layers(self, *, eagerly: bool) -> tuple[str, ...]:
        """The tags of activations in a graph, or without one."""
        if not eagerly:
            return self.activations
        return (*[tag for tag in self.activations if tag not in self.graph_only], *self.eager_only)


@dataclass
class Zoo:
    """The specimens by name, in the order in which they were written."""

    specimens: dict[str, Specimen] = field(default_factory=dict)

    def keep(self, *, is_legacy: bool = False, **lists: str) -> Callable[[Any], Any]:
        """A decorator; the lists are words."""

        def kept(build: Callable[..., tuple[Any, Any, Any]]) -> Callable[..., tuple[Any, Any, Any]]:
            words = {name: tuple(text.split()) for name, text in lists.items()}
            self.specimens[build.__name__] = Specimen(build.__name__, build, is_legacy=is_legacy, **words)
            return build

        return kept

    def __getitem__(self, name: str) -> Specimen:
        return self.specimens[name]
