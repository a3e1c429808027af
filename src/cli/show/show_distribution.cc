// Distributions: one as bars, and how it changed over the steps.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>

#include "base/try.h"
#include "cli/show/histogram_bars.h"
#include "cli/show/show_request.h"
#include "cli/show/stats_text.h"
#include "cli/table_print.h"
#include "cli/units.h"
#include "query/distributions.h"
#include "query/tensors.h"

namespace tensortap::cli {
namespace {

using query::HistogramAt;
using query::Place;
using store::Kind;

constexpr std::size_t kUsualBars = 20;
constexpr std::size_t kStepsShown = 8;
constexpr std::size_t kEveryBucket = 1U << 16;  // more than a histogram has
constexpr std::size_t kJsonBuckets = 64;

double total_of(const HistogramAt& histogram) {
  return std::accumulate(histogram.count.begin(), histogram.count.end(), 0.0);
}

// Of an event file's histogram only the edges are known.
std::string edges_line(const HistogramAt& histogram) {
  if (histogram.count.empty()) return "no values";
  return fmt::format("{} values from {} to {}", number_text(total_of(histogram), 15),
                     number_text(histogram.left.front()), number_text(histogram.right.back()));
}

// A few of the places, first and last among them.
std::vector<Place> some_of(const std::vector<Place>& places) {
  const std::size_t shown = std::min(kStepsShown, places.size());
  std::vector<Place> chosen;
  chosen.reserve(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    chosen.push_back(places[shown == 1 ? 0 : i * (places.size() - 1) / (shown - 1)]);
  }
  return chosen;
}

void print_over_steps(std::size_t recorded, std::initializer_list<const char*> titles,
                      const std::vector<std::vector<std::string>>& rows) {
  std::vector<Column> columns;
  for (const char* title : titles) columns.push_back({title, Align::kRight});
  fmt::print("\n{} recorded{}:\n", counted(recorded, "value", "values"), rows.size() < recorded ? ", among them" : "");
  print_table(columns, rows);
}

Status print_edges_over_steps(const std::vector<Place>& places) {
  std::vector<std::vector<std::string>> rows;
  for (const Place& place : some_of(places)) {
    auto histogram = query::histogram_at(place);
    if (!histogram.ok()) return histogram.status();
    const bool is_empty = histogram->count.empty();
    rows.push_back({std::to_string(place.entry.step), is_empty ? "-" : number_text(histogram->left.front()),
                    is_empty ? "-" : number_text(histogram->right.back()), number_text(total_of(*histogram), 15)});
  }
  print_over_steps(places.size(), {"STEP", "FROM", "TO", "COUNT"}, rows);
  return {};
}

const char* phase_text(Phase phase) {
  switch (phase) {
    case Phase::kTrain: return "train";
    case Phase::kVal: return "val";
    case Phase::kPredict: return "predict";
    case Phase::kNone: break;
  }
  return "-";
}

void print_stats_over_steps(const std::vector<Place>& places) {
  std::vector<std::vector<std::string>> rows;
  for (const Place& place : some_of(places)) {
    const store::StatsRow row = query::stats_at(place);
    rows.push_back({std::to_string(place.entry.step), phase_text(place.entry.phase), number_text(row.min),
                    number_text(row.mean), number_text(row.max), number_text(row.std), count_text(row.zeros),
                    count_text(row.nan), count_text(row.positive_inf + row.negative_inf)});
  }
  print_over_steps(places.size(), {"STEP", "PHASE", "MIN", "MEAN", "MAX", "STD", "ZEROS", "NAN", "INF"}, rows);
}

Status print_json(const ShowRequest& request, const Place& place) {
  auto histogram = query::histogram_at(place, kJsonBuckets);
  if (!histogram.ok()) return histogram.status();
  JsonOut json;
  begin_json(json, request, place);
  if (place.kind == Kind::kStats) put_stats(json, query::stats_at(place));
  json.list("left", histogram->left);
  json.list("right", histogram->right);
  json.list("count", histogram->count);
  json.end_object();
  return {};
}

Status print_heading_of_stats(const ShowRequest& request, const Place& place) {
  auto described = query::describe_tensor(place);
  if (!described.ok()) return described.status();
  print_heading(request, place, fmt::format("{} {}", dtype_name(described->dtype), shape_to_string(described->shape)));
  fmt::print("{}\n", stats_line(query::stats_at(place)));
  return {};
}

}  // namespace

Status show_distribution(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  if (request.json) return print_json(request, *place);
  auto histogram = query::histogram_at(*place, kEveryBucket);
  if (!histogram.ok()) return histogram.status();
  auto places = chosen_places(request);
  if (!places.ok()) return places.status();
  const HistogramAt rows = merge_buckets(*histogram, request.height > 0 ? request.height : kUsualBars);
  if (place->kind == Kind::kHistograms) {
    print_heading(request, *place, edges_line(*histogram));
    print_bars(rows, request.columns());
    return print_edges_over_steps(*places);
  }
  TENSORTAP_TRY(print_heading_of_stats(request, *place));
  print_bars(rows, request.columns());
  print_stats_over_steps(*places);
  return {};
}

}  // namespace tensortap::cli
