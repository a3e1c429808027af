// The second pass over narrow data: cells of a linear grid, fused with sums about a centre.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "stats/linear_grid.h"

namespace tensortap::stats {

struct LinearPass {
  LinearGrid grid;
  double center = 0;  // near the mean: deviations from it do not cancel

  // Four counters per cell, as equal neighbours would wait for each other's store; the last cell takes
  // NaN and Inf.
  static constexpr std::size_t kOutside = LinearGrid::kMaxCells;
  std::array<std::array<std::uint64_t, kOutside + 1>, 4> cells{};
  long double deviations = 0;          // sum of x - center
  long double squared_deviations = 0;  // sum of (x - center)^2

  CellCounts cell_counts() const;
  // Sum of (x - mean)^2, whatever the centre was.
  double squared_deviations_from_mean(std::uint64_t finite_count) const;
};

// All finite values of the block must lie between the min and max that chose the grid.
void add_linear_block(const float* values, std::size_t count, LinearPass& pass);
void add_linear_block(const double* values, std::size_t count, LinearPass& pass);

}  // namespace tensortap::stats
