// Layers: tags taken apart, and put together by layer.
#include "query/layers.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "query/layer_kinds.h"
#include "query/layer_order.h"
#include "query/part_series.h"
#include "query/tensors.h"

namespace tensortap::query {
namespace {

using store::Kind;

constexpr std::string_view kActivations = "activations";
// In the order in which they tell which layers there are.
constexpr std::array<std::string_view, 4> kOfVariables = {"weights", "gradients", "updates", "clipped_gradients"};
constexpr std::array<std::string_view, 6> kOther = {"clipped_gradients",    "update_ratio",    "slots",
                                                    "activation_gradients", "input_gradients", "inputs"};

template <typename Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A series of a tag that may belong to a layer, and its first value.
struct Found {
  std::string tag;
  std::size_t prefix_size = 0;  // of the sub-run
  Place first;

  std::optional<TagParts> parts() const { return tag_parts(std::string_view(tag).substr(prefix_size)); }
};

void find_in(const RunPart& part, std::unordered_set<std::string>& seen, std::vector<Found>& all) {
  part.file->read([&](const store::FileContents& contents) {
    for (const auto& tag : contents.tags()) {
      if (!tag_parts(tag->name).has_value()) continue;
      for (const auto& series : tag->series) {
        if (series->size() == 0 || (series->kind == Kind::kHistograms && tag->info && tag->info->derived)) continue;
        std::string full = part.prefix + tag->name;
        if (!seen.insert(full + '\0' + static_cast<char>(series->kind)).second) continue;
        Found found{std::move(full), part.prefix.size(), {{}, part.file, series->kind, {}}};
        if (!series->entries.empty()) found.first.entry = series->entries.front();
        if (!series->stats.empty()) found.first.stats = series->stats.front();
        all.push_back(std::move(found));
      }
    }
  });
}

// Everything that may belong to a layer: of the run itself first, then of its sub-runs.
std::vector<Found> find_all(const Run& run) {
  std::vector<Found> all;
  std::unordered_set<std::string> seen;
  for (bool is_sub_run : {false, true}) {
    for (const RunPart& part : run.parts) {
      if (part.prefix.empty() != is_sub_run) find_in(part, seen, all);
    }
  }
  return all;
}

bool is_distribution(Kind kind) { return kind == Kind::kStats || kind == Kind::kHistograms; }
bool has_values(Kind kind) { return is_distribution(kind) || kind == Kind::kTensors; }
// Histograms of event files have lost the shape of what they are of.
bool has_shape(Kind kind) { return kind == Kind::kStats || kind == Kind::kTensors; }

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// Paths to layers.
class LayerPaths {
 public:
  explicit LayerPaths(const std::vector<Found>& all) {
    add_layers_of_activations(all);
    for (std::string_view kind : kOfVariables) add_layers_of_variables(all, kind);
  }

  const std::list<std::string>& paths() const { return order_.paths(); }

  // The layer of this path, or the one whose path is the longest at its beginning; empty when there is none.
  std::string owner_of(std::string_view path) const {
    const std::size_t tilde = path.rfind('~');
    const bool is_numbered = tilde != std::string_view::npos;
    const std::string number(is_numbered ? path.substr(tilde) : std::string_view());
    for (std::string_view at = is_numbered ? path.substr(0, tilde) : path; !at.empty(); at = parent_of(at)) {
      // The kernel of the second of two layers with the same path is dense/kernel~2, the layer dense~2.
      if (is_numbered && order_.has(std::string(at) + number)) return std::string(at) + number;
      if (order_.has(std::string(at))) return std::string(at);
    }
    return "";
  }

 private:
  void add_layers_of_activations(const std::vector<Found>& all) {
    std::string before;
    for (const Found& found : all) {
      const auto parts = found.parts();
      if (parts->kind != kActivations || !has_values(found.first.kind)) continue;
      std::string path(parts->path);
      order_.add(path, before);
      before = std::move(path);
    }
  }

