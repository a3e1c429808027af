// TensorStats: what one pass over a tensor tells about its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tensortap/export.h"
#include "tensortap/tensor_view.h"

namespace tensortap {

// Left edge inclusive, right edge exclusive (for negative values the other way round).
struct HistogramBucket {
  double left = 0;
  double right = 0;
  std::uint64_t count = 0;
};

// Counts of the finite, non-zero values on edges that never move, so that any two histograms of the
// same grid merge by addition.
//
//   log grid:     bucket = sign, exponent, 3 mantissa bits of the value as float32:
//                 8 buckets an octave, relative width 1/8 .. 1/16.
//   linear grid:  cells of width 2^linear_exponent at multiples of it; taken when all finite values
//                 share a sign and max/min < 4, where the log grid would see too little.
//
// Keys ascend with value. On the log grid key 2048 + m is the positive magnitude m, 2047 - m the negative
// one, where m = float32 bits >> 20 without the sign. On the linear grid key k is cell linear_base + k.
// Doubles beyond float32 fall into the outermost bucket of their sign, doubles too small for it into the
// innermost; min, max and all sums stay exact doubles.
struct TENSORTAP_API Histogram {
  enum class Grid : std::uint8_t { kLog = 0, kLinear = 1 };  // in files: never renumber

  static constexpr int kMantissaBits = 3;
  static constexpr int kMagnitudes = 1 << (8 + kMantissaBits);
  static constexpr int kKeys = 2 * kMagnitudes;

  Grid grid = Grid::kLog;
  std::int32_t linear_exponent = 0;
  std::int64_t linear_base = 0;
  std::vector<std::uint16_t> keys;  // ascending, each with a count above 0
  std::vector<std::uint64_t> counts;

  std::uint64_t total() const;
  double left_edge(std::size_t index) const;
  double right_edge(std::size_t index) const;
};

// Threads:  a value.
// Failure:  none; an empty tensor has count 0, and min > max.
// Lifetime: owns its histogram.
struct TENSORTAP_API TensorStats {
  std::uint64_t count = 0;  // all elements, NaN and Inf included
  std::uint64_t zeros = 0;  // +0 and -0
  std::uint64_t nan = 0;
  std::uint64_t positive_inf = 0;
  std::uint64_t negative_inf = 0;
  std::uint64_t negatives = 0;   // below zero, -Inf included, -0 not
  std::uint64_t subnormals = 0;  // in the tensor's own dtype; 0 for integers

  // Of the finite values. With none of them min is +Inf, max is -Inf and the sums are 0.
  double min = 0;
  double max = 0;
  double sum = 0;
  double sum_squares = 0;
  double l1 = 0;
  double squared_deviations = 0;  // sum of (x - mean)^2, right also where sum_squares would cancel

  Histogram histogram;

  std::uint64_t finite_count() const { return count - nan - positive_inf - negative_inf; }
  // NaN when there is no finite value.
  double mean() const;
  double std() const;  // of the population: divided by n
  double l2() const;
  // The value below which `fraction` (0..1) of the finite values lie; read off the histogram,
  // exact at 0 and 1, elsewhere within a bucket's width.
  double percentile(double fraction) const;
  // The finite values as contiguous buckets, zeros included, outer edges at min and max.
  // At most `max_buckets` (>= 8): neighbours are merged, never split. Empty when nothing is finite.
  std::vector<HistogramBucket> buckets(std::size_t max_buckets) const;
};

// One pass over the view (two where the linear grid applies); complex values count by magnitude.
// kInvalidArgument as TensorView::validate().
TENSORTAP_API Result<TensorStats> compute_stats(const TensorView& view);

}  // namespace tensortap
