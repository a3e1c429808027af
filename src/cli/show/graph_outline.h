// GraphOutline: the nodes or layers of a graph by name, as far as that is simple to know.
#pragma once

#include <string>
#include <vector>

#include "query/media.h"

namespace tensortap::cli {

struct GraphPart {
  std::string name;
  std::string what;  // the operation of a node, the class of a layer
};

// Nodes of a GraphDef or MetaGraphDef, layers of a Keras model from the outside in; none for anything else and for
// damage. Order is that of the file.
std::vector<GraphPart> graph_outline(const query::Graph& graph);

const char* graph_form_name(query::GraphForm form);  // "graph_def", "keras_model"

}  // namespace tensortap::cli
