// LinearGrid: equal cells for values that differ too little for the log grid.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// Cells of width 2^exponent at multiples of it. Powers of two nest, so grids of different widths still
// merge.
struct LinearGrid {
  static constexpr std::int64_t kMaxCells = 65;

  int exponent = 0;
  double scale = 1;       // 2^-exponent: multiplying by it is exact
  double first_cell = 0;  // of the least value; exact

  // Exact: the scaled value is a double, and the difference of two whole numbers this near is, too.
  double cell(double value) const { return std::floor(value * scale) - first_cell; }
};

// The finest grid with at most 65 cells from min to max; nothing when the log grid serves better, that is
// unless both have one sign, max/min < 4 (of magnitudes) and min < max.
std::optional<LinearGrid> choose_linear_grid(double min, double max);

// Counts by cell, 0 .. kMaxCells - 1.
using CellCounts = std::array<std::uint64_t, LinearGrid::kMaxCells>;

// Replaces the keys and counts of `histogram`.
void write_linear(const LinearGrid& grid, const CellCounts& cells, Histogram& histogram);

}  // namespace tensortap::stats
