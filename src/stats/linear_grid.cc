// The choice of a linear grid.
#include "stats/linear_grid.h"

#include <algorithm>

namespace tensortap::stats {
namespace {

// No cell is narrower than the spacing of doubles at the far end, so that every edge is a double; nor so
// narrow that 2^-exponent were not finite.
int least_exponent(double min, double max) {
  return std::max(std::ilogb(std::max(std::fabs(min), std::fabs(max))) - 52, -1022);
}

bool is_narrow(double min, double max) {
  if (!(min < max)) return false;
  if (min > 0) return max / 4 < min;
  if (max < 0) return min / 4 > max;
  return false;
}

LinearGrid grid_from(double min, int exponent) {
  LinearGrid grid;
  grid.exponent = exponent;
  grid.scale = std::ldexp(1.0, -exponent);
  grid.first_cell = std::floor(min * grid.scale);
  return grid;
}

}  // namespace

std::optional<LinearGrid> choose_linear_grid(double min, double max) {
  if (!is_narrow(min, max)) return std::nullopt;
  // At this width the range is 64 to 128 cells long: too many but for luck, and the next one is wide enough.
  int exponent = std::max(std::ilogb(max - min) - 6, least_exponent(min, max));
  LinearGrid grid = grid_from(min, exponent);
  while (grid.cell(max) >= static_cast<double>(LinearGrid::kMaxCells)) grid = grid_from(min, ++exponent);
  return grid;
}

void write_linear(const LinearGrid& grid, const CellCounts& cells, Histogram& histogram) {
  const auto occupied = cells.size() - static_cast<std::size_t>(std::count(cells.begin(), cells.end(), 0u));
  histogram.grid = Histogram::Grid::kLinear;
  histogram.linear_exponent = grid.exponent;
  histogram.linear_base = static_cast<std::int64_t>(grid.first_cell);
  histogram.keys.clear();
  histogram.counts.clear();
  histogram.keys.reserve(occupied);
  histogram.counts.reserve(occupied);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] == 0) continue;
    histogram.keys.push_back(static_cast<std::uint16_t>(cell));
    histogram.counts.push_back(cells[cell]);
  }
}

}  // namespace tensortap::stats
