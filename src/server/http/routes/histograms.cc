// Histograms: distributions over steps, with their percentiles.
#include "query/distributions.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"
#include "server/http/routes/series_choice.h"

namespace tensortap::server {
namespace {

using format::ColumnsForm;
using format::ColumnsWriter;
using query::HistogramAt;
using query::HistogramSeries;

// A tag that was captured has its histograms there.
constexpr store::Kind kKinds[] = {store::Kind::kStats, store::Kind::kHistograms};
constexpr std::uint64_t kUsualSteps = 60;
constexpr std::uint64_t kMostSteps = 100'000;
constexpr std::uint64_t kUsualBuckets = 64;
constexpr std::uint64_t kLeastBuckets = 8;
constexpr std::uint64_t kMostBuckets = 4096;

// The rows of all histograms behind each other.
struct Buckets {
  std::vector<std::int64_t> step, offset{0};
  std::vector<double> wall_secs, left, right, count;

  void add(const HistogramAt& at) {
    step.push_back(at.step);
    wall_secs.push_back(at.wall_secs);
    left.insert(left.end(), at.left.begin(), at.left.end());
    right.insert(right.end(), at.right.begin(), at.right.end());
    count.insert(count.end(), at.count.begin(), at.count.end());
    offset.push_back(static_cast<std::int64_t>(count.size()));
  }
};

void put_series(ColumnsWriter& columns, const std::string& run, const std::string& tag, const HistogramSeries& series) {
  Buckets buckets;
  for (const HistogramAt& at : series.at) buckets.add(at);
  format::JsonWriter& meta = columns.meta();
  meta.begin_object();
  meta.member("run", run);
  meta.member("tag", tag);
  meta.member("total_steps", series.total_steps);
  columns.column("step", buckets.step);
  columns.column("wall_time", buckets.wall_secs);
  columns.column("zeros", series.zeros);
  columns.column("nan", series.nan);
  columns.column("positive_inf", series.positive_inf);
  columns.column("negative_inf", series.negative_inf);
  columns.column("total", series.total);
  columns.column("min", series.min);
  columns.column("max", series.max);
  columns.column("p5", series.p5);
  columns.column("p25", series.p25);
  columns.column("p50", series.p50);
  columns.column("p75", series.p75);
  columns.column("p95", series.p95);
  columns.column("offset", buckets.offset);
  columns.column("left", buckets.left);
  columns.column("right", buckets.right);
  columns.column("count", buckets.count);
  meta.end_object();
}

Response histograms(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run*", "tag", "first_step", "last_step", "max_steps", "max_buckets", "raw", "format"});
  const std::vector<std::string> runs = question.any_texts("run"), tags = {question.text("tag")};
  const query::Selection selection = question.selection();
  const std::uint64_t most = question.number("max_steps", kUsualSteps, 0, kMostSteps);
  const std::uint64_t max_buckets = question.number("max_buckets", kUsualBuckets, kLeastBuckets, kMostBuckets);
  const std::string format = question.word("format", {"columns", "json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  if (format == "csv") return named_table(logs, "histograms", runs, tags, selection);

  Result<SeriesChoice> chosen = choose(logs, runs, tags, kKinds);
  if (!chosen.ok()) return error_response(chosen.status());
  const ColumnsForm form = format == "json" ? ColumnsForm::kJson : ColumnsForm::kBinary;
  const Status size = check_size(*chosen, most, 3 * max_buckets, form);
  if (!size.ok()) return error_response(size);
  ColumnsWriter columns(form);
  columns.meta().key("series");
  columns.meta().begin_array();
  for (const query::ChosenSeries& each : chosen->series) {
    const query::Run& run = chosen->runs[each.run];
    const auto found = query::histogram_series(run, each.tag, selection, most, max_buckets);
    if (found.status().code() == StatusCode::kNotFound) continue;
    if (!found.ok()) return error_response(found.status());
    put_series(columns, run.name, each.tag, found.value());
  }
  columns.meta().end_array();
  return columns_response(columns, form);
}

}  // namespace

void add_histogram_routes(Router& router, ServedLogs& logs) { add_route(router, logs, "histograms", histograms); }

}  // namespace tensortap::server
