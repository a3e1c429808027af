"""The graph of a model: as Keras has it, and as TensorFlow traced its training step."""

from __future__ import annotations

import json
import logging
from typing import Any

from tensortap.run import Run

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
        _remove_taps(function.node_def)
    run.graph(definition)


def _remove_taps(nodes: Any) -> None:
    ours = {node.name for node in nodes if node.op.startswith(_OURS)}
    if not ours:
        return
    kept = [node for node in nodes if node.name not in ours]
    for node in kept:
        inputs = [one for one in node.input if one.lstrip("^").partition(":")[0] not in ours]
        del node.input[:]
        node.input.extend(inputs)
    copies = [type(node).FromString(node.SerializeToString()) for node in kept]
    del nodes[:]
    nodes.extend(copies)
