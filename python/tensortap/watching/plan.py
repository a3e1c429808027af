"""Plan: what a recorder would capture of a model, how often, and what it would cost."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tensortap import _record, carriers
from tensortap.hooks.optimizer import clips
from tensortap.rules import Capture, What, When
from tensortap.watching import layers as watched_layers
from tensortap.watching.keras_values import optimizers_of, slots_of, uses_xla

_STATS_BYTES = 250  # of one capture with its histogram, in the file
_CALIBRATION_FLOATS = 1 << 18


@dataclass
class PlannedCapture:
    """One tag. `elements` is None where the shape is known only when the model runs."""

    tag: str
    shape: tuple[Any, ...] | None
    dtype: str
    when: When
    what: What
    elements: int | None = None
    bytes: int | None = None


@dataclass
class Plan:
    """What would be captured. `seconds_per_capture` is the processor time of one capture of everything."""

    captures: list[PlannedCapture]
    notes: list[str] = field(default_factory=list)
    batch_size: int = 32
    bytes_per_capture: int = 0
    seconds_per_capture: float = 0.0

    def table(self) -> str:
        rows = [("tag", "shape", "dtype", "what", "when", "bytes")]
        for one in self.captures:
            shape = "?" if one.shape is None else "x".join("?" if d is None else str(d) for d in one.shape) or "scalar"
            size = "?" if one.bytes is None else _bytes(one.bytes)
            rows.append((one.tag, shape, one.dtype, str(one.what), str(one.when), size))
        widths = [max(len(row[i]) for row in rows) for i in range(6)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines.append(
            f"{len(self.captures)} tensors; all of them at once: {_bytes(self.bytes_per_capture)} in the file, about "
            f"{self.seconds_per_capture * 1e3:.2f} ms of one processor (measured here, batches of {self.batch_size})"
        )
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.captures)

    def __repr__(self) -> str:
        return f"<Plan of {len(self.captures)} tensors, {_bytes(self.bytes_per_capture)} at a time>"


def make_plan(model: Any, rules: dict[str, Capture | None], *, batch_size: int, metrics: bool, jit: str) -> Plan:
    plan = Plan([], batch_size=batch_size)
    if not getattr(model, "built", True):
        plan.notes.append(
            "the model is not built yet: its variables, and layers that it makes when it runs, are not listed"
        )
    for kind, prefix in (("activations", "activations"), ("activation_gradients", "activation_gradients")):
        if rules.get(kind) is not None:
            _plan_layers(plan, model, prefix, rules[kind])
    if rules.get("input_gradients") is not None:
        plan.captures.append(_planned(plan, "input_gradients/input", None, "float32", rules["input_gradients"]))
    if getattr(model, "built", True):
        _plan_variables(plan, model, rules)
    if rules.get("slots") is not None:
        _plan_slots(plan, model, rules["slots"])
    _note_jit(plan, model, jit)
    if metrics:
        plan.notes.append("losses, metrics, learning rate and seconds per step are recorded at each batch")
    _add_costs(plan)
    return plan


def _plan_layers(plan: Plan, model: Any, prefix: str, rule: Capture) -> None:
    for layer, path in watched_layers.chosen_layers(model, rule).values():
        for index, (shape, dtype) in enumerate(_outputs(layer)):
            tag = f"{prefix}/{path}" + (f":{index}" if index else "")
            plan.captures.append(_planned(plan, tag, shape, dtype, rule))


def _plan_variables(plan: Plan, model: Any, rules: dict[str, Capture | None]) -> None:
    trainable = list(model.trainable_variables)
    if (rule := rules.get("gradients")) is not None:
        _plan_chosen(plan, model, "gradients", rule, trainable)
        optimizer = getattr(model, "optimizer", None)
        if optimizer is not None and clips(getattr(optimizer, "inner_optimizer", optimizer)):
            _plan_chosen(plan, model, "clipped_gradients", rule, trainable)
    if (rule := rules.get("weights")) is not None:
        _plan_chosen(plan, model, "weights", rule, trainable, list(model.variables))
    if (rule := rules.get("updates")) is not None:
        # Always statistics of the change.
        _plan_chosen(plan, model, "updates", replace(rule, what=What()), trainable)


def _plan_slots(plan: Plan, model: Any, rule: Capture) -> None:
    slots = [slot for optimizer in optimizers_of(model) for slot in slots_of(optimizer)]
    if slots:
        _plan_chosen(plan, model, "slots", rule, slots)
    else:
        plan.notes.append("slots: the optimizer makes its variables at the first step; they are not listed")


def _plan_chosen(
    plan: Plan, model: Any, kind: str, rule: Capture, by_default: list[Any], by_glob: list[Any] | None = None
) -> None:
    everything = by_default if by_glob is None else by_glob
    paths = watched_layers.chosen_variables(model, rule, by_default, everything)
    for variable in everything:
        if id(variable) in paths:
            dtype = getattr(variable.dtype, "name", variable.dtype)
            tag = f"{kind}/{paths[id(variable)]}"
            plan.captures.append(_planned(plan, tag, extents(variable), str(dtype), rule))


def _outputs(layer: Any) -> list[tuple[tuple[Any, ...] | None, str]]:
    """(shape, dtype) of each output, as far as Keras knows them before the model runs."""
    try:
        outputs = layer.output
    except (AttributeError, ValueError, RuntimeError):
        return [(None, str(getattr(layer, "compute_dtype", "?")))]
    flat = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return [(extents(one), str(getattr(one.dtype, "name", one.dtype))) for one in flat]


def extents(tensor: Any) -> tuple[Any, ...]:
    """Of its dimensions; None where one is open. TensorFlow 1 has objects for them."""
    return tuple(getattr(extent, "value", extent) for extent in tensor.shape)


def _planned(plan: Plan, tag: str, shape: tuple[Any, ...] | None, dtype: str, rule: Capture) -> PlannedCapture:
    planned = PlannedCapture(tag, shape, dtype, rule.when, rule.what)
    if shape is None or any(extent is None for extent in shape[1:]):
        return planned
    extents = [plan.batch_size if extent is None else extent for extent in shape]
    planned.elements = int(np.prod(extents, dtype=np.int64))
    kept = planned.elements
    if rule.what.first_samples and extents and shape[0] is None:
        kept = kept // extents[0] * min(extents[0], rule.what.first_samples)
    planned.bytes = (_STATS_BYTES if rule.what.stats else 0) + (kept * item_bytes(dtype) if rule.what.values else 0)
    return planned


def item_bytes(dtype: str) -> int:
    if dtype == "bool":
        return 1
    digits = "".join(c for c in dtype.partition("_")[0] if c.isdigit())
    return max(int(digits) // 8, 1) if digits else 4


def _note_jit(plan: Plan, model: Any, jit: str) -> None:
    if not uses_xla(model):
        return
    if jit == "keep" and model.distribute_strategy.num_replicas_in_sync > 1:
        plan.notes.append("there are several replicas: XLA does not compile the step while it is recorded")
    elif jit == "keep":
        plan.notes.append("XLA compiles the step as before; what is recorded is returned out of the compiled function")
    else:
        plan.notes.append("jit='off': XLA does not compile the step while it is recorded")


def _add_costs(plan: Plan) -> None:
    nanos = _nanos_per_float()
    for one in plan.captures:
        plan.bytes_per_capture += one.bytes or 0
        if one.elements is not None and one.what.stats:
            plan.seconds_per_capture += one.elements * nanos * 1e-9
    unknown = sum(one.elements is None for one in plan.captures)
    if unknown:
        plan.notes.append(f"{unknown} shapes are known only when the model runs; they are not in the sums")


def _nanos_per_float() -> float:
    """What statistics of one float cost here: the least of a few tries."""
    values = np.random.default_rng(0).normal(size=_CALIBRATION_FLOATS).astype(np.float32)
    carrier = carriers.tensor(values)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        _record.tensor_stats(carrier)
        best = min(best, time.perf_counter() - start)
    return best / _CALIBRATION_FLOATS * 1e9


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return ""
