// KeyCounts: counts by histogram key, of which few are set at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// A bit per key and a bit per 64 keys lead to the occupied ones in ascending order, so that a tensor of ten
// elements does not pay for 4096 keys.
//
// Threads:  one at a time.
// Failure:  none.
// Lifetime: part of a thread's workspace; empty between tensors.
class KeyCounts {
 public:
  void add(std::uint16_t key, std::uint64_t count) {
    counts_[key] += count;
    keys_[key / 64u] |= std::uint64_t{1} << (key % 64u);
    words_ |= std::uint64_t{1} << (key / 64u);
  }

  // Writes the occupied keys and their counts to `histogram`, and leaves nothing behind.
  void move_to(Histogram& histogram);

 private:
  static_assert(Histogram::kKeys == 64 * 64);

  std::size_t occupied() const;

  std::uint64_t words_ = 0;
  std::array<std::uint64_t, 64> keys_{};
  std::array<std::uint64_t, Histogram::kKeys> counts_{};
};

}  // namespace tensortap::stats
