// Emptying KeyCounts into a histogram.
#include "stats/key_counts.h"

#include <utility>

namespace tensortap::stats {

std::size_t KeyCounts::occupied() const {
  std::size_t occupied = 0;
  for (std::uint64_t words = words_; words != 0; words &= words - 1) {
    occupied += static_cast<std::size_t>(std::popcount(keys_[static_cast<unsigned>(std::countr_zero(words))]));
  }
  return occupied;
}

void KeyCounts::move_to(Histogram& histogram) {
  const std::size_t size = occupied();
  histogram.keys.resize(size);
  histogram.counts.resize(size);
  std::size_t next = 0;
  for (std::uint64_t words = std::exchange(words_, 0); words != 0; words &= words - 1) {
    const auto word = static_cast<unsigned>(std::countr_zero(words));
    for (std::uint64_t keys = std::exchange(keys_[word], 0); keys != 0; keys &= keys - 1) {
      const unsigned key = word * 64u + static_cast<unsigned>(std::countr_zero(keys));
      histogram.keys[next] = static_cast<std::uint16_t>(key);
      histogram.counts[next] = std::exchange(counts_[key], 0);
      ++next;
    }
  }
}

}  // namespace tensortap::stats
