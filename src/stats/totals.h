// Totals: what the blocks of a tensor add up to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "stats/bucket_table.h"
#include "stats/stats_kernel.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// Sums are long double: block sums of doubles near 1e308 must not overflow on the way to a total that
// need not, and squares of values beyond 1e154 have to go somewhere.
//
// Threads:  a value.
// Failure:  none.
// Lifetime: one tensor.
struct Totals {
  long double sum = 0;
  long double sum_squares = 0;
  long double l1 = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double smallest = std::numeric_limits<double>::infinity();  // magnitude above 0
  std::uint64_t count = 0;
  std::uint64_t nan = 0;
  std::uint64_t positive_inf = 0;
  std::uint64_t negative_inf = 0;
  std::uint64_t subnormal_doubles = 0;

  // Adds a block. Its histogram goes to `table`, but for what a table cannot tell, which goes to `keys`;
  // without a table everything goes to `keys`.
  template <typename T>
  void add_block(const T* values, std::size_t size, BucketTable* table, KeyCounts& keys);

  // `times` elements of one value.
  void add_value(double value, std::uint64_t times);

  std::uint64_t finite_count() const { return count - nan - positive_inf - negative_inf; }

  // Where the values of all blocks lie in a table.
  BucketRange bucket_range() const;

  // All of TensorStats but histogram, zeros, negatives and subnormals.
  // squared_deviations is taken from the sums.
  void write_to(TensorStats& stats) const;

 private:
  void add_sums(const BlockSums& sums);
};

}  // namespace tensortap::stats
