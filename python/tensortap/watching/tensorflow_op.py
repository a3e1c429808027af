"""The ops inside TensorFlow: loading them, and putting them into graphs.

Importing this module imports TensorFlow.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tensortap import _record

OLDEST = (2, 16)
UNKNOWN_STEP = -(2**63)  # known only to the run, when the op executes
PHASES = {"": 0, "train": 1, "val": 2, "predict": 3}


def _import_tensorflow() -> Any:
    needs = f"Tensortap records inside TensorFlow {'.'.join(map(str, OLDEST))} or later"
    try:
        import tensorflow
    except ImportError as error:
        raise ImportError(f"{needs}; it is not installed: pip install 'tensorflow>=2.16' ({error})") from error
    version = tuple(int(part) for part in tensorflow.__version__.split(".")[:2])
    if version < OLDEST:
        raise ImportError(f"{needs}; this is {tensorflow.__version__}: pip install -U 'tensorflow>=2.16'")
    return tensorflow


tf = _import_tensorflow()


@functools.cache
def _library() -> Any:
    path = Path(_record.__file__).with_name("tensortap_op.so")
    library = tf.load_op_library(str(path))
    if not hasattr(library, "tensortap_tap_v1"):
        raise ImportError(
            f"TensorFlow did not take the ops of {path}: another copy of Tensortap is loaded into this process"
        )
    return library


def load() -> None:
    """Loads the ops now, so that what is wrong shows before a training begins."""
    _library()


def in_xla() -> bool:
    """Whether what is traced now will be compiled by XLA, which knows no ops but its own."""
    try:
        from tensorflow.python.ops.control_flow_util import GraphOrParentsInXlaContext as IsInXla
    except ImportError:  # TensorFlow has no public way to ask
        return False
    return not tf.executing_eagerly() and bool(IsInXla(tf.compat.v1.get_default_graph()))


def replica() -> tuple[int, str]:
    """The number of the copy of the model that is traced or runs now, and what its tags end with: "" or "@0"."""
    context = tf.distribute.get_replica_context()
    if context is None or context.num_replicas_in_sync <= 1:
        return 0, ""
    number = tf.get_static_value(context.replica_id_in_sync_group)
    if number is None:
        raise RuntimeError("the number of the replica is not known while its function is traced")
    return int(number), f"@{int(number)}"


def begin(step: Any, watch: int, phase: str, replica: int) -> Any:
    """A batch begins; a tensor that says whether anything of it is to be recorded."""
    with tf.device("CPU:0"):
        return _library().tensortap_begin_v1(step=step, watch=watch, phase=PHASES[phase], replica=replica)


def tap(step: Any, tensors: Sequence[Any], taps: Sequence[int]) -> Any:
    """The op that records; None when it was executed at once."""
    with tf.device("CPU:0"):
        return _library().tensortap_tap_v1(step=step, x=list(tensors), taps=list(taps))


def spot(step: Any, iterations: Any, tensor: Any, number: int) -> Any:
    """The op that records one tensor by name; None when it was executed at once."""
    with tf.device("CPU:0"):
        return _library().tensortap_spot_v1(step=step, iterations=iterations, x=tensor, spot=number)


def gated_tap(is_open: Any, step: Any, tensors: Sequence[Any], taps: Sequence[int]) -> Any:
    """As tap(), behind a condition of the graph: tensors of another device are copied only when it is open."""

    def record() -> Any:
        tap(step, tensors, taps)
        return tf.constant(True)

    return tf.cond(is_open, record, lambda: tf.constant(False)).op if _is_symbolic(step) else _eagerly(is_open, record)


def _is_symbolic(tensor: Any) -> bool:
    return not hasattr(tensor, "numpy")


def _eagerly(is_open: Any, record: Any) -> None:
    if bool(is_open):
        record()
