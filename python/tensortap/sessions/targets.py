"""Targets: the tensors of a graph that are to be recorded, found and checked before a session runs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tensortap import _record
from tensortap.watching.tensorflow_op import tf

_UNRECORDABLE = ("string", "resource", "variant")


def to_targets(tensors: Any) -> dict[str, Any]:
    """tag -> tensor or name, of what an option `tensors` means: a mapping, one, or several that name themselves."""
    if isinstance(tensors, Mapping):
        named = list(tensors.items())
    elif isinstance(tensors, Iterable) and not isinstance(tensors, (str, tf.Tensor, tf.Variable)):
        named = [(_own_name(one), one) for one in tensors]
    else:
        named = [(_own_name(tensors), tensors)]
    if not named:
        raise ValueError("there is nothing to record: give tensors, as {'out': logits}")
    for tag, target in named:
        if not isinstance(tag, str) or not tag:
            raise TypeError(f"tensors are recorded under names: {{'out': logits}}; not {tag!r}")
        _check_kind(tag, target)
    return dict(named)


def resolve(targets: Mapping[str, Any], graph: Any) -> dict[str, Any]:
    """tag -> tensor of this graph. ValueError says which is not there, not of it, or cannot be fetched."""
    return {tag: _checked(tag, _tensor(tag, target, graph), graph) for tag, target in targets.items()}


def is_scalar(tensor: Any) -> bool:
    return tensor.shape.rank == 0


def _own_name(target: Any) -> str:
    name = target if isinstance(target, str) else getattr(target, "name", "")
    return str(name).partition(":")[0]


def _check_kind(tag: str, target: Any) -> None:
    if hasattr(target, "numpy") and isinstance(target, tf.Tensor):
        raise TypeError(f"{tag!r} is an eager tensor, which has its value already: record it by run.tensor(...)")
    if "KerasTensor" in type(target).__name__:
        raise TypeError(
            f"{tag!r} is a KerasTensor, which no session can run: Keras made its model outside of a session's graph. "
            "With TF_USE_LEGACY_KERAS=1 and tf.compat.v1.disable_eager_execution() layers have tensors; otherwise use "
            "tap.keras.Recorder"
        )
    kinds = (str, tf.Tensor, tf.Variable, tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor, tf.Operation)
    if not isinstance(target, kinds):
        raise TypeError(f"{tag!r} must be a tensor or its name ('dense/BiasAdd:0'), not {type(target).__name__}")


def _tensor(tag: str, target: Any, graph: Any) -> Any:
    if isinstance(target, str):
        return _by_name(tag, target, graph)
    if isinstance(target, tf.Variable):
        return _value_of(tag, target, graph)
    if isinstance(target, tf.RaggedTensor):
        return target.flat_values
    if isinstance(target, (tf.SparseTensor, tf.IndexedSlices)):
        return target.values
    if isinstance(target, tf.Operation):
        if len(target.outputs) != 1:
            raise ValueError(f"{tag!r}: the op {target.name!r} has {len(target.outputs)} outputs; give a tensor of it")
        return target.outputs[0]
    return target


def _value_of(tag: str, variable: Any, graph: Any) -> Any:
    if variable.graph is not graph:
        raise ValueError(f"{tag!r}: the variable {variable.name!r} belongs to another graph than the session's")
    made = getattr(variable, "_graph_element", None)  # the read that TensorFlow made with the variable
    if made is not None:
        return made
    with graph.as_default():
        return variable.value()


def _by_name(tag: str, name: str, graph: Any) -> Any:
    full = name if ":" in name else f"{name}:0"
    try:
        return graph.get_tensor_by_name(full)
    except (KeyError, ValueError):
        names = [tensor.name for op in graph.get_operations() for tensor in op.outputs]
        raise ValueError(
            f"{tag!r}: the graph has no tensor {full!r}.{_record.did_you_mean(full, names)} "
            "(a name is that of its op, a colon and a number: 'dense/BiasAdd:0')"
        ) from None


def _checked(tag: str, tensor: Any, graph: Any) -> Any:
    if tensor.graph is not graph:
        raise ValueError(f"{tag!r}: {tensor.name!r} belongs to another graph than the session's")
    if tensor.dtype.base_dtype.name in _UNRECORDABLE:
        raise TypeError(f"{tag!r}: {tensor.name!r} is of dtype {tensor.dtype.name}, which holds no numbers to record")
    if not graph.is_fetchable(tensor):
        raise ValueError(f"{tag!r}: {tensor.name!r} is inside a loop or branch of the graph and cannot be fetched")
    return tensor
