// Kinds, their names, and the plug-ins of TensorBoard they stand for.
#include "store/kind.h"

#include <array>

#include "event/plugins.h"

namespace tensortap::store {
namespace {

constexpr std::array<Kind, kKinds> kAll = {
    Kind::kScalars, Kind::kStats,   Kind::kHistograms, Kind::kTensors,  Kind::kPredictions, Kind::kImages, Kind::kAudio,
    Kind::kText,    Kind::kHParams, Kind::kGraphs,     Kind::kPrCurves, Kind::kMeshes,      Kind::kOther};
constexpr std::array<std::string_view, kKinds> kNames = {"scalars",   "stats",  "histograms", "tensors", "predictions",
                                                         "images",    "audio",  "text",       "hparams", "graphs",
                                                         "pr_curves", "meshes", "other"};

}  // namespace

std::string_view kind_name(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_from_name(std::string_view name) {
  for (Kind kind : kAll) {
    if (kind_name(kind) == name) return kind;
  }
  return std::nullopt;
}

std::span<const Kind> all_kinds() { return kAll; }

std::optional<Kind> kind_of(const event::Metadata& metadata) {
  namespace plugin = event::plugin;
  const std::string_view name = metadata.plugin;
  if (name == plugin::kScalars) return Kind::kScalars;
  if (name == plugin::kHistograms) return Kind::kHistograms;
  if (name == plugin::kImages) return Kind::kImages;
  if (name == plugin::kAudio) return Kind::kAudio;
  if (name == plugin::kText) return Kind::kText;
  if (name == plugin::kHParams) return Kind::kHParams;
  if (name == plugin::kPrCurves) return Kind::kPrCurves;
  if (name == plugin::kMesh) return Kind::kMeshes;
  // Keras models and profiles: graph_keras_model, graph_run_metadata, graph_run_metadata_graph.
  if (name.starts_with("graph_")) return Kind::kGraphs;
  switch (metadata.data_class) {
    case event::DataClass::kScalar: return Kind::kScalars;
    case event::DataClass::kTensor: return Kind::kTensors;
    default: break;
  }
  if (name.empty()) return std::nullopt;
  return Kind::kOther;
}

}  // namespace tensortap::store