  void add_layers_of_variables(const std::vector<Found>& all, std::string_view kind) {
    std::string before;
    for (const Found& found : all) {
      const auto parts = found.parts();
      if (parts->kind != kind || !has_values(found.first.kind)) continue;
      std::string path = owner_of(parts->path);
      if (path.empty()) path = parent_of(parts->path).empty() ? parts->path : parent_of(parts->path);
      order_.add(path, before);
      before = std::move(path);
    }
  }

  LayerOrder order_;
};

std::vector<std::string>* list_for(const Found& found, std::string_view kind, Layer& layer) {
  if (found.first.kind == Kind::kImages) return &layer.images;
  if (found.first.kind == Kind::kTensors) return &layer.tensors;
  const bool is_other = is_one_of(kind, kOther);
  if (found.first.kind == Kind::kScalars) return is_other ? &layer.other : nullptr;
  if (!is_distribution(found.first.kind)) return nullptr;
  if (kind == kActivations) return &layer.activations;
  if (kind == "gradients") return &layer.gradients;
  if (kind == "weights") return &layer.weights;
  if (kind == "updates") return &layer.updates;
  return is_other ? &layer.other : nullptr;
}

// Of a layer's output: shape without the batch.
void learn_output(const Found& found, Layer& layer) {
  if (layer.output_shape.has_value()) return;
  Result<TensorDescription> tensor = describe_tensor(found.first);
  if (!tensor.ok()) return;
  layer.dtype = tensor->dtype;
  if (!tensor->shape.empty()) tensor->shape.erase(tensor->shape.begin());
  layer.output_shape = std::move(tensor->shape);
}

void learn_parameters(const Found& found, Layer& layer, LayerShapes shapes) {
  std::optional<std::uint64_t> count;
  if (found.first.kind == Kind::kStats) {
    count = found.first.stats.count;
  } else if (shapes == LayerShapes::kRead) {
    Result<TensorDescription> tensor = describe_tensor(found.first);
    if (tensor.ok()) count = TensorView{nullptr, tensor->dtype, tensor->shape, {}}.element_count();
  }
  if (count.has_value()) layer.parameters = layer.parameters.value_or(0) + *count;
}

}  // namespace

std::optional<TagParts> tag_parts(std::string_view tag) {
  const std::size_t slash = tag.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == tag.size()) return std::nullopt;
  const std::string_view behind = tag.substr(slash + 1);
  const std::size_t end = std::min(behind.find_first_of("#:@"), behind.size());
  if (end == 0) return std::nullopt;
  return TagParts{tag.substr(0, slash), behind.substr(0, end), behind.substr(end)};
}

std::vector<Layer> layers(const Run& run, LayerShapes shapes) {
  const std::vector<Found> all = find_all(run);
  const LayerPaths paths(all);
  std::vector<Layer> layers;
  std::unordered_map<std::string, std::size_t> numbers;
  const LayerKinds kinds = shapes == LayerShapes::kRead ? layer_kinds(run) : LayerKinds();
  for (const std::string& path : paths.paths()) {
    numbers.emplace(path, layers.size());
    layers.emplace_back().path = path;
    const auto kind = kinds.find(path.substr(0, path.rfind('~')));
    if (kind != kinds.end()) layers.back().kind = kind->second;
  }
  std::unordered_set<std::string> counted;  // variables, each once, whatever was recorded of them and where
  for (const Found& found : all) {
    const TagParts parts = *found.parts();
    const std::string owner = paths.owner_of(parts.path);
    if (owner.empty()) continue;
    Layer& layer = layers[numbers.at(owner)];
    std::vector<std::string>* list = list_for(found, parts.kind, layer);
    if (list == nullptr) continue;
    list->push_back(found.tag);
    const bool is_output = parts.kind == kActivations && has_shape(found.first.kind);
    if (is_output && shapes == LayerShapes::kRead) learn_output(found, layer);
    const bool is_variable = parts.kind == "weights" && has_shape(found.first.kind);
    if (is_variable && counted.insert(std::string(parts.path)).second) learn_parameters(found, layer, shapes);
  }
  return layers;
}

}  // namespace tensortap::query
