// compute_stats() with its one limit open to tests.
#pragma once

#include <cstdint>

#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// The table's counters are 32 bits wide.
inline constexpr std::uint64_t kDrainEvery = std::uint64_t{1} << 31;

// As tensortap::compute_stats, emptying the table each time it holds `drain_every` elements or more.
Result<TensorStats> compute_stats(const TensorView& view, std::uint64_t drain_every);

}  // namespace tensortap::stats
