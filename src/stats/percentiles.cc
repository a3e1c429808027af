// TensorStats::percentile(), read off the histogram.
#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/histogram.h"

namespace tensortap {
namespace {

// Where the values of a bucket can be: its edges, not beyond min and max. The outermost buckets of the log
// grid also hold the doubles beyond float32.
double lowest_in(const TensorStats& stats, std::size_t index) {
  const double left = stats.histogram.left_edge(index);
  return left <= -0x1p128 ? stats.min : std::clamp(left, stats.min, stats.max);
}

double highest_in(const TensorStats& stats, std::size_t index) {
  const double right = stats.histogram.right_edge(index);
  return right >= 0x1p128 && stats.histogram.grid == Histogram::Grid::kLog ? stats.max
                                                                           : std::clamp(right, stats.min, stats.max);
}

// Takes values in ascending order until `rank` of them have gone by.
class RankWalk {
 public:
  explicit RankWalk(double rank) : rank_(rank) {}

  // Whether the rank lies among these `count` values; value() tells where.
  bool step(double left, double right, std::uint64_t count) {
    const auto width = static_cast<double>(count);
    if (rank_ > width) {
      rank_ -= width;
      return false;
    }
    // Exact at both ends, and never beyond them.
    value_ = std::lerp(left, right, rank_ / width);
    return true;
  }

  double value() const { return value_; }

 private:
  double rank_;
  double value_ = 0;
};

}  // namespace

double TensorStats::percentile(double fraction) const {
  if (finite_count() == 0 || std::isnan(fraction)) return std::numeric_limits<double>::quiet_NaN();
  if (fraction <= 0) return min;
  if (fraction >= 1) return max;
  RankWalk walk(fraction * static_cast<double>(finite_count()));
  bool zeros_pending = zeros > 0;
  for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
    if (zeros_pending && histogram.left_edge(i) >= 0) {
      if (walk.step(0, 0, zeros)) return 0;
      zeros_pending = false;
    }
    if (walk.step(lowest_in(*this, i), highest_in(*this, i), histogram.counts[i])) return walk.value();
  }
  if (zeros_pending && walk.step(0, 0, zeros)) return 0;
  return max;
}

}  // namespace tensortap
