// LayerKinds: a walk over Keras' JSON.
#include "query/layer_kinds.h"

#include <nlohmann/json.hpp>

#include "query/media.h"
#include "query/places.h"

namespace tensortap::query {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 32;  // of models within models
constexpr std::size_t kMaxModelBytes = std::size_t{64} << 20;

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// As names stand in tags: docs/format.md.
std::string escaped(const std::string& name) {
  std::string out;
  for (char c : name) {
    switch (c) {
      case '%': out += "%25"; break;
      case '#': out += "%23"; break;
      case ':': out += "%3A"; break;
      case '@': out += "%40"; break;
      case '~': out += "%7E"; break;
      default: out += c;
    }
  }
  return out;
}

// {"class_name": ..., "config": {"name": ..., "layers": [...]}}, and so on inside.
void add_layers(const Json& model, const std::string& before, int depth, LayerKinds& kinds) {
  if (depth > kMaxDepth || !model.is_object()) return;
  const auto config = model.find("config");
  if (config == model.end() || !config->is_object()) return;
  const auto layers = config->find("layers");
  if (layers == config->end() || !layers->is_array()) return;
  for (const Json& layer : *layers) {
    if (!layer.is_object()) continue;
    const auto own = layer.find("config");
    std::string name = text_at(layer, "name");
    if (name.empty() && own != layer.end() && own->is_object()) name = text_at(*own, "name");
    if (name.empty()) continue;
    const std::string path = before + escaped(name);
    if (std::string kind = text_at(layer, "class_name"); !kind.empty()) kinds.try_emplace(path, std::move(kind));
    add_layers(layer, path + "/", depth + 1, kinds);
  }
}

}  // namespace

LayerKinds kinds_in_keras_model(std::string_view untrusted_json) {
  LayerKinds kinds;
  if (untrusted_json.size() > kMaxModelBytes) return kinds;
  add_layers(Json::parse(untrusted_json, nullptr, false), "", 0, kinds);
  return kinds;
}

LayerKinds layer_kinds(const Run& run) {
  for (const std::string& tag : list_tags(run, store::Kind::kGraphs)) {
    const auto found = places(run, tag, store::Kind::kGraphs, {});
    if (!found.ok() || found.value().empty()) continue;
    const auto graph = graph_at(found.value().back(), run, tag);
    if (graph.ok() && graph.value().form == GraphForm::kKerasModel) return kinds_in_keras_model(graph.value().bytes);
  }
  return {};
}

}  // namespace tensortap::query
