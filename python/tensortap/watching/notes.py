"""Notes: what could not be recorded, and why; each said once."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from tensortap.watching.layers import NoMatchError

logger = logging.getLogger("tensortap")


class Notes:
    """Kept for the user who asks, and logged for the one who does not."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.where = ""  # whose notes; for the log

    def once(self, text: str) -> None:
        if text not in self.texts:
            self.texts.append(text)
            logger.warning("%s: %s", self.where, text) if self.where else logger.warning("%s", text)

    @contextmanager
    def guard(self, what: str) -> Iterator[None]:
        """Recording must never end a training: what fails in between is noted, and costs itself alone."""
        try:
            yield
        except NoMatchError:
            raise  # the user's mistake, found before the first step
        except Exception as error:
            self.once(f"{what} could not be recorded: {type(error).__name__}: {error}")
            logger.debug("while recording %s", what, exc_info=True)
