// The definition of TensorStats in code that is slow and plain.
//
// compute_stats() must agree with it: counts, min, max and histogram exactly, sums but for rounding.
#pragma once

#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// One element at a time, sums in long double, deviations about the mean. `view` must be valid.
TensorStats compute_reference_stats(const TensorView& view);

}  // namespace tensortap::stats
