// The same elements in the order of their addresses, for readers to whom order means nothing.
#pragma once

#include "tensortap/tensor_view.h"

namespace tensortap::stats {

// A view of the same elements with descending strides, none of them negative: a transposed or reversed
// tensor becomes contiguous. Broadcast dimensions (stride 0) come first. `view` must be valid.
TensorView in_memory_order(const TensorView& view);

}  // namespace tensortap::stats
