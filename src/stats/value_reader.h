// Elements of any dtype and layout as doubles: for code that is not in a hurry.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensortap/tensor_view.h"

namespace tensortap::stats {

inline constexpr std::size_t kMaxValues = 1024;

// Writes elements [first, first + count) to `out`; complex numbers by magnitude. `count` is at most
// kMaxValues, and the view valid.
void read_values(const TensorView& view, std::uint64_t first, std::size_t count, double* out);

}  // namespace tensortap::stats
