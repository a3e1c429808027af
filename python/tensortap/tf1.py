"""tap.tf1: records tensors of tf.compat.v1 graphs, in a MonitoredSession or beside a Session of one's own.

    hook = tap.tf1.RecorderHook("runs/c", tensors={"out": logits, "loss": loss}, every=10)
    with tf.compat.v1.train.MonitoredSession(hooks=[hook]) as session: ...

    rec = tap.tf1.SessionRecorder("runs/d", session)
    rec.capture({"out": logits}, feed_dict={x: x_val}, step=epoch)

Importing this module imports TensorFlow.
"""

from __future__ import annotations

from tensortap.sessions.hook import RecorderHook
from tensortap.sessions.recorder import SessionRecorder

__all__ = ["RecorderHook", "SessionRecorder"]
