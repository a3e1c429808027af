"""Hook on layers: what each call of a layer gives, and the gradient that comes back to it."""

from __future__ import annotations

from typing import Any

from tensortap.hooks import patch
from tensortap.watching import passing
from tensortap.watching.tensorflow_op import tf


def install(watch: Any, layer: Any, path: str, *, outputs: Any, gradients: Any) -> patch.Undo:
    """`outputs` and `gradients` are rules, or None."""
    is_quantised = getattr(layer, "quantization_mode", None) is not None
    around = around_output(watch, layer, path, outputs=outputs, gradients=gradients)
    return patch.install(layer, "quantized_call" if is_quantised else "call", around)


def around_output(watch: Any, layer: Any, path: str, *, outputs: Any, gradients: Any) -> patch.Around:
    """What install() puts around a layer's calls."""

    def around(call: Any, *args: Any, **kwargs: Any) -> Any:
        result = call(*args, **kwargs)
        this_pass = passing.current(watch)
        if this_pass is None:
            return result
        name = path
        index = this_pass.call_index(layer)
        if index:
            name = f"{path}#{index}"
        with watch.guard(f"the output of layer {name}"):
            if outputs is not None:
                _see(watch, this_pass, "activations", name, passing.recordable(result), outputs)
            if gradients is not None:
                result = with_gradient_taps(watch, this_pass, "activation_gradients", name, result, gradients)
        return result

    return around


def _see(watch: Any, this_pass: passing.Pass, kind: str, name: str, tensors: list[Any], rule: Any) -> None:
    for index, tensor in enumerate(tensors):
        watch.add_tensor(this_pass, f"{kind}/{name}{_output(index)}", tensor, rule)


def with_gradient_taps(
    watch: Any, this_pass: passing.Pass, kind: str, name: str, value: Any, rule: Any, token: Any = None
) -> Any:
    """The same value, in which what comes back on the way backward is seen.

    With a `token` (a variable that every tape watches) gradients come back also to what depends on no variable.
    """
    counter = iter(range(1 << 30))

    def tapped(tensor: Any) -> Any:
        if not isinstance(tensor, tf.Tensor) or not (tensor.dtype.is_floating or tensor.dtype.is_complex):
            return tensor
        tag = f"{kind}/{name}{_output(next(counter))}"

        @tf.custom_gradient
        def identity(x: Any, *tokens: Any) -> Any:
            def gradient(dy: Any) -> Any:
                with watch.guard(tag):
                    # Not those of a function that TensorFlow makes on the side, as for Jacobians.
                    for seen in passing.recordable(dy) if passing.current(watch) is this_pass else ():
                        watch.add_tensor(this_pass, tag, seen, rule)
                return (dy, *[tf.zeros_like(t) for t in tokens])

            return tf.identity(x), gradient

        same = identity(tensor) if token is None else identity(tensor, token.read_value())
        _keep_logits(tensor, same)
        return same

    return tf.nest.map_structure(tapped, value)


def _keep_logits(tensor: Any, same: Any) -> None:
    """Keras computes a crossentropy of what went into a softmax or sigmoid where it finds that, past their output."""
    logits = getattr(tensor, "_keras_logits", None)
    if logits is None and not hasattr(tensor, "numpy") and tensor.op.type in ("Softmax", "Sigmoid"):
        logits = tensor.op.inputs[0]
    if logits is not None:
        same._keras_logits = logits


def _output(index: int) -> str:
    return f":{index}" if index else ""
