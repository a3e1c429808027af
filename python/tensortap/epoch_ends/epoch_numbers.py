"""EpochNumbers: one number for each epoch of a recorder, over all its fits."""

from __future__ import annotations


class EpochNumbers:
    """Keras' own numbers, 0-based, as long as they go up. A second fit that begins at 0 again goes on after the first:
    files and checkpoints that are numbered by epochs never mean two of them.
    """

    def __init__(self) -> None:
        self._last = -1
        self._offset = 0

    def begin_training(self) -> None:
        """Whatever number comes next is taken as it is, if it is a new one."""
        self._offset = 0

    def begin(self, epoch: int) -> int:
        if epoch + self._offset <= self._last:
            self._offset = self._last + 1 - epoch
        self._last = epoch + self._offset
        return self._last

    def skip_to(self, last: int) -> None:
        """Up to this one they are taken, by a run that is resumed."""
        self._last = max(self._last, last)

    @property
    def current(self) -> int:
        return max(self._last, 0)
