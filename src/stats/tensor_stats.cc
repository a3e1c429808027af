// The moments of TensorStats.
#include "tensortap/tensor_stats.h"

#include <cmath>
#include <limits>

namespace tensortap {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double TensorStats::mean() const {
  if (finite_count() == 0) return kNan;
  return sum / static_cast<double>(finite_count());
}

double TensorStats::std() const {
  if (finite_count() == 0) return kNan;
  return std::sqrt(squared_deviations / static_cast<double>(finite_count()));
}

double TensorStats::l2() const { return finite_count() == 0 ? kNan : std::sqrt(sum_squares); }

}  // namespace tensortap
