"""Rules: which layers are captured, when, and what of them. Plain data; no TensorFlow."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

_WHATS = ("stats", "tensor")


@dataclass(frozen=True)
class When:
    """At which batches. Exactly one of the three counts: steps, else epochs, else every."""

    every: int = 1
    steps: tuple[int, ...] = ()
    epochs: int = 0
    steps_per_epoch: int = 0  # for sessions, which know no epochs; 0: whoever trains tells of them

    def __str__(self) -> str:
        if self.steps:
            return f"at {len(self.steps)} given steps"
        if self.epochs:
            return "each epoch" if self.epochs == 1 else f"each {self.epochs} epochs"
        return "each batch" if self.every == 1 else f"each {self.every} batches"


@dataclass(frozen=True)
class What:
    """Statistics, values, or both; of the values perhaps only the first samples of a batch."""

    stats: bool = True
    values: bool = False
    first_samples: int = 0

    def __str__(self) -> str:
        values = f"tensor of {self.first_samples} samples" if self.first_samples else "tensor"
        return " + ".join(word for word, there in (("stats", self.stats), (values, self.values)) if there)


@dataclass(frozen=True)
class Capture:
    """Globs on layer paths, with a when and a what of their own; None takes the recorder's."""

    globs: tuple[str, ...] | None = None
    when: When | None = None
    what: What | None = None
    containers: bool = False

    def filled(self, when: When, what: What) -> Capture:
        return replace(self, when=self.when or when, what=self.what or what)


@dataclass(frozen=True)
class Images:
    """Feature maps: of which layers, of which inputs (None: those that the training has), in which epochs."""

    capture: Capture
    inputs: Any = None
    epochs: int = 1
    samples: int = 4


def images(
    layers: str | Iterable[str] | None = None,
    *,
    inputs: Any = None,
    every: Any = 1,
    samples: int = 4,
    containers: bool = False,
) -> Images:
    """Feature maps of layers as images, at the end of epochs:

        tap.keras.Recorder("runs/a", images=tap.images("conv*", inputs=x_val[:4], every=5))

    layers:      a glob or several on layer paths, as in tap.capture. None: all.
    inputs:      what the model is shown; None: the first samples of `predictions`, of fit's validation data, or of x.
    every:       a number of epochs, or tap.epochs(...).
    samples:     how many of the inputs.
    containers:  also layers that are made of layers, such as nested models.
    """
    chosen = Capture(None if layers is None else _globs(layers), When(), What(), containers)
    return Images(chosen, inputs, to_epochs("every", every), _positive(samples, "samples"))


def capture(
    layers: str | Iterable[str] | None = None, *, every: Any = None, what: Any = None, containers: bool = False
) -> Capture:
    """Which layers, how often and what, for one kind of capture:

        tap.keras.Recorder("runs/a", activations=tap.capture("conv*", every=100, what="tensor"))

    layers:      a glob or several on layer paths; `*` stops at `/`, `**` does not. None: all.
    every:       a number of batches, tap.steps(...) or tap.epochs(...).
    what:        "stats", "tensor", both, or tap.first(n).
    containers:  also layers that are made of layers, such as nested models.
    """
    return Capture(
        None if layers is None else _globs(layers),
        None if every is None else to_when(every),
        None if what is None else to_what(what),
        containers,
    )


def steps(values: Iterable[int]) -> When:
    """Only at these steps: tap.steps([0, 10, 100]), tap.steps(range(0, 1000, 50))."""
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise TypeError(f"tap.steps takes several steps, as tap.steps([0, 10, 100]); not {values!r}")
    numbers = tuple(sorted({_integer(value, "a step") for value in values}))
    if not numbers or numbers[0] < 0:
        raise ValueError(f"tap.steps needs at least one step, and none below 0; not {list(numbers)}")
    return When(steps=numbers)


def epochs(every: int = 1, *, steps_per_epoch: int | None = None) -> When:
    """Each so-manieth epoch: tensors of the training at its first batch, weights and predictions at its end.

    steps_per_epoch: for tap.tf1.RecorderHook alone, whose session knows no epochs. It captures at their last steps.
    """
    per_epoch = 0 if steps_per_epoch is None else _positive(steps_per_epoch, "steps_per_epoch")
    return When(epochs=_positive(every, "epochs"), steps_per_epoch=per_epoch)


def first(samples: int) -> What:
    """The values of the first so many samples of a batch; what=("stats", tap.first(8)) adds statistics of all."""
    return What(stats=False, values=True, first_samples=_positive(samples, "first"))


def to_when(every: Any) -> When:
    if isinstance(every, When):
        return every
    try:
        return When(every=_positive(every, "every"))
    except TypeError:
        raise TypeError(f"every is a number of batches, tap.steps(...) or tap.epochs(...); not {every!r}") from None


def to_epochs(name: str, every: Any) -> int:
    """A number of epochs, out of an option that counts nothing else."""
    if isinstance(every, When):
        if every.epochs:
            return every.epochs
        raise ValueError(f"{name} counts epochs: a number, or tap.epochs(n); not {every}")
    return _positive(every, name)


def to_images(choice: Any) -> Images | None:
    """What a Recorder's option `images` means: True, False, globs, or tap.images(...)."""
    if isinstance(choice, Images):
        return choice
    try:
        rule = to_capture("images", choice, When(), What())
    except TypeError:
        raise TypeError(f"images is True, False, a glob, a list of globs, or tap.images(...); not {choice!r}") from None
    return None if rule is None else Images(rule)


def to_what(what: Any) -> What:
    if isinstance(what, What):
        return what
    if isinstance(what, str) and what in _WHATS:
        return What(stats=what == "stats", values=what == "tensor")
    if isinstance(what, Sequence) and what and not isinstance(what, str):
        parts = [to_what(part) for part in what]
        firsts = [part.first_samples for part in parts if part.values]
        # All values hold the first ones too.
        return What(any(part.stats for part in parts), bool(firsts), max(firsts, default=0) if all(firsts) else 0)
    raise ValueError(f"what is 'stats', 'tensor', both, or tap.first(n); not {what!r}")


def to_capture(name: str, choice: Any, when: When, what: What) -> Capture | None:
    """What a Recorder's option means: True, False, globs, or tap.capture(...)."""
    if choice is False or choice is None:
        return None
    if choice is True:
        return Capture(None, when, what)
    if isinstance(choice, Capture):
        return choice.filled(when, what)
    try:
        return Capture(_globs(choice), when, what)
    except TypeError:
        kinds = "True, False, a glob, a list of globs, or tap.capture(...)"
        raise TypeError(f"{name} is {kinds}; not {choice!r}") from None


def _globs(layers: str | Iterable[str]) -> tuple[str, ...]:
    if not isinstance(layers, Iterable):
        raise TypeError(f"globs are str, not {layers!r}")
    globs = (layers,) if isinstance(layers, str) else tuple(layers)
    if not all(isinstance(glob, str) for glob in globs):
        raise TypeError(f"globs are str, not {layers!r}")
    if not globs or not all(globs):
        raise ValueError(f"a glob must not be empty: {layers!r}; False captures nothing")
    return globs


def _positive(value: Any, name: str) -> int:
    number = _integer(value, name)
    if number < 1:
        raise ValueError(f"{name} must be above 0, not {number}")
    return number


def _integer(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
