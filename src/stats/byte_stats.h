// Statistics of the one-byte dtypes, from how often each of the 256 bytes occurs.
#pragma once

#include "stats/workspace.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// `view` is valid and its dtype one byte wide.
TensorStats compute_byte_stats(const TensorView& view, Workspace& workspace);

}  // namespace tensortap::stats
