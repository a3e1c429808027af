"""Pass: one step of a model while it is traced (or run eagerly), and what the taps see of it."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tensortap.watching import nested_functions, tensorflow_op
from tensortap.watching.tensorflow_op import tf

logger = logging.getLogger("tensortap")

_UNRECORDABLE = ("string", "resource", "variant")
_SIDE_GRAPHS = ("scratch_graph", "keras_graph")  # of Keras 3, of tf_keras
_current = threading.local()


class Pass:
    """Gathers tensors with their tap numbers, and puts the op that records them into the graph.

    Tensors of the step's own graph are recorded by one op at its end: an op for each would form a chain of its own
    through the step. Those born inside loops and branches cannot leave them and get an op where they are. In steps
    without a backward pass each layer has its op, so that no tensor lives longer than it would.
    """

    def __init__(
        self, watch: Any, phase: str, step: Any, replica: str, is_open: Any, *, gathers: bool, replica_number: int = 0
    ) -> None:
        self.watch = watch
        self.phase = phase
        self.step = step
        self.replica = replica  # "", or "@0" and so on where there are several
        self.replica_number = replica_number
        self.loss: Any = None
        self.in_jit = False  # inside of what XLA compiles
        self.saw_weights = False
        self.states: set[int] = set()  # of variables whose values were recorded at the beginning
        self.seen: set[Any] = set()  # what is recorded once in a step, however often it could be
        self.applying: list[Any] = []  # the variables with gradients that an optimizer is about to update
        self._is_open = is_open  # set: tensors may be on another device
        self._gathers = gathers
        self._graph: Any = None
        self._calls: Counter[int] = Counter()
        self.taps: list[int] = []
        self.tensors: list[Any] = []

    def enter(self, *, in_jit: bool = False) -> None:
        """The step function is about to run; perhaps again, where TensorFlow traces twice."""
        self._graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        self.in_jit = in_jit
        self._calls.clear()
        self.seen.clear()
        if in_jit:
            self.taps.clear()
            self.tensors.clear()

    def leave_jit(self) -> None:
        """What was gathered inside the compiled function has been returned out of it."""
        self.in_jit = False
        self._graph = tf.compat.v1.get_default_graph()

    def at_once(self) -> Pass:
        """A pass of the same step whose op does not wait for the step's end."""
        early = Pass(
            self.watch,
            self.phase,
            self.step,
            self.replica,
            self._is_open,
            gathers=True,
            replica_number=self.replica_number,
        )
        early.enter()
        return early

    def call_index(self, layer: Any) -> int:
        """How often this layer was called before in this step."""
        self._calls[id(layer)] += 1
        return self._calls[id(layer)] - 1

    def is_here(self) -> bool:
        """Whether what runs now belongs to the step. Keras also calls layers on the side, to learn of their shapes."""
        if tf.executing_eagerly():
            return self._graph is None
        graph = tf.compat.v1.get_default_graph()
        while graph is not None and graph is not self._graph:
            if is_side_graph(graph):
                return False
            graph = getattr(graph, "outer_graph", None)
        return graph is not None

    def is_current(self) -> bool:
        """Whether the very graph that is traced now is this pass's own."""
        here = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        return here is self._graph

    def owns(self, tensor: Any) -> bool:
        """Whether this is a tensor of the step itself, not of a function, loop or branch inside of it."""
        return self._graph is None or getattr(tensor, "graph", None) is self._graph

    def add(self, tap: int, *tensors: Any) -> None:
        """Records these when the step runs."""
        if self.owns(tensors[0]) and (self._gathers or self.in_jit):
            self.taps += [tap] * len(tensors)
            self.tensors += tensors
        elif self.in_jit:
            self.watch.note_once(
                f"{self.watch.tag_of(tap)} is not recorded: it is computed inside a loop, branch or function of a step "
                "that XLA compiles; Recorder(jit='off') records it"
            )
        else:
            self._emit([tap] * len(tensors), tensors)

    def emit(self) -> Any:
        """The op that records all that was gathered; None when there was nothing."""
        taps, tensors = self.taps, self.tensors
        self.taps, self.tensors = [], []
        return self._emit(taps, tensors) if taps else None

    def _emit(self, taps: Any, tensors: Any) -> Any:
        if self._is_open is None:
            return tensorflow_op.tap(self.step, tensors, taps)
        return tensorflow_op.gated_tap(self._is_open, self.step, tensors, taps)


@contextmanager
def running(passes: list[Pass], *, in_jit: bool = False) -> Iterator[None]:
    """What hooks see in between belongs to these passes."""
    before = getattr(_current, "passes", None)
    for one in passes:
        one.enter(in_jit=in_jit)
    _current.passes = {**(before or {}), **{one.watch: one for one in passes}}
    try:
        with nested_functions.renewed():
            yield
    finally:
        _current.passes = before


def current(watch: Any) -> Pass | None:
    """The pass of this watch that is running on this thread. None outside of steps: nothing is recorded then."""
    passes = getattr(_current, "passes", None)
    this_pass = passes.get(watch) if passes else None
    if this_pass is not None and nested_functions.is_hidden():
        watch.note_once(
            "what runs inside of a tf.function of its own is not recorded when the model runs eagerly, or when XLA "
            "compiles that function"
        )
        return None
    return this_pass if this_pass is not None and this_pass.is_here() else None


def is_running(watch: Any) -> bool:
    """Whether this thread is inside of a pass of this watch."""
    passes = getattr(_current, "passes", None)
    return bool(passes) and watch in passes


def is_side_graph(graph: Any) -> bool:
    """Whether this is one of the graphs in which Keras calls layers only to learn of their shapes."""
    return any(name in (getattr(graph, "name", None) or "") for name in _SIDE_GRAPHS)


def recordable(value: Any) -> list[Any]:
    """The tensors with numbers in them out of whatever a layer gives: nests, ragged and sparse tensors, None."""
    tensors = []
    for item in tf.nest.flatten(value, expand_composites=False):
        if isinstance(item, tf.RaggedTensor):
            item = item.flat_values
        elif isinstance(item, (tf.SparseTensor, tf.IndexedSlices)):
            item = item.values
        if isinstance(item, tf.Tensor) and item.dtype.base_dtype.name not in _UNRECORDABLE:
            tensors.append(item)
    return tensors
