// Copies a stretch of a strided tensor to contiguous memory.
#pragma once

#include <cstdint>

#include "tensortap/tensor_view.h"

namespace tensortap::tensor {

// Copies elements [first, first + count), numbered in row-major order, to `out`.
// `view` must be valid, and the stretch within it. `out` needs no alignment.
// A call costs one division per dimension on top of the copying, so tensors are read block by block.
void gather(const TensorView& view, std::uint64_t first, std::uint64_t count, void* out);

}  // namespace tensortap::tensor
