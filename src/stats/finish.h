// The last steps from totals and keys to TensorStats, shared by all dtypes.
#pragma once

#include "stats/key_counts.h"
#include "stats/totals.h"
#include "tensortap/dtype.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// Everything on the log grid. `keys` holds each finite value that is not zero, and is empty afterwards.
TensorStats finish(const Totals& totals, DType dtype, KeyCounts& keys);

}  // namespace tensortap::stats
