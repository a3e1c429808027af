// Distributions: statistics as columns over steps, and histograms at steps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "query/places.h"
#include "tensortap/media.h"

namespace tensortap::query {

// One entry a capture in each column.
struct StatsColumns {
  std::vector<std::int64_t> step;
  std::vector<double> wall_secs;
  std::vector<Phase> phase;
  std::vector<std::uint64_t> sequence;
  std::vector<std::uint64_t> count, zeros, nan, positive_inf, negative_inf, negatives, subnormals;
  std::vector<double> min, max, mean, std, l1, l2;  // NaN where nothing is finite
  // Only when asked for: read from the file. kPercentiles[i] is the percentile of column i.
  std::vector<std::vector<double>> percentiles;
  std::uint64_t total = 0;  // captures in the selection; more than there are entries where some were left out
};
inline constexpr int kPercentiles[] = {1, 5, 25, 50, 75, 95, 99};

// The numbers of a place of kStats, as they are in columns: NaN where nothing is finite.
store::StatsRow stats_at(const Place& place);
// Those of kPercentiles of a place of kStats, read from the file.
Result<std::vector<double>> percentiles_at(const Place& place);

// The root of the mean square of the finite values; NaN when there are none.
double rms_of(const store::StatsRow& row);

// With max_captures above 0: evenly spread over the selection, first and last included, and besides all that hold NaN
// or Inf.
Result<StatsColumns> stats(const Run& run, std::string_view tag, const Selection& selection, bool with_percentiles,
                           std::size_t max_captures = 0);

// The distribution of one value. Rows are contiguous and ascend.
struct HistogramAt {
  std::int64_t step = 0;
  double wall_secs = 0;
  std::vector<double> left, right, count;
};

// Of a place of kStats or kHistograms.
Result<HistogramAt> histogram_at(const Place& place, std::size_t max_buckets = 64);

// Histograms of a tag, from captures (kStats) where there are any, from event files otherwise. At most `max_buckets`
// rows each for captures; event files are given as they are. With max_histograms above 0: evenly spread over the
// selection, first and last included.
Result<std::vector<HistogramAt>> histograms(const Run& run, std::string_view tag, const Selection& selection,
                                            std::size_t max_histograms = 0, std::size_t max_buckets = 64);

// Histograms with what else is known of the values at each step.
struct HistogramSeries {
  std::uint64_t total_steps = 0;  // histograms in the selection; more than `at` where some were left out
  std::vector<HistogramAt> at;
  // One entry for each of `at`. Event files say nothing about zeros, NaN and Inf: NaN then. Their min and max are the
  // outermost edges, and their percentiles are read off their buckets.
  std::vector<double> zeros, nan, positive_inf, negative_inf, total, min, max;
  std::vector<double> p5, p25, p50, p75, p95;
};
Result<HistogramSeries> histogram_series(const Run& run, std::string_view tag, const Selection& selection,
                                         std::size_t max_histograms = 0, std::size_t max_buckets = 64);

}  // namespace tensortap::query
