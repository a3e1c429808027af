"""Tap: a Keras layer that gives what it takes, and records it: tap.tap between the layers of a functional model."""

from __future__ import annotations

from typing import Any

import keras

from tensortap.rules import to_what, to_when


@keras.saving.register_keras_serializable("tensortap")
class Tap(keras.layers.Layer):
    """Saved with its model, which then needs Tensortap to be loaded, as any layer of one's own."""

    def __init__(
        self, tag: str, *, what: Any = "stats", every: Any = 1, show: Any = False, run: Any = None, **options: Any
    ) -> None:
        super().__init__(**options)
        self._tag = tag
        self._choices = {"what": what, "every": every, "show": show, "run": run}

    def call(self, x: Any) -> Any:
        from tensortap.tapping import tap

        return tap(x, self._tag, **self._choices)

    def get_config(self) -> dict[str, Any]:
        plain = {key: value for key, value in self._choices.items() if isinstance(value, (str, int, float, bool))}
        return {**super().get_config(), "tag": self._tag, **plain}


def between_layers(x: Any, tag: str, **choices: Any) -> Any:
    """The same Keras tensor behind a layer that taps it."""
    to_what(choices["what"]), to_when(choices["every"])  # what is wrong shows now
    if not type(x).__module__.startswith("tf_keras"):
        return Tap(tag, **choices)(x)
    import tf_keras

    from tensortap.tapping import tap

    return tf_keras.layers.Lambda(lambda value: tap(value, tag, **choices))(x)


__all__ = ["Tap", "between_layers"]
