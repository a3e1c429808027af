// GraphOutline: a walk over protobuf fields, or over Keras's JSON.
#include "cli/show/graph_outline.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "wire/field_cursor.h"

namespace tensortap::cli {
namespace {

using Json = nlohmann::json;
using query::GraphForm;
using wire::Field;
using wire::FieldCursor;
using wire::WireType;

// Fields of TensorFlow's messages.
constexpr std::uint32_t kNodeOfGraph = 1;
constexpr std::uint32_t kGraphOfMetaGraph = 2;
constexpr std::uint32_t kNameOfNode = 1;
constexpr std::uint32_t kOpOfNode = 2;

constexpr int kMaxDepth = 32;  // of models within models

GraphPart node_of(std::string_view bytes) {
  GraphPart node;
  FieldCursor fields(bytes);
  for (Field field; fields.next(field);) {
    if (field.is(kNameOfNode, WireType::kBytes)) node.name = field.bytes;
    if (field.is(kOpOfNode, WireType::kBytes)) node.what = field.bytes;
  }
  return node;
}

std::vector<GraphPart> nodes_of(std::string_view graph_def) {
  std::vector<GraphPart> nodes;
  FieldCursor fields(graph_def);
  for (Field field; fields.next(field);) {
    if (field.is(kNodeOfGraph, WireType::kBytes)) nodes.push_back(node_of(field.bytes));
  }
  return nodes;
}

std::string_view graph_in(std::string_view meta_graph) {
  FieldCursor fields(meta_graph);
  for (Field field; fields.next(field);) {
    if (field.is(kGraphOfMetaGraph, WireType::kBytes)) return field.bytes;
  }
  return {};
}

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// {"class_name": ..., "config": {"name": ..., "layers": [...]}}, and so on inside.
void add_layers(const Json& model, int depth, std::vector<GraphPart>& layers) {
  if (depth > kMaxDepth || !model.is_object()) return;
  const auto config = model.find("config");
  if (config == model.end() || !config->is_object()) return;
  const auto below = config->find("layers");
  if (below == config->end() || !below->is_array()) return;
  for (const Json& layer : *below) {
    if (!layer.is_object()) continue;
    const auto own = layer.find("config");
    std::string name = text_at(layer, "name");
    if (name.empty() && own != layer.end() && own->is_object()) name = text_at(*own, "name");
    layers.push_back({std::move(name), text_at(layer, "class_name")});
    add_layers(layer, depth + 1, layers);
  }
}

}  // namespace

std::vector<GraphPart> graph_outline(const query::Graph& graph) {
  std::vector<GraphPart> parts;
  switch (graph.form) {
    case GraphForm::kGraphDef: return nodes_of(graph.bytes);
    case GraphForm::kMetaGraphDef: return nodes_of(graph_in(graph.bytes));
    case GraphForm::kKerasModel: add_layers(Json::parse(graph.bytes, nullptr, false), 0, parts); break;
    default: break;
  }
  return parts;
}

const char* graph_form_name(GraphForm form) {
  switch (form) {
    case GraphForm::kGraphDef: return "graph_def";
    case GraphForm::kMetaGraphDef: return "meta_graph_def";
    case GraphForm::kKerasModel: return "keras_model";
    case GraphForm::kRunMetadata: return "run_metadata";
    case GraphForm::kOther: break;
  }
  return "other";
}

}  // namespace tensortap::cli
