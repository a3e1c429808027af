"""The graph of a model: as Keras has it, and as TensorFlow traced its training step."""

from __future__ import annotations

import json
import logging
from typing import Any

from tensortap.run import Run
from tensortap.tensorflow_op import tf

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
    kept = []
    for node in nodes:
        copy = type(node).FromString(node.SerializeToString())
        if node.name in ours & asked:
            _make_shut_gate(copy)
        elif node.name in ours:
            continue
        gone = [one for one in copy.input if one.startswith("^") and one[1:] in ours - asked]
        for one in gone:
            copy.input.remove(one)
        kept.append(copy)
    del nodes[:]
    nodes.extend(kept)
    return ours - asked


def _make_shut_gate(node: Any) -> None:
    """Where tensors wait on another device behind a condition, the condition stays: it is never true."""
    node.op = "Const"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = tf.bool.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(False))
