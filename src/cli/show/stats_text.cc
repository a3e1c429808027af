// StatsText: what is zero is left out.
#include "cli/show/stats_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cli/units.h"

namespace tensortap::cli {

std::string stats_line(const store::StatsRow& row) {
  std::string text = counted(row.count, "value", "values");
  if (std::isnan(row.min)) {
    text += row.count > 0 ? "  none of them finite" : "";
  } else {
    text += fmt::format("  min {}  mean {}  max {}  std {}  l2 {}", number_text(row.min), number_text(row.mean),
                        number_text(row.max), number_text(row.std), number_text(row.l2));
  }
  if (row.zeros > 0) text += fmt::format("  {} zero", count_text(row.zeros));
  if (row.nan > 0) text += fmt::format("  {} NaN", count_text(row.nan));
  if (row.positive_inf > 0) text += fmt::format("  {} +Inf", count_text(row.positive_inf));
  if (row.negative_inf > 0) text += fmt::format("  {} -Inf", count_text(row.negative_inf));
  return text;
}

void put_stats(JsonOut& json, const store::StatsRow& row) {
  json.key("stats");
  json.begin_object();
  json.member("count", row.count);
  json.member("zeros", row.zeros);
  json.member("nan", row.nan);
  json.member("positive_inf", row.positive_inf);
  json.member("negative_inf", row.negative_inf);
  json.member("negatives", row.negatives);
  json.member("subnormals", row.subnormals);
  json.member("min", row.min);
  json.member("max", row.max);
  json.member("mean", row.mean);
  json.member("std", row.std);
  json.member("l1", row.l1);
  json.member("l2", row.l2);
  json.end_object();
}

store::StatsRow stats_row(const TensorStats& stats) {
  store::StatsRow row{stats.count,     stats.zeros,      stats.nan, stats.positive_inf, stats.negative_inf,
                      stats.negatives, stats.subnormals, stats.min, stats.max,          stats.mean(),
                      stats.std(),     stats.l1,         stats.l2()};
  if (stats.finite_count() == 0) {
    row.min = row.max = row.mean = row.std = row.l1 = row.l2 = std::numeric_limits<double>::quiet_NaN();
  }
  return row;
}

}  // namespace tensortap::cli
