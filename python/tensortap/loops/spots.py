"""Spots in graphs: the op that records one symbolic tensor where it is computed."""

from __future__ import annotations

import logging
import sys
from typing import Any

from tensortap import _record
from tensortap.watching import passing, tensorflow_op
from tensortap.watching.keras_values import plain
from tensortap.watching.tensorflow_op import tf

logger = logging.getLogger("tensortap")

# A tf.function is traced for whoever calls it: of loops around the call it must know nothing.
_CONTROL_FLOW_GRAPHS = ("CondBranchFuncGraph", "WhileBodyFuncGraph", "WhileCondFuncGraph")
# Whoever traces a function in there makes a file of it, which must open without Tensortap.
_EXPORTERS = ("keras.src.export", "keras.src.saving", "tf_keras.src.saving", "tensorflow.python.saved_model")
_warned: set[str] = set()


def tap(x: Any, number: int, name: str) -> Any:
    """Puts the op behind a tensor, and gives the tensor to go on with."""
    op = put(x, number, name, None)
    if op is None or not isinstance(x, tf.Tensor) or tf.compat.v1.get_default_graph().building_function:
        return x
    with tf.control_dependencies([op]):  # a graph of TF1 runs only what is asked for
        return tf.identity(x)


def record(run: Any, kind: str, tag: str, value: Any, step: Any, scale: str = "auto") -> None:
    """What run.scalar, histogram, tensor and image do with a symbolic tensor: it is recorded when it is computed."""
    if not tf.compat.v1.get_default_graph().building_function:
        raise TypeError(f"{tag}: a graph of TF1 runs only what is asked for; use x = tap.tap(x, name), and fetch x")
    number = _record.spot_number(
        tag,
        run=run.number,
        kind="tensor" if kind == "histogram" else kind,
        stats=kind == "histogram",
        values=kind == "tensor",
        scale=scale,
    )
    value = plain(value)
    if not isinstance(value, (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)):
        value = tf.convert_to_tensor(value)  # a variable, or a number at a symbolic step
    put(value, number, tag, step)


def put(x: Any, number: int, name: str, step: Any) -> Any:
    """The op, or None where there can be none."""
    tensors = passing.recordable(x)
    if not tensors:
        _warn_once(f"{name}: a tensor of {getattr(x, 'dtype', type(x).__name__)} holds no numbers to record")
        return None
    if tensorflow_op.in_xla():
        _warn_once(
            f"{name} is not recorded: it is inside of a function that XLA compiles; jit_compile=False records it"
        )
        return None
    if _is_exporting():
        return None
    at = tensorflow_op.UNKNOWN_STEP if step is None else step_tensor(step)
    return tensorflow_op.spot(at, _iterations(), tensors[0], number)


def replica_suffix() -> str:
    """What tags end with where there are several copies of a model: as those of a watch."""
    try:
        return tensorflow_op.replica()[1]
    except RuntimeError:  # known only when it runs
        return ""


def step_tensor(step: Any) -> Any:
    return tf.cast(tf.convert_to_tensor(plain(step)), tf.int64)


def is_control_flow(graph: Any) -> bool:
    """Whether this is the graph of a loop or branch inside of another one."""
    return type(graph).__name__ in _CONTROL_FLOW_GRAPHS


def _iterations() -> Any:
    """The counters of the loops around what is traced now, from the outermost in."""
    graph = tf.compat.v1.get_default_graph()
    counters: list[Any] = []
    while is_control_flow(graph):
        if type(graph).__name__ == "WhileBodyFuncGraph":
            counters.insert(0, tf.cast(graph.inputs[0], tf.int64))
        graph = graph.outer_graph
    return tf.stack(counters) if counters else tf.zeros([0], tf.int64)


def _is_exporting() -> bool:
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_EXPORTERS):
            return True
        frame = frame.f_back
    return False


def _warn_once(text: str) -> None:
    if text not in _warned:
        _warned.add(text)
        logger.warning("%s", text)
