// Values: the elements of a tensor of any numeric dtype, read as doubles block by block.
//
// Pictures and sound are drawn from every dtype; one reader here keeps twenty of them out of each format.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "tensortap/tensor_view.h"

namespace tensortap::format {

// Elements in a block: large enough to hide the call, small enough for the first-level cache.
inline constexpr std::uint64_t kValueBlock = 1024;

// float64, float32, float16, bfloat16 and the float8 kinds.
bool is_float(DType dtype);

// kInvalidArgument as TensorView::validate(); kUnsupported for complex elements, which have no order.
Status check_values(const TensorView& view);

// Writes elements [first, first + count) in row-major order to `out`; count <= kValueBlock.
// Needs check_values() to be ok. Integers beyond 2^53 are rounded to the nearest double.
void read_values(const TensorView& view, std::uint64_t first, std::uint64_t count, double* out);

// Calls visit(first, values) for each block of the view, in row-major order.
template <typename Visit>
void for_each_block(const TensorView& view, Visit&& visit) {
  std::array<double, kValueBlock> values;
  const std::uint64_t total = view.element_count();
  for (std::uint64_t first = 0; first < total; first += kValueBlock) {
    const std::uint64_t count = std::min(kValueBlock, total - first);
    read_values(view, first, count, values.data());
    visit(first, std::span<const double>(values.data(), count));
  }
}

}  // namespace tensortap::format
