"""Hook on a model's inputs: the gradient of the loss with respect to them."""

from __future__ import annotations

from typing import Any

from tensortap.hooks import patch
from tensortap.hooks.layer import with_gradient_taps
from tensortap.watching import passing
from tensortap.watching.tensorflow_op import tf


def install(watch: Any, model: Any, rule: Any) -> patch.Undo:
    # No tape watches the inputs of a model. A variable that takes part in them makes every tape do so.
    token = tf.Variable(0.0, trainable=True, name="tensortap_token")

    def around(call: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        this_pass = passing.current(watch)
        if this_pass is not None and this_pass.phase == "train" and this_pass.call_index(model) == 0:
            with watch.guard("the gradient of the input"):
                inputs = with_gradient_taps(watch, this_pass, "input_gradients", "input", inputs, rule, token)
        return call(inputs, *args, **kwargs)

    return patch.install(model, "call", around)
