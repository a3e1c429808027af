"""EveryOp: taps on whatever ops the functions have that are traced from now on."""

from __future__ import annotations

import logging
import re
import threading
from typing import Any

from tensortap.loops import spots
from tensortap.rules import to_what, to_when
from tensortap.run import Run
from tensortap.tapping import spot_number
from tensortap.watching import tensorflow_op
from tensortap.watching.tensorflow_op import tf

logger = logging.getLogger("tensortap")

# They hand on what others have computed, or have outputs that nobody may look at: see TensorFlow's own debugger.
_SKIPPED_TYPES = frozenset(
    [
        "Arg",
        "Const",
        "Enter",
        "Exit",
        "Identity",
        "IdentityN",
        "If",
        "LoopCond",
        "Merge",
        "NextIteration",
        "NoOp",
        "Placeholder",
        "PartitionedCall",
        "ReadVariableOp",
        "RemoteCall",
        "Retval",
        "StatefulPartitionedCall",
        "StatelessIf",
        "StatelessWhile",
        "Switch",
        "VarHandleOp",
        "While",
    ]
)
_local = threading.local()


class EveryOp:
    """Until close(); what was traced by then goes on recording while the run is open."""

    def __init__(self, run: Run, pattern: str, what: Any, every: Any) -> None:
        if not isinstance(run, Run):
            raise TypeError(f"tap.every_op records to a tap.Run, not {type(run).__name__}")
        self._run = run
        self._pattern = re.compile(pattern)
        self._what, self._when = to_what(what), to_when(every)
        self.tags: list[str] = []  # in the order of tracing
        tensorflow_op.load()
        _callbacks().add_op_callback(self._see)
        self._is_on = True

    def close(self) -> None:
        """Functions that are traced from now on are left alone."""
        if self._is_on:
            self._is_on = False
            _callbacks().remove_op_callback(self._see)

    def __enter__(self) -> EveryOp:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _see(self, op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> Any:
        """TensorFlow calls this after it has made an op; it must not raise."""
        if graph is None or getattr(_local, "is_inside", False):
            return None
        kind, name = _text(op_type), _text(op_name)
        if kind in _SKIPPED_TYPES or kind.startswith("Tensortap") or not self._pattern.search(name):
            return None
        _local.is_inside = True
        try:
            for index, output in enumerate(outputs):
                if output.dtype.is_floating or output.dtype.is_complex or output.dtype.is_integer:
                    self._tap(f"ops/{_function_of(graph)}/{name}{f':{index}' if index else ''}", output)
        except Exception as error:
            logger.warning("%s is not recorded: %s: %s", name, type(error).__name__, error)
        finally:
            _local.is_inside = False
        return None

    def _tap(self, tag: str, output: Any) -> None:
        number = spot_number(tag, self._what, self._when, 0.0, self._run.number)
        if spots.put(output, number, tag, None) is not None and tag not in self.tags:
            self.tags.append(tag)


def _function_of(graph: Any) -> str:
    """The name of the function that the user wrote, for the graphs of loops and branches inside of it too."""
    while spots.is_control_flow(graph):
        graph = graph.outer_graph
    return getattr(graph, "name", None) or "graph"


def _text(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else str(name)


def _callbacks() -> Any:
    try:
        from tensorflow.python.framework import op_callbacks
    except ImportError as error:
        raise ImportError(f"this TensorFlow ({tf.__version__}) does not tell of its ops: {error}") from error
    return op_callbacks
