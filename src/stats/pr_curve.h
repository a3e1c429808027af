// PrCurve: how precision and recall of a classifier follow its threshold.
#pragma once

#include <vector>

#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::stats {

inline constexpr int kDefaultThresholds = 201;
inline constexpr int kMaxThresholds = 1 << 20;

// Threads:  a value.
// Failure:  none.
// Lifetime: owns its rows.
struct PrCurve {
  int num_thresholds = 0;
  // [6, num_thresholds]: true positives, false positives, true negatives, false negatives, precision,
  // recall. Threshold i is i / (num_thresholds - 1); a score at it counts as positive.
  std::vector<float> rows;
};

// The numbers of tensorboard.plugins.pr_curve.summary.pb, which scales float32 scores in float32 and
// float64 scores in float64; narrower floats are scaled in float32 here.
//
// `labels`: bool, integers or floats, where all but 0 is positive. `scores`: floats between 0 and 1, as many
// as labels; both are taken in row-major order. kInvalidArgument otherwise, naming the first score that is
// out of range, and for num_thresholds outside 2 .. kMaxThresholds.
Result<PrCurve> compute_pr_curve(const TensorView& labels, const TensorView& scores,
                                 int num_thresholds = kDefaultThresholds);

}  // namespace tensortap::stats
