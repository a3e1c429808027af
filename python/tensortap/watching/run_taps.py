"""RunTaps: the taps of one recorder in one run: their numbers, their schedules, and where their captures go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensortap import _record
from tensortap.rules import Capture, What, When
from tensortap.run import Run

_EVERY_BATCH = Capture(None, When(), What())


class RunTaps:
    """Ops carry nothing but numbers. The same tag has the same number whenever a function is traced again."""

    def __init__(self, run: Run, rules: Iterable[Capture | None], *, times_steps: bool) -> None:
        self._core = _record.TapWatch(run)
        self._channels = {"train": run, "val": run.sub("val"), "predict": run.sub("predict")}
        self._scalars = run.sub("train")
        if times_steps:
            self._core.time_steps(self._scalars, "step_seconds")
        self._schedules: dict[When, int] = {When(): 0}
        for rule in rules:
            if rule is not None:
                self._schedule(rule.when)  # a batch that runs eagerly begins before its taps are made
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._tags: dict[int, str] = {}

    @property
    def number(self) -> int:
        """What the op carries that begins a batch."""
        return self._core.number

    def scalar(self, this_pass: Any, name: str) -> int:
        """The number of a scalar of the training, recorded at every batch."""
        return self._tap(this_pass, self._scalars, name, _EVERY_BATCH, "scalar", "")

    def tensor(self, this_pass: Any, tag: str, rule: Capture) -> int:
        """The number of a tensor."""
        return self._tap(this_pass, self._channels[this_pass.phase], tag, rule, "tensor", "")

    def update(self, this_pass: Any, tag: str, ratio_tag: str, rule: Capture) -> int:
        """The number of a change: a tensor before it and after it."""
        return self._tap(this_pass, self._channels[this_pass.phase], tag, rule, "update", ratio_tag)

    def tag_of(self, number: int) -> str:
        return self._tags.get(number, "?")

    def begin_epoch(self, phase: str) -> None:
        self._core.begin_epoch(phase)

    def follow_epochs(self) -> None:
        """Epochs begin when run.epoch changes, rather than with begin_epoch()."""
        self._core.follow_epochs()

    def batches(self, phase: str) -> int:
        """How many have begun."""
        return self._core.batches(phase)

    def mute(self, muted: bool) -> None:
        """Muted, graphs that hold taps record nothing, whoever runs them."""
        self._core.mute(muted)

    def close(self) -> None:
        """Graphs that still hold taps record nothing from now on."""
        self._core.close()

    def _tap(self, this_pass: Any, channel: Run, tag: str, rule: Capture, kind: str, ratio_tag: str) -> int:
        tag += this_pass.replica
        key = (tag, this_pass.phase, kind)
        if key not in self._numbers:
            number = self._core.add_tap(
                channel,
                tag,
                kind=kind,
                phase=this_pass.phase,
                schedule=self._schedule(rule.when),
                replica=this_pass.replica_number,
                stats=rule.what.stats,
                values=rule.what.values,
                first_samples=rule.what.first_samples,
                ratio_tag=ratio_tag + this_pass.replica if ratio_tag else "",
            )
            self._numbers[key] = number
            self._tags[number] = tag
        return self._numbers[key]

    def _schedule(self, when: When) -> int:
        if when not in self._schedules:
            self._schedules[when] = self._core.add_schedule(when.every, list(when.steps), when.epochs)
        return self._schedules[when]
