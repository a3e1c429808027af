"""The graph of a model: as Keras has it, and as TensorFlow traced its training step."""

from __future__ import annotations

import itertools
import json
import logging
from typing import Any

from tensortap.run import Run
from tensortap.watching.tensorflow_op import tf

logger = logging.getLogger("tensortap")
_OURS = "Tensortap"


def record_model(run: Run, model: Any) -> None:
    """The layers of a Functional or Sequential model. Others have none that Keras could tell before they run."""
    try:
        text = model.to_json()
        if "layers" in json.loads(text).get("config", {}):
            run.graph(text)
    except Exception as error:  # of the user's get_config, among others
        logger.debug("no JSON of the model: %s", error)


def record_step(run: Run, graph: Any) -> None:
    """The ops of a step, without those that record it."""
    definition = graph.as_graph_def()
    _remove_taps(definition.node)
    for function in definition.library.function:
        removed = _remove_taps(function.node_def)
        for name in [name for name, node in function.control_ret.items() if node in removed]:
            del function.control_ret[name]
        outputs = [name for name in function.signature.control_output if name in function.control_ret]
        function.signature.control_output[:] = outputs
    run.graph(definition)


def _remove_taps(nodes: Any) -> set[str]:
    """The names of the nodes that are gone."""
    ours = {node.name for node in nodes if node.op.startswith(_OURS)}
    asked = {one.partition(":")[0] for node in nodes if node.name not in ours for one in node.input}
    gone = ours - asked
    gates = {name: _unused_name(index, nodes) for index, name in enumerate(sorted(ours & asked))}
    kept = [type(node).FromString(node.SerializeToString()) for node in nodes if node.name not in gone]
    for node in kept:
        if node.name in gates:
            _make_shut_gate(node, gates[node.name])
        inputs = [_renamed(one, gates) for one in node.input if one.lstrip("^") not in gone]
        node.input[:] = inputs
    del nodes[:]
    nodes.extend(kept)
    return gone


def _make_shut_gate(node: Any, name: str) -> None:
    """Where tensors wait on another device behind a condition, the condition stays: it is never true."""
    node.name = name
    node.op = "Const"
    node.input[:] = []
    node.attr.clear()
    node.attr["dtype"].type = tf.bool.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(False))


def _unused_name(number: int, nodes: Any) -> str:
    taken = {node.name for node in nodes}
    return next(name for i in itertools.count(number) if (name := f"never_{i}") not in taken)


def _renamed(one: str, names: dict[str, str]) -> str:
    """An input is "node", "node:number", "^node" for its end alone, or in functions "node:output:number"."""
    name, colon, rest = one.lstrip("^").partition(":")
    if name not in names:
        return one
    if rest.startswith("open"):
        rest = rest.replace("open", "output", 1)
    return ("^" if one.startswith("^") else "") + names[name] + colon + rest
