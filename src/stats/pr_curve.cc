// Scores counted by threshold, then added up from the highest threshold down.
#include "stats/pr_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "stats/value_reader.h"

namespace tensortap::stats {
namespace {

// TensorBoard's guard against division by 0.
constexpr double kMinimumCount = 1e-7;

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

bool is_float(DType dtype) { return dtype_name(dtype).find("float") != std::string_view::npos; }

bool is_complex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

Status check(const TensorView& labels, const TensorView& scores, int num_thresholds) {
  if (num_thresholds < 2 || num_thresholds > kMaxThresholds) {
    return invalid("num_thresholds is " + std::to_string(num_thresholds) + "; give 2 to " +
                   std::to_string(kMaxThresholds));
  }
  if (Status status = labels.validate(); !status.ok()) return status;
  if (Status status = scores.validate(); !status.ok()) return status;
  if (is_complex(labels.dtype)) return invalid("labels are complex; give bool, integers or floats");
  if (!is_float(scores.dtype)) {
    return invalid("scores are " + std::string(dtype_name(scores.dtype)) + "; give floats between 0 and 1");
  }
  if (labels.element_count() != scores.element_count()) {
    return invalid("labels " + shape_to_string(labels.shape) + " and scores " + shape_to_string(scores.shape) +
                   " differ in their number of elements");
  }
  return Status();
}

Status bad_score(double score, std::uint64_t index) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.9g", score);
  return invalid("scores must lie between 0 and 1, but element " + std::to_string(index) + " is " + text.data());
}

// Counts by the highest threshold that a score reaches.
struct ScoreCounts {
  std::vector<double> positives;
  std::vector<double> negatives;
};

std::size_t threshold_index(double score, int num_thresholds, DType dtype) {
  // In the scores' own precision, as TensorBoard does: the last bit decides on which side of a threshold
  // a score falls.
  if (dtype == DType::kFloat64) return static_cast<std::size_t>(score * (num_thresholds - 1));
  return static_cast<std::size_t>(static_cast<float>(score) * static_cast<float>(num_thresholds - 1));
}

Result<ScoreCounts> count_scores(const TensorView& labels, const TensorView& scores, int num_thresholds) {
  ScoreCounts counts;
  counts.positives.resize(static_cast<std::size_t>(num_thresholds));
  counts.negatives.resize(static_cast<std::size_t>(num_thresholds));
  std::array<double, kMaxValues> label_values;
  std::array<double, kMaxValues> score_values;
  const std::uint64_t count = labels.element_count();
  for (std::uint64_t first = 0; first < count; first += kMaxValues) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kMaxValues, count - first));
    read_values(labels, first, size, label_values.data());
    read_values(scores, first, size, score_values.data());
    for (std::size_t i = 0; i < size; ++i) {
      const double score = score_values[i];
      if (!(score >= 0 && score <= 1)) return bad_score(score, first + i);
      const std::size_t threshold = threshold_index(score, num_thresholds, scores.dtype);
      (label_values[i] != 0 ? counts.positives : counts.negatives)[threshold] += 1;
    }
  }
  return counts;
}

// From "reaches exactly this threshold" to "reaches this threshold".
void accumulate_from_the_end(std::vector<double>& counts) {
  for (std::size_t i = counts.size() - 1; i > 0; --i) counts[i - 1] += counts[i];
}

double ratio(double part, double other_part) { return part / std::max(kMinimumCount, part + other_part); }

}  // namespace

Result<PrCurve> compute_pr_curve(const TensorView& labels, const TensorView& scores, int num_thresholds) {
  if (Status status = check(labels, scores, num_thresholds); !status.ok()) return status;
  Result<ScoreCounts> counted = count_scores(labels, scores, num_thresholds);
  if (!counted.ok()) return counted.status();
  std::vector<double>& true_positives = counted->positives;
  std::vector<double>& false_positives = counted->negatives;
  accumulate_from_the_end(true_positives);
  accumulate_from_the_end(false_positives);

  const auto thresholds = static_cast<std::size_t>(num_thresholds);
  PrCurve curve;
  curve.num_thresholds = num_thresholds;
  curve.rows.resize(6 * thresholds);
  for (std::size_t i = 0; i < thresholds; ++i) {
    const double tp = true_positives[i];
    const double fp = false_positives[i];
    const double tn = false_positives[0] - fp;
    const double fn = true_positives[0] - tp;
    const std::array<double, 6> column = {tp, fp, tn, fn, ratio(tp, fp), ratio(tp, fn)};
    for (std::size_t row = 0; row < column.size(); ++row) {
      curve.rows[row * thresholds + i] = static_cast<float>(column[row]);
    }
  }
  return curve;
}

}  // namespace tensortap::stats
