// The edges and the total of a Histogram.
#include "stats/histogram.h"

#include <numeric>

namespace tensortap {
namespace stats {
namespace {

double log_edge(std::int64_t cell) {
  const std::int64_t magnitude = cell < 0 ? -cell : cell;
  if (magnitude >= kInfMagnitude) return cell < 0 ? -0x1p128 : 0x1p128;
  const auto bits = static_cast<std::uint32_t>(magnitude) << kBucketShift;
  const double edge = static_cast<double>(std::bit_cast<float>(bits));
  return cell < 0 ? -edge : edge;
}

}  // namespace

std::int64_t cell_of(const Histogram& histogram, std::size_t index) {
  const std::int64_t key = histogram.keys[index];
  if (histogram.grid == Histogram::Grid::kLog) return key - Histogram::kMagnitudes;
  // A base beyond this can only come from a damaged file; it must not overflow here.
  constexpr std::int64_t kFarthest = std::int64_t{1} << 62;
  return std::clamp(histogram.linear_base, -kFarthest, kFarthest) + key;
}

double edge_of(const Histogram& histogram, std::int64_t cell, int level) {
  if (histogram.grid == Histogram::Grid::kLog) return log_edge(cell * (std::int64_t{1} << level));
  const double scaled = std::ldexp(static_cast<double>(cell), level);
  return std::ldexp(scaled, histogram.linear_exponent);
}

}  // namespace stats

std::uint64_t Histogram::total() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

double Histogram::left_edge(std::size_t index) const { return stats::edge_of(*this, stats::cell_of(*this, index)); }

double Histogram::right_edge(std::size_t index) const {
  return stats::edge_of(*this, stats::cell_of(*this, index) + 1);
}

}  // namespace tensortap
