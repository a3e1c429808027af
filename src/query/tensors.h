// Tensors: recorded tensors, whole or in part, and predictions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/places.h"
#include "tensortap/tensor_view.h"

namespace tensortap::query {

// Elements in memory of its own.
struct OwnedTensor {
  DType dtype = DType::kInvalid;
  Shape shape;
  std::vector<std::byte> data;       // row-major; empty for strings
  std::vector<std::string> strings;  // dtype kString
};

// Indices [from, to) of one dimension, every `stride`th; negative numbers count from the end, as in Python.
struct Slice {
  std::int64_t from = 0;
  std::optional<std::int64_t> to = std::nullopt;
  std::int64_t stride = 1;  // above 0
};

// The tensor at a place: a capture's, or the tensor of any V2 value. Slices are of the outermost dimensions, the rest
// is whole. kInvalidArgument for slices that do not fit, kCorrupt as read_record().
Result<OwnedTensor> tensor_at(const Place& place, const std::vector<Slice>& slices = {});

// Dtype and shape without the values.
struct TensorDescription {
  DType dtype = DType::kInvalid;
  Shape shape;
};
Result<TensorDescription> describe_tensor(const Place& place);

struct PredictionSet {
  OwnedTensor y_true;  // dtype kInvalid: not recorded
  OwnedTensor y_pred;
  std::vector<std::int64_t> number_ids;  // one of the two; without recorded ids 0, 1, 2, ...
  std::vector<std::string> text_ids;
};
Result<PredictionSet> predictions_at(const Place& place);

}  // namespace tensortap::query
