// Draining a BucketTable.
#include "stats/bucket_table.h"

#include <cstring>

namespace tensortap::stats {
namespace {

// The count of a bucket, which is zero afterwards.
inline std::uint64_t take(BucketTable& table, std::uint32_t raw) {
  // Both counters of a pair in one load: most buckets of a scan are empty.
  std::uint32_t* even_pair = &table.pairs[0][std::size_t{2} * raw];
  std::uint32_t* odd_pair = &table.pairs[1][std::size_t{2} * raw];
  std::uint64_t even;
  std::uint64_t odd;
  std::memcpy(&even, even_pair, sizeof(even));
  std::memcpy(&odd, odd_pair, sizeof(odd));
  if ((even | odd) == 0) return 0;
  std::memset(even_pair, 0, sizeof(even));
  std::memset(odd_pair, 0, sizeof(odd));
  constexpr std::uint64_t kLow = 0xffffffffu;
  return (even & kLow) + (even >> 32) + (odd & kLow) + (odd >> 32);
}

// Moves raw buckets [first, last] to `keys`.
void take_all(BucketTable& table, std::uint32_t first, std::uint32_t last, KeyCounts& keys) {
  for (std::uint32_t raw = first; raw <= last; ++raw) {
    const std::uint64_t count = take(table, raw);
    if (count != 0) keys.add(key_from_raw(raw), count);
  }
}

void clear(BucketTable& table, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t raw = first; raw <= last; ++raw) take(table, raw);
}

}  // namespace

void BucketTable::drain(const BucketRange& range, KeyCounts& keys) {
  constexpr std::uint32_t kSign = Histogram::kMagnitudes;
  if (range.highest_positive > 0) take_all(*this, range.lowest, range.highest_positive, keys);
  if (range.highest_negative > 0) take_all(*this, kSign + range.lowest, kSign + range.highest_negative, keys);
  clear(*this, 0, 0);
  clear(*this, kSign, kSign);
  if (!range.beyond_float) return;
  clear(*this, kInfMagnitude, kSign - 1);
  clear(*this, kSign + kInfMagnitude, 2 * kSign - 1);
}

}  // namespace tensortap::stats
