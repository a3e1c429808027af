// SliceText: slices as people type them behind a tensor in Python: "0,:,3:9,::2".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/tensors.h"

namespace tensortap::query {

// What stands between two commas.
struct AxisSlice {
  enum class Form : std::uint8_t { kIndex, kRange, kEllipsis };
  Form form = Form::kRange;
  Slice slice;  // of kIndex: `from` alone
};

// Python's rules: an index drops its axis, "a:b:c" keeps it, "..." stands for all axes that are not named, negative
// numbers count from the end. Spaces do not matter; "" is the whole tensor.
// kInvalidArgument with a sentence: anything else, a stride below 1.
Result<std::vector<AxisSlice>> parse_slices(std::string_view untrusted);

// Slices that fit a shape, for tensor_at(), and what they leave.
struct SlicePlan {
  std::vector<Slice> slices;
  Shape shape;  // without the axes that an index dropped
};

// kInvalidArgument: more slices than axes, or an index that is out of range.
Result<SlicePlan> plan_slices(const std::vector<AxisSlice>& slices, const Shape& whole);

}  // namespace tensortap::query
