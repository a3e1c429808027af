"""tap.watch: what a model puts out in a loop that the user writes."""

from __future__ import annotations

from typing import Any

from tensortap.loops.loop_watch import LoopWatch
from tensortap.rules import to_capture, to_what, to_when
from tensortap.run import Run
from tensortap.watching import modules, tensorflow_op
from tensortap.watching.notes import Notes
from tensortap.watching.recording import has_devices


class WatchedLoop:
    """Records from now on until close(), or the end of `with`; then the model is as it was."""

    def __init__(self, run: Run, model: Any, optimizer: Any, choices: dict[str, Any], what: Any, every: Any) -> None:
        _check(run, model)
        when, kept = to_when(every), to_what(what)
        rules = {kind: to_capture(kind, choice, when, kept) for kind, choice in choices.items()}
        optimizers = list(optimizer) if isinstance(optimizer, (list, tuple)) else [optimizer] if optimizer else []
        for one in optimizers:
            if not hasattr(one, "apply_gradients"):
                raise TypeError(f"optimizer is one with apply_gradients(), or several; not {type(one).__name__}")
        for kind in ("updates", "slots"):
            if rules[kind] is not None and not optimizers:
                raise ValueError(f"{kind} are seen where an optimizer makes them: tap.watch(..., optimizer=...)")
        tensorflow_op.load()
        self._notes = Notes()
        self._notes.where = run.path
        self._watch = LoopWatch(run, rules, optimizers, self._notes, gated=has_devices())
        self._watch.attach(model)

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why."""
        return list(self._notes.texts)

    def close(self) -> None:
        """Functions that were traced meanwhile record nothing from now on."""
        self._watch.close()

    def __enter__(self) -> WatchedLoop:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _check(run: Any, model: Any) -> None:
    if not isinstance(run, Run):
        raise TypeError(f"tap.watch records to a tap.Run, not {type(run).__name__}: run = tap.Run('runs/a')")
    if run.closed:
        raise ValueError(f"run {run.path} is closed")
    if not modules.is_plain(model) and not (hasattr(model, "call") and hasattr(model, "variables")):
        raise TypeError(f"tap.watch watches Keras models, Keras layers and tf.Modules; not {type(model).__name__}")
