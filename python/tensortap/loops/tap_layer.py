"""Tap: a Keras layer that gives what it takes, and records it: tap.tap between the layers of a functional model."""

from __future__ import annotations

from typing import Any

import keras

from tensortap.rules import to_what, to_when


@keras.saving.register_keras_serializable("tensortap")
class Tap(keras.layers.Layer):
    """Saved with its model, which then needs Tensortap to be loaded, as any layer of one's own."""

    def __init__(self, tag: str, *, what: Any = "stats", every: Any = 1, show: Any = False, **options: Any) -> None:
        super().__init__(**options)
        to_what(what), to_when(every)  # what is wrong shows now
        self._tag = tag
        self._choices = {"what": what, "every": every, "show": show}

    def call(self, x: Any) -> Any:
        from tensortap.tapping import tap

        return tap(x, self._tag, **self._choices)

    def get_config(self) -> dict[str, Any]:
        plain = {key: value for key, value in self._choices.items() if isinstance(value, (str, int, float, bool))}
        return {**super().get_config(), "tag": self._tag, **plain}


__all__ = ["Tap"]
