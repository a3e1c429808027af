"""tap.tap: records one tensor by name, wherever it is: eagerly, in functions, layers, loops, and TF1 graphs.

Which run records it, and at which step, is found when it executes. TensorFlow is looked at only if the program has
imported it.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from tensortap import _record, carriers
from tensortap.rules import to_what, to_when

if TYPE_CHECKING:
    from tensortap.run import Run


def tap(
    x: Any, name: str, *, what: Any = "stats", every: Any = 1, show: bool | float = False, run: Run | None = None
) -> Any:
    """Records a tensor under a name, and returns it.

        x = tap.tap(x, "encoder/attention", what="stats", every=10)

    Works anywhere: eagerly, inside of tf.function and layer.call, of loops and branches, in tf.compat.v1 graphs, and
    between the layers of a functional Keras model. While no run is open it does nothing.

    what:   "stats" (statistics with a histogram), "tensor" (the values), both, or tap.first(n).
    every:  a number of batches, tap.steps(...) or tap.epochs(...).
    show:   also prints shape, dtype, statistics and first values: the first three, then one line a second; a number is
            that of lines a second. This needs no run.
    run:    a run to record to; None: the one that was opened last.

    The step is that of the batch that runs: of a watched model, or as the program has set it by `run.step`. Where
    nobody counts, executions are counted. The second execution in a batch has the tag `name#1`, and so on; in a loop of
    a graph the number is that of the iteration. Validation batches of a watched model are in the sub-run val, as all
    that is recorded of them.
    """
    if isinstance(x, (list, tuple, dict)) and not hasattr(x, "_fields"):
        return _map(x, lambda part, path: tap(part, f"{name}{path}", what=what, every=every, show=show, run=run))
    if type(x).__name__ == "KerasTensor":
        from tensortap.loops.tap_layer import between_layers

        return between_layers(x, name, what=what, every=every, show=show, run=run)
    options = (to_what(what), to_when(every), float(show), 0 if run is None else run.number)
    if carriers.is_symbolic(x):
        from tensortap.loops import spots

        tag = name + spots.replica_suffix()
        return spots.tap(x, spot_number(tag, *options), tag)
    number = spot_number(name, *options)
    if _record.spot_listens(number):
        line = _record.see_spot(number, carriers.tensor(x), None)
        if line is not None:
            sys.stdout.write(line + "\n")
    return x


tap.autograph_info__ = {"do_not_convert": True}  # AutoGraph must not rewrite us


@functools.lru_cache(maxsize=4096)
def spot_number(name: str, what: Any, when: Any, shows_per_second: float, run: int) -> int:
    """What the op of a spot carries; `run` is the number of one, or 0 for the innermost."""
    return _record.spot_number(
        name,
        run=run,
        stats=what.stats,
        values=what.values,
        first_samples=what.first_samples,
        every=when.every,
        steps=list(when.steps),
        epochs=when.epochs,
        numbers_calls=True,
        shows_per_second=shows_per_second,
    )


def _map(values: Any, function: Any) -> Any:
    """The same nest, with the function applied to each part and its place: "/key" or ":1"."""
    if isinstance(values, dict):
        return type(values)({key: function(part, f"/{key}") for key, part in values.items()})
    return type(values)(function(part, f":{index}" if index else "") for index, part in enumerate(values))
