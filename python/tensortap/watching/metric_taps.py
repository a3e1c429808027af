"""MetricTaps: loss, metrics and learning rate of each training batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tensortap.watching.keras_values import flat_logs, learning_rate_of, plain
from tensortap.watching.run_taps import RunTaps
from tensortap.watching.tensorflow_op import tf


class MetricTaps:
    """Scalars go to the sub-run `train`, once per batch.

    Several replicas have one each: `loss@0` and so on. Keras divides their losses by how many there are, so that the
    loss of the whole batch is the sum.
    """

    def __init__(self, taps: RunTaps) -> None:
        self._taps = taps

    def see_result(self, this_pass: Any, result: Any) -> None:
        """What a train step returns."""
        # What Keras returns are means over the epoch so far. Of the loss there is better.
        scalars = dict(flat_logs(result)) if isinstance(result, Mapping) else {}
        if this_pass.loss is not None:
            scalars["loss"] = this_pass.loss
        for name, value in scalars.items():
            self._see(this_pass, name, value)

    def see_learning_rate(self, this_pass: Any, optimizer: Any) -> None:
        self._see(this_pass, "learning_rate", learning_rate_of(optimizer))

    def _see(self, this_pass: Any, name: str, value: Any) -> None:
        tensor = tf.convert_to_tensor(plain(value))
        if tensor.shape.rank == 0 and (tensor.dtype.is_floating or tensor.dtype.is_integer):
            this_pass.add(self._taps.scalar(this_pass, name), tensor)
