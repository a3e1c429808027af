"""SessionRecorder: runs a session on tensors of the user's choice and records what comes out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tensortap.rules import to_what
from tensortap.run import Run
from tensortap.sessions import saving
from tensortap.sessions.feeds import in_batches
from tensortap.sessions.fetched import record_values
from tensortap.sessions.targets import resolve, to_targets
from tensortap.sinks import Sink, to_sinks
from tensortap.watching.later_run import LaterRun
from tensortap.watching.notes import Notes
from tensortap.watching.tensorflow_op import tf


class SessionRecorder:
    """Records tensors of a tf.compat.v1 graph, in loops that call session.run themselves.

        with tf.compat.v1.Session() as session, tap.tf1.SessionRecorder("runs/d", session) as rec:
            for epoch in range(epochs):
                ...
                rec.capture({"out": logits}, feed_dict={x: x_val}, step=epoch)
                rec.checkpoint(saver, step=epoch)

    run:    a run's directory, or a tap.Run.
    sess:   the session; None: the default one at each call.
    what:   "tensor" (the values), "stats", both (the default), or tap.first(n).
    graph:  the session's graph too, when something is first captured.
    mode, sinks, options:  as in tap.Run, when `run` is a directory.

    It opens no session, and leaves the one it was given open.
    """

    def __init__(
        self,
        run: str | os.PathLike[str] | Run,
        sess: Any = None,
        *,
        what: Any = ("stats", "tensor"),
        graph: bool = True,
        mode: str = "new",
        sinks: Sequence[Sink] | Sink = (),
        **options: Any,
    ) -> None:
        if sess is not None and not hasattr(sess, "run"):
            raise TypeError(f"sess is a tf.compat.v1.Session, not {type(sess).__name__}")
        self._given_session = sess
        self._what = to_what(what)
        self._wants_graph = graph
        if several := to_sinks(sinks):
            options["sinks"] = several
        self._later_run = LaterRun(run, mode, **options)
        self._notes = Notes()
        self._notes.where = self.run.path  # opened now: what is wrong with it shows before the first epoch is over
        self._captures = 0

    @property
    def run(self) -> Run:
        """The run that is recorded to."""
        return self._later_run.run

    @property
    def notes(self) -> list[str]:
        """What could not be recorded, and why."""
        return list(self._notes.texts)

    def capture(
        self,
        tensors: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        *,
        step: int | None = None,
        epoch: int | None = None,
        what: Any = None,
        sub: str | None = None,
        phase: str = "",
        fetches: Any = None,
    ) -> Any:
        """Runs the session once, records the tensors, and returns their values by tag.

        tensors:  tag -> tensor or its name; or one or several that name themselves. Those of rank 0 become scalars.
        step:     None: the graph's global step, or the count of captures where there is none.
        epoch:    what sinks number their files by; None: the `step` that was given.
        sub:      a sub-run to record to, such as "train" or "test".
        fetches:  what else this run computes, such as the training op; then (values, fetched) is returned.
        """
        session = self._session()
        targets = resolve(to_targets(tensors), session.graph)
        number = self._begin_capture(session, step, epoch)
        values, fetched = session.run([targets, [] if fetches is None else fetches], feed_dict)
        chosen = self._what if what is None else to_what(what)
        with self._notes.guard("a capture"):
            record_values(self._channel(sub), values, number, what=chosen, phase=phase, notes=self._notes)
        return values if fetches is None else (values, fetched)

    def predictions(
        self,
        name: str,
        outputs: Any,
        labels: Any = None,
        feed_dict: Mapping[Any, Any] | Iterable[Mapping[Any, Any]] | None = None,
        *,
        ids: Any = None,
        step: int | None = None,
        epoch: int | None = None,
        batch_size: int | None = None,
        sub: str | None = None,
        phase: str = "val",
    ) -> np.ndarray:
        """Runs the session on all samples, records outputs with labels and ids, and returns the outputs.

        outputs:     a tensor or its name; its first dimension counts the samples.
        labels:      an array, or a tensor that is computed with the outputs.
        feed_dict:   of all samples, which `batch_size` splits; or several of them, one for each batch.
        """
        session = self._session()
        wanted = {"outputs": outputs}
        if isinstance(labels, (str, tf.Tensor)) and not hasattr(labels, "numpy"):
            wanted["labels"] = labels
        targets = resolve(to_targets(wanted), session.graph)
        number = self._begin_capture(session, step, epoch)
        batches = [session.run(targets, feed) for feed in self._feeds(feed_dict, batch_size, session)]
        y_pred = np.concatenate([batch["outputs"] for batch in batches])
        y_true = np.concatenate([batch["labels"] for batch in batches]) if "labels" in wanted else labels
        ids = np.arange(len(y_pred)) if ids is None else ids
        channel = self._channel(sub)
        if not channel.closed:
            channel.predictions(name, y_pred=y_pred, y_true=y_true, ids=ids, step=number, phase=phase)
        return y_pred

    def scalar(self, tag: str, value: Any, step: int | None = None, *, sub: str | None = None) -> None:
        """Records one number that is at hand already. Without step= that of the last capture."""
        self._channel(sub).scalar(tag, value, step=step)

    def graph(self, graph: Any = None) -> None:
        """Records the session's graph, or another one."""
        self._wants_graph = False
        self.run.graph(self._session().graph if graph is None else graph)

    def checkpoint(self, saver: Any, step: int) -> str:
        """Saves the variables as <run>/checkpoints/model-<step>, and returns that path for saver.restore().

        A Saver keeps its last five: tf.compat.v1.train.Saver(max_to_keep=None) keeps all.
        """
        return saving.save(saver, self._session(), self.run, step)

    def report(self) -> dict[str, Any]:
        """What recording has done so far, and what it cost: see tap.Run.report."""
        return self.run.report()

    def flush(self) -> bool:
        return self.run.flush()

    def close(self) -> None:
        """Closes the run if this recorder opened it; the session stays open."""
        self._later_run.close()

    def __enter__(self) -> SessionRecorder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _session(self) -> Any:
        session = self._given_session or tf.compat.v1.get_default_session()
        if session is None:
            raise ValueError("there is no session: give SessionRecorder one, or call it within `with session:`")
        return session

    def _channel(self, sub: str | None) -> Run:
        return self.run.sub(sub) if sub else self.run

    def _feeds(self, feed_dict: Any, batch_size: int | None, session: Any) -> Iterable[Any]:
        if feed_dict is not None and not isinstance(feed_dict, Mapping):
            return feed_dict
        return [feed_dict] if batch_size is None or not feed_dict else in_batches(feed_dict, batch_size, session.graph)

    def _begin_capture(self, session: Any, step: int | None, epoch: int | None) -> int:
        """The step of what is run next."""
        number = self._next_step(session) if step is None else step
        self._captures += 1
        self.run.step = number
        if epoch is not None or step is not None:
            self.run.epoch = step if epoch is None else epoch
        if self._wants_graph:
            with self._notes.guard("the graph"):
                self.graph()
        return number

    def _next_step(self, session: Any) -> int:
        """Asked before: beside the training the global step could be either, before or after its update."""
        global_step = tf.compat.v1.train.get_global_step(session.graph)
        if global_step is None:
            return self._captures
        plain = session._tf_sess() if hasattr(session, "_tf_sess") else session  # without a MonitoredSession's hooks
        return int(plain.run(global_step))
