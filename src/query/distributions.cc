// Distributions: columns out of memory, percentiles and buckets out of files.
#include "query/distributions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/try.h"
#include "event/summary_values.h"
#include "query/part_series.h"
#include "query/place_values.h"

namespace tensortap::query {
namespace {

using event::CapturedStats;
using event::ScannedValue;
using event::ValueForm;
using store::Kind;
using store::StatsRow;

void add(const Place& place, StatsColumns& columns) {
  const StatsRow row = stats_at(place);
  columns.step.push_back(place.entry.step);
  columns.wall_secs.push_back(place.entry.wall_secs);
  columns.phase.push_back(place.entry.phase);
  columns.sequence.push_back(place.entry.sequence);
  columns.count.push_back(row.count);
  columns.zeros.push_back(row.zeros);
  columns.nan.push_back(row.nan);
  columns.positive_inf.push_back(row.positive_inf);
  columns.negative_inf.push_back(row.negative_inf);
  columns.negatives.push_back(row.negatives);
  columns.subnormals.push_back(row.subnormals);
  columns.min.push_back(row.min);
  columns.max.push_back(row.max);
  columns.mean.push_back(row.mean);
  columns.std.push_back(row.std);
  columns.l1.push_back(row.l1);
  columns.l2.push_back(row.l2);
}

HistogramAt empty_at(const Place& place) { return {place.entry.step, place.entry.wall_secs, {}, {}, {}}; }

Result<HistogramAt> histogram_of_event(const Place& place) {
  return use_value(place, "histogram", [&](const ScannedValue& value) -> Result<HistogramAt> {
    if (value.form != ValueForm::kTensor && value.form != ValueForm::kHistogram) return not_there(place, "histogram");
    Result<event::HistogramRows> rows =
        value.form == ValueForm::kTensor ? event::histogram_of_tensor(value.body) : event::histogram_of_v1(value.body);
    if (!rows.ok()) return rows.status();
    HistogramAt histogram = empty_at(place);
    histogram.left = std::move(rows->left);
    histogram.right = std::move(rows->right);
    histogram.count = std::move(rows->count);
    return histogram;
  });
}

HistogramAt histogram_of(const Place& place, const CapturedStats& captured, std::size_t max_buckets) {
  HistogramAt histogram = empty_at(place);
  for (const HistogramBucket& bucket : captured.stats.buckets(max_buckets)) {
    histogram.left.push_back(bucket.left);
    histogram.right.push_back(bucket.right);
    histogram.count.push_back(static_cast<double>(bucket.count));
  }
  return histogram;
}

Result<HistogramAt> histogram_of_capture(const Place& place, std::size_t max_buckets) {
  return use_capture<CapturedStats>(place, "statistics", [&](const CapturedStats& captured) -> Result<HistogramAt> {
    return histogram_of(place, captured, max_buckets);
  });
}

// `most` of the places, evenly spread, first and last among them; of one, the last.
std::vector<Place> spread(std::vector<Place> all, std::size_t most) {
  if (most == 0 || all.size() <= most) return all;
  if (most == 1) return {std::move(all.back())};
  std::vector<Place> chosen;
  chosen.reserve(most);
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(std::move(all[i * (all.size() - 1) / (most - 1)]));
  return chosen;
}

// As spread(), but what holds NaN or Inf stays besides.
void keep_spread(std::vector<Place>& all, std::size_t most) {
  std::size_t kept = 0, chosen = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_due = i == (most == 1 ? all.size() - 1 : chosen * (all.size() - 1) / (most - 1));
    if (is_due) ++chosen;
    const StatsRow& row = all[i].stats;
    if (!is_due && row.nan + row.positive_inf + row.negative_inf == 0) continue;
    if (kept != i) all[kept] = std::move(all[i]);
    ++kept;
  }
  all.resize(kept);
}

// Read off buckets, evenly filled; NaN when they are empty.
double percentile_of(const HistogramAt& histogram, double total, double fraction) {
  double before = 0;
  for (std::size_t i = 0; i < histogram.count.size(); ++i) {
    const double count = histogram.count[i];
    if (count > 0 && before + count >= fraction * total) {
      const double within = (fraction * total - before) / count;
      return histogram.left[i] + within * (histogram.right[i] - histogram.left[i]);
    }
    before += count;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

template <typename Percentile>
void add_percentiles(HistogramSeries& series, const Percentile& percentile) {
  series.p5.push_back(percentile(0.05));
  series.p25.push_back(percentile(0.25));
  series.p50.push_back(percentile(0.5));
  series.p75.push_back(percentile(0.75));
  series.p95.push_back(percentile(0.95));
}

void add(HistogramSeries& series, const StatsRow& row) {
  series.zeros.push_back(static_cast<double>(row.zeros));
  series.nan.push_back(static_cast<double>(row.nan));
  series.positive_inf.push_back(static_cast<double>(row.positive_inf));
  series.negative_inf.push_back(static_cast<double>(row.negative_inf));
  series.total.push_back(static_cast<double>(row.count));
  series.min.push_back(row.min);
  series.max.push_back(row.max);
}

Status add_capture(const Place& place, std::size_t max_buckets, HistogramSeries& series) {
  return use_capture<CapturedStats>(place, "statistics",
                                    [&](const CapturedStats& captured) -> Result<bool> {
                                      series.at.push_back(histogram_of(place, captured, max_buckets));
                                      add(series, stats_at(place));
                                      add_percentiles(series, [&](double of) { return captured.stats.percentile(of); });
                                      return true;
                                    })
      .status();
}

Status add_event(const Place& place, HistogramSeries& series) {
  Result<HistogramAt> histogram = histogram_of_event(place);
  if (!histogram.ok()) return histogram.status();
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const double total = std::accumulate(histogram->count.begin(), histogram->count.end(), 0.0);
  for (auto* column : {&series.zeros, &series.nan, &series.positive_inf, &series.negative_inf}) {
    column->push_back(kUnknown);
  }
  series.total.push_back(total);
  series.min.push_back(histogram->left.empty() ? kUnknown : histogram->left.front());
  series.max.push_back(histogram->right.empty() ? kUnknown : histogram->right.back());
  add_percentiles(series, [&](double of) { return percentile_of(*histogram, total, of); });
  series.at.push_back(std::move(*histogram));
  return {};
}

}  // namespace

StatsRow stats_at(const Place& place) {
  StatsRow row = place.stats;
  const bool has_finite = row.count > row.nan + row.positive_inf + row.negative_inf;
  if (!has_finite) row.min = row.max = row.mean = row.std = row.l1 = row.l2 = std::numeric_limits<double>::quiet_NaN();
  return row;
}

Result<std::vector<double>> percentiles_at(const Place& place) {
  return use_capture<CapturedStats>(place, "statistics", [](const CapturedStats& captured) {
    std::vector<double> values;
    for (int percentile : kPercentiles) values.push_back(captured.stats.percentile(percentile / 100.0));
    return Result<std::vector<double>>(std::move(values));
  });
}

double rms_of(const StatsRow& row) {
  const std::uint64_t finite = row.count - row.nan - row.positive_inf - row.negative_inf;
  return finite == 0 ? std::numeric_limits<double>::quiet_NaN() : row.l2 / std::sqrt(static_cast<double>(finite));
}

Result<StatsColumns> stats(const Run& run, std::string_view tag, const Selection& selection, bool with_percentiles,
                           std::size_t max_captures) {
  Result<std::vector<Place>> found = places(run, tag, Kind::kStats, selection);
  if (!found.ok()) return found.status();
  StatsColumns columns;
  columns.total = found->size();
  if (max_captures > 0 && found->size() > max_captures) keep_spread(*found, max_captures);
  if (with_percentiles) columns.percentiles.resize(std::size(kPercentiles));
  for (const Place& place : *found) {
    add(place, columns);
    if (!with_percentiles) continue;
    Result<std::vector<double>> values = percentiles_at(place);
    if (!values.ok()) return values.status();
    for (std::size_t i = 0; i < values->size(); ++i) columns.percentiles[i].push_back((*values)[i]);
  }
  return columns;
}

Result<HistogramAt> histogram_at(const Place& place, std::size_t max_buckets) {
  return is_in_captures(place) ? histogram_of_capture(place, max_buckets) : histogram_of_event(place);
}

Result<std::vector<HistogramAt>> histograms(const Run& run, std::string_view tag, const Selection& selection,
                                            std::size_t max_histograms, std::size_t max_buckets) {
  const Kind kind = is_captured(run, tag) ? Kind::kStats : Kind::kHistograms;
  Result<std::vector<Place>> found = places(run, tag, kind, selection);
  if (!found.ok()) return found.status();
  std::vector<HistogramAt> all;
  for (const Place& place : spread(std::move(*found), max_histograms)) {
    Result<HistogramAt> histogram = histogram_at(place, max_buckets);
    if (!histogram.ok()) return histogram.status();
    all.push_back(std::move(*histogram));
  }
  return all;
}

Result<HistogramSeries> histogram_series(const Run& run, std::string_view tag, const Selection& selection,
                                         std::size_t max_histograms, std::size_t max_buckets) {
  const Kind kind = is_captured(run, tag) ? Kind::kStats : Kind::kHistograms;
  Result<std::vector<Place>> found = places(run, tag, kind, selection);
  if (!found.ok()) return found.status();
  HistogramSeries series;
  series.total_steps = found->size();
  for (const Place& place : spread(std::move(*found), max_histograms)) {
    TENSORTAP_TRY(is_in_captures(place) ? add_capture(place, max_buckets, series) : add_event(place, series));
  }
  return series;
}

}  // namespace tensortap::query
