// Draining a BucketTable.
#include "stats/bucket_table.h"

#include <cstring>

namespace tensortap::stats {

std::uint64_t BucketTable::take(std::uint32_t raw) {
  // Both counters of a table in one load: most buckets of a scan are empty.
  std::uint64_t even;
  std::uint64_t odd;
  std::memcpy(&even, &pairs[0][2 * raw], sizeof(even));
  std::memcpy(&odd, &pairs[1][2 * raw], sizeof(odd));
  if ((even | odd) == 0) return 0;
  std::memset(&pairs[0][2 * raw], 0, sizeof(even));
  std::memset(&pairs[1][2 * raw], 0, sizeof(odd));
  constexpr std::uint64_t kLow = 0xffffffffu;
  return (even & kLow) + (even >> 32) + (odd & kLow) + (odd >> 32);
}

void BucketTable::drain(const BucketRange& range, KeyCounts& keys) {
  constexpr std::uint32_t kSign = Histogram::kMagnitudes;
  for (std::uint32_t magnitude = range.lowest; magnitude <= range.highest_positive; ++magnitude) {
    const std::uint64_t count = take(magnitude);
    if (count != 0) keys.add(key_from_raw(magnitude), count);
  }
  for (std::uint32_t magnitude = range.lowest; magnitude <= range.highest_negative; ++magnitude) {
    const std::uint64_t count = take(kSign + magnitude);
    if (count != 0) keys.add(key_from_raw(kSign + magnitude), count);
  }
  take(0);
  take(kSign);
  if (!range.beyond_float) return;
  for (std::uint32_t magnitude = kInfMagnitude; magnitude < kSign; ++magnitude) {
    take(magnitude);
    take(kSign + magnitude);
  }
}

}  // namespace tensortap::stats
