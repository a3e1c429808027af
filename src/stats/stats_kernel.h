// Sums of one block of values, fused with the counting of their buckets: the hot loop.
//
// Vector code for every instruction set that Highway knows, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "stats/bucket_table.h"

namespace tensortap::stats {

struct BlockSums {
  double sum = 0;
  double sum_squares = 0;
  double l1 = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double smallest = std::numeric_limits<double>::infinity();  // magnitude above 0
  std::uint64_t nan = 0;
  std::uint64_t positive_inf = 0;
  std::uint64_t negative_inf = 0;

  // False after sum_block when the block holds NaN or Inf (nothing here means anything then), and for
  // doubles so large that a sum overflowed.
  bool finite() const { return sum_squares <= std::numeric_limits<double>::max(); }
};

// Adds up the block and counts nan and inf not at all. With a `table`, also counts each value's float32
// bits >> 20 there, NaN and Inf included.
BlockSums sum_block(const float* values, std::size_t count, BucketTable* table);
BlockSums sum_block(const double* values, std::size_t count, BucketTable* table);

// The same sums over the finite values only, with nan and inf counted: the way out when sum_block fails.
BlockSums sum_finite(const float* values, std::size_t count);
BlockSums sum_finite(const double* values, std::size_t count);

}  // namespace tensortap::stats
