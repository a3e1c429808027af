// Adding blocks to Totals, rare cases apart from the common one.
#include "stats/totals.h"

#include <algorithm>
#include <cmath>

#include "stats/histogram.h"

namespace tensortap::stats {
namespace {

constexpr double kLargestFloat = static_cast<double>(std::numeric_limits<float>::max());

// Floats below this share their bucket with zero.
constexpr double kSmallestBucketEdge = 0x1p-129;

// Whether the table holds the value where the log grid wants it. It does not for doubles beyond float32,
// which it took for Inf, nor for values so small that it took them for zero.
template <typename T>
bool told_by_table(T value) {
  const std::uint32_t magnitude = magnitude_of(static_cast<float>(value));
  return magnitude != 0 && magnitude < kInfMagnitude;
}

bool table_tells_all(const BlockSums& sums) {
  return sums.smallest >= kSmallestBucketEdge && sums.max <= kLargestFloat && sums.min >= -kLargestFloat;
}

template <typename T>
void add_keys(const T* values, std::size_t size, bool with_table, KeyCounts& keys) {
  for (std::size_t i = 0; i < size; ++i) {
    const T value = values[i];
    if (value == 0 || !std::isfinite(value)) continue;
    if (with_table && told_by_table(value)) continue;
    keys.add(log_key(value), 1);
  }
}

// Narrower floats are never subnormal as doubles: theirs are read off the histogram instead.
template <typename T>
std::uint64_t count_subnormal_doubles(const T* values, std::size_t size) {
  return static_cast<std::uint64_t>(std::count_if(
      values, values + size, [](T value) { return std::fpclassify(static_cast<double>(value)) == FP_SUBNORMAL; }));
}

}  // namespace

void Totals::add_sums(const BlockSums& sums) {
  sum += static_cast<long double>(sums.sum);
  sum_squares += static_cast<long double>(sums.sum_squares);
  l1 += static_cast<long double>(sums.l1);
  min = std::min(min, sums.min);
  max = std::max(max, sums.max);
  smallest = std::min(smallest, sums.smallest);
  nan += sums.nan;
  positive_inf += sums.positive_inf;
  negative_inf += sums.negative_inf;
}

void Totals::add_value(double value, std::uint64_t times) {
  count += times;
  if (std::isnan(value)) {
    nan += times;
    return;
  }
  if (std::isinf(value)) {
    (value > 0 ? positive_inf : negative_inf) += times;
    return;
  }
  const long double wide = value;
  const auto weight = static_cast<long double>(times);
  sum += weight * wide;
  sum_squares += weight * wide * wide;
  l1 += weight * std::fabs(wide);
  min = std::min(min, value);
  max = std::max(max, value);
  if (value != 0) smallest = std::min(smallest, std::fabs(value));
}

template <typename T>
void Totals::add_block(const T* values, std::size_t size, BucketTable* table, KeyCounts& keys) {
  BlockSums sums = sum_block(values, size, table);
  if (!sums.finite()) sums = sum_finite(values, size);
  if (sums.finite()) {
    add_sums(sums);
    count += size;
  } else {
    for (std::size_t i = 0; i < size; ++i) add_value(static_cast<double>(values[i]), 1);
  }
  if (table == nullptr || !table_tells_all(sums)) add_keys(values, size, table != nullptr, keys);
  if (sums.smallest < std::numeric_limits<double>::min()) {
    subnormal_doubles += count_subnormal_doubles(values, size);
  }
}

template void Totals::add_block(const float*, std::size_t, BucketTable*, KeyCounts&);
template void Totals::add_block(const double*, std::size_t, BucketTable*, KeyCounts&);

BucketRange Totals::bucket_range() const {
  BucketRange range;
  if (max > 0) range.highest_positive = magnitude_of(float_for_log_grid(max));
  if (min < 0) range.highest_negative = magnitude_of(float_for_log_grid(min));
  range.lowest = std::max(1u, magnitude_of(float_for_log_grid(std::min(smallest, kLargestFloat))));
  range.beyond_float = finite_count() != count || max > kLargestFloat || min < -kLargestFloat;
  return range;
}

void Totals::write_to(TensorStats& stats) const {
  stats.count = count;
  stats.nan = nan;
  stats.positive_inf = positive_inf;
  stats.negative_inf = negative_inf;
  // Adding 0 makes +0 of -0: which of the two is met first says nothing.
  stats.min = min + 0.0;
  stats.max = max + 0.0;
  stats.sum = static_cast<double>(sum);
  stats.sum_squares = static_cast<double>(sum_squares);
  stats.l1 = static_cast<double>(l1);
  stats.squared_deviations = 0;
  if (min < max) {
    const long double deviations = sum_squares - sum * sum / static_cast<long double>(finite_count());
    stats.squared_deviations = static_cast<double>(std::max(deviations, 0.0L));
  }
}

}  // namespace tensortap::stats
