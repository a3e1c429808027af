"""RecorderHook: records tensors of the user's own session.run calls, in a MonitoredSession."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tensortap.rules import When, to_what, to_when
from tensortap.run import Run
from tensortap.sessions.feeds import fed_names, fetched_ops, missing
from tensortap.sessions.fetched import record_values
from tensortap.sessions.saving import Saving
from tensortap.sessions.targets import is_scalar, resolve, to_targets
from tensortap.sinks import Sink, to_sinks
from tensortap.watching.later_run import LaterRun
from tensortap.watching.notes import Notes
from tensortap.watching.tensorflow_op import tf


class RecorderHook(tf.compat.v1.train.SessionRunHook):
    """A hook that adds its tensors to what the session computes anyway, at the steps that are captured.

        hook = tap.tf1.RecorderHook("runs/c", tensors={"out": logits, "loss": loss}, every=10)
        with tf.compat.v1.train.MonitoredSession(hooks=[hook]) as session:
            session.run(train, feed_dict=...)

    Nothing is computed twice. The step is the graph's global step before the update, or the count of runs where there
    is none.

    run:            a run's directory, or a tap.Run.
    tensors:        tag -> tensor or its name ("dense/BiasAdd:0"). Those of rank 0 become scalars.
    every:          a number of steps, tap.steps(...), or tap.epochs(n, steps_per_epoch=100): the last step of each
                    so-manieth epoch.
    scalars_every:  the same for scalars alone; None: as `every`.
    what:           "stats", "tensor", both, or tap.first(n).
    beside:         only in runs that fetch this too, such as the training op. Without it in all runs that feed what the
                    tensors need: a run that evaluates something would compute them besides.
    phase:          "train", "val" or "predict", which each capture carries.
    sub:            a sub-run to record to, such as "train".
    graph:          the session's graph too.
    checkpoints:    True, or a tf.compat.v1.train.Saver: saves <run>/checkpoints/model-<N> at captured steps, where N is
                    the epoch with tap.epochs, else the step.
    mode, sinks, options:  as in tap.Run, when `run` is a directory.
    """

    def __init__(
        self,
        run: str | os.PathLike[str] | Run,
        tensors: Any,
        *,
        every: Any = 1,
        scalars_every: Any = None,
        what: Any = "stats",
        beside: Any = None,
        phase: str = "train",
        sub: str | None = None,
        graph: bool = True,
        checkpoints: Any = False,
        mode: str = "new",
        sinks: Sequence[Sink] | Sink = (),
        **options: Any,
    ) -> None:
        self._given = to_targets(tensors)
        self._when = _checked_when(to_when(every))
        self._scalars_when = self._when if scalars_every is None else _checked_when(to_when(scalars_every))
        self._what = to_what(what)
        self._beside = beside
        self._phase = phase
        self._sub = sub
        self._wants_graph = graph
        if several := to_sinks(sinks):
            options["sinks"] = several
        self._later_run = LaterRun(run, mode, **options)
        self._saving = Saving(checkpoints)
        self._notes = Notes()
        self._tensors: dict[str, Any] = {}
        self._missing: dict[tuple[frozenset[str], tuple[str, ...]], list[str]] = {}
        self._global_step: Any = None
        self._runs = 0
        self._counts = True  # whether the run that goes on is one to be recorded
        self._step = 0

    @property
    def run(self) -> Run:
        """The run that is recorded to; opened when it is first needed."""
        return self._later_run.run

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why."""
        return list(self._notes.texts)

    def close(self) -> None:
        """Closes the run if this hook opened it. The end of a session does so too, but not one that an error ended."""
        self._later_run.close()

    # --- for TensorFlow

    def begin(self) -> None:
        graph = tf.compat.v1.get_default_graph()
        self._tensors = resolve(self._given, graph)
        self._missing.clear()
        self._global_step = tf.compat.v1.train.get_global_step()
        self._saving.begin()
        if self.run.closed:
            raise ValueError(f"run {self._later_run.path} is closed; make a new RecorderHook")
        self._channel = self.run.sub(self._sub) if self._sub else self.run
        self._notes.where = self.run.path

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._wants_graph:
            self._wants_graph = False
            with self._notes.guard("the graph"):
                self.run.graph(session.graph)

    def before_run(self, run_context: Any) -> Any:
        fetches: dict[str, Any] = {}
        self._counts = False
        with self._notes.guard("the beginning of a step"):
            asked = run_context.original_args.fetches
            self._counts = self._beside is None or fetched_ops(self._beside) <= fetched_ops(asked)
            if not self._counts:
                return None
            self._step = self._step_now(run_context)
            if self._when.steps_per_epoch and not self.run.closed:
                self.run.epoch = self._step // self._when.steps_per_epoch
            fetches = self._due(run_context.original_args.feed_dict)
        return tf.compat.v1.train.SessionRunArgs(fetches) if fetches else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._runs += self._counts
        if not run_values.results or self.run.closed:
            return
        record_values(
            self._channel, run_values.results, self._step, what=self._what, phase=self._phase, notes=self._notes
        )
        if _is_due(self._when, self._step):
            with self._notes.guard("a checkpoint"):
                per_epoch = self._when.steps_per_epoch
                number = self._step // per_epoch if per_epoch else self._step
                self._saving.save(run_context.session, self.run, number)

    def end(self, session: Any) -> None:
        with self._notes.guard("the end"):
            if not self.run.closed:
                self.run.flush()
            self.close()

    def _step_now(self, run_context: Any) -> int:
        """The updates finished before this run. Asked beside the training it could be either, before or after."""
        if self._global_step is None:
            return self._runs
        return int(run_context.session.run(self._global_step))

    def _due(self, feed_dict: Any) -> dict[str, Any]:
        """tag -> tensor of what this run is to compute besides; nothing that it cannot for want of a feed."""
        due = {
            tag: tensor
            for tag, tensor in self._tensors.items()
            if _is_due(self._scalars_when if is_scalar(tensor) else self._when, self._step)
        }
        if not due or self.run.closed:
            return {}
        key = (fed_names(feed_dict), tuple(due))
        if key not in self._missing:
            self._missing[key] = missing(due.values(), key[0])
        if not self._missing[key]:
            return due
        self._notes.once(
            f"a run of the session was not recorded: {', '.join(due)} need {', '.join(self._missing[key])}, "
            "which it does not feed"
        )
        return {}


def _checked_when(when: When) -> When:
    if when.epochs and not when.steps_per_epoch:
        raise ValueError("a session knows no epochs: say how many steps they have, tap.epochs(1, steps_per_epoch=100)")
    return when


def _is_due(when: When, step: int) -> bool:
    if when.steps:
        return step in when.steps
    if when.epochs:
        epoch, place = divmod(step, when.steps_per_epoch)
        return place == when.steps_per_epoch - 1 and epoch % when.epochs == 0
    return step % when.every == 0
