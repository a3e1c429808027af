"""Hook on compute_loss: the loss of each batch, where Keras itself shows only its mean over the epoch."""

from __future__ import annotations

from typing import Any

from tensortap.hooks import patch
from tensortap.watching import passing


def install(watch: Any, model: Any) -> patch.Undo:
    def around(call: Any, *args: Any, **kwargs: Any) -> Any:
        loss = call(*args, **kwargs)
        this_pass = passing.current(watch)
        if this_pass is not None and this_pass.owns(loss):
            this_pass.loss = loss
        return loss

    return patch.install(model, "compute_loss", around)
