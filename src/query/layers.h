// Layers: what a run recorded of a model, layer by layer, in the order in which a batch passes them.
//
// Tags of models are <kind>/<path>[~n][#call][:output][@replica] (docs/format.md). The activations say which layers
// there are and, by their place in the file, in which order. A variable belongs to the layer whose path is the longest
// at its beginning; without such a layer, to one of its own that is called as what stands before its last '/'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/runs.h"
#include "tensortap/tensor_view.h"

namespace tensortap::query {

struct Layer {
  std::string path;
  std::string kind;                         // "Conv2D", where the Keras model was recorded too
  DType dtype = DType::kInvalid;            // of its output; kInvalid: not recorded
  std::optional<Shape> output_shape;        // without the batch
  std::optional<std::uint64_t> parameters;  // elements of the variables whose values were recorded
  // Tags of statistics, those of the run itself first, then those of its sub-runs ("val/activations/conv").
  std::vector<std::string> activations, gradients, weights, updates;
  std::vector<std::string> images, tensors;  // pictures, raw values
  std::vector<std::string> other;            // statistics and scalars of other kinds: "update_ratio/conv/kernel"
};

enum class LayerShapes { kRead, kLeftOut };

// Shapes and kinds are read from the files; those of damaged records are left out.
std::vector<Layer> layers(const Run& run, LayerShapes shapes = LayerShapes::kRead);

// The parts of a tag. `path` has its "~n".
struct TagParts {
  std::string_view kind;
  std::string_view path;
  std::string_view rest;  // "#1:2@0"
};
// nullopt where there is no '/'.
std::optional<TagParts> tag_parts(std::string_view tag);

}  // namespace tensortap::query
