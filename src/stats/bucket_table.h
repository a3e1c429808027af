// BucketTable: the counters that the kernels increment, one step per element.
//
//   pairs[t][2 * bucket + lane]   bucket = float32 bits >> 20; element i goes to t = i / 2 % 2, lane = i % 2
//
// Four counters per bucket keep equal neighbours (zeros after a ReLU) from waiting for each other's store.
#pragma once

#include <array>
#include <cstdint>

#include "stats/histogram.h"
#include "stats/key_counts.h"

namespace tensortap::stats {

// Which buckets can be occupied: a scan of all 4096 would cost more than a small tensor.
struct BucketRange {
  std::uint32_t lowest = 1;            // smallest magnitude, at least 1
  std::uint32_t highest_positive = 0;  // 0 for none
  std::uint32_t highest_negative = 0;  // 0 for none
  bool beyond_float = false;           // buckets of Inf and NaN may be occupied
};

inline constexpr BucketRange kAllBuckets = {1, kInfMagnitude - 1, kInfMagnitude - 1, true};

// Counters are 32 bits wide: drain at least every 2^32 elements.
//
// Threads:  one at a time.
// Failure:  none.
// Lifetime: part of a thread's workspace; all zero between tensors.
struct BucketTable {
  // The extra line keeps the two tables from sharing cache sets.
  using Pairs = std::array<std::uint32_t, 2 * Histogram::kKeys + 32>;

  alignas(64) std::array<Pairs, 2> pairs{};

  // Moves the counts to `keys` and leaves the table zero. Magnitude 0 (zeros and floats below 2^-129) and
  // the magnitudes of Inf and NaN are dropped: whoever filled the table accounts for them.
  void drain(const BucketRange& range, KeyCounts& keys);
};

}  // namespace tensortap::stats
