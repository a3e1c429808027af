// Statistics: of each capture its numbers, as columns over steps.
#include "query/distributions.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"
#include "server/http/routes/series_choice.h"

namespace tensortap::server {
namespace {

using format::ColumnsForm;
using format::ColumnsWriter;
using query::StatsColumns;

constexpr store::Kind kKinds[] = {store::Kind::kStats};
constexpr std::uint64_t kNumbers = 22;  // of one capture, with percentiles
constexpr std::uint64_t kUsualCaptures = 2000;
constexpr std::uint64_t kMostCaptures = 10'000'000;
// Percentiles are read from the files, capture by capture.
constexpr std::uint64_t kMostPercentileCaptures = 100'000;

std::vector<double> rms_column(const StatsColumns& of) {
  std::vector<double> rms;
  for (std::size_t i = 0; i < of.step.size(); ++i) {
    store::StatsRow row;
    row.count = of.count[i];
    row.nan = of.nan[i];
    row.positive_inf = of.positive_inf[i];
    row.negative_inf = of.negative_inf[i];
    row.l2 = of.l2[i];
    rms.push_back(query::rms_of(row));
  }
  return rms;
}

std::vector<std::uint8_t> phase_column(const StatsColumns& of) {
  std::vector<std::uint8_t> phases;
  for (Phase phase : of.phase) phases.push_back(static_cast<std::uint8_t>(phase));
  return phases;
}

void put_series(ColumnsWriter& columns, const std::string& run, const std::string& tag, const StatsColumns& of) {
  format::JsonWriter& meta = columns.meta();
  meta.begin_object();
  meta.member("run", run);
  meta.member("tag", tag);
  meta.member("total", of.total);
  columns.column("step", of.step);
  columns.column("wall_time", of.wall_secs);
  columns.column("phase", phase_column(of));
  columns.column("count", of.count);
  columns.column("zeros", of.zeros);
  columns.column("nan", of.nan);
  columns.column("positive_inf", of.positive_inf);
  columns.column("negative_inf", of.negative_inf);
  columns.column("min", of.min);
  columns.column("max", of.max);
  columns.column("mean", of.mean);
  columns.column("std", of.std);
  columns.column("l1", of.l1);
  columns.column("l2", of.l2);
  columns.column("rms", rms_column(of));
  for (std::size_t i = 0; i < of.percentiles.size(); ++i) {
    columns.column("p" + std::to_string(query::kPercentiles[i]), of.percentiles[i]);
  }
  meta.end_object();
}

Response stats(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run*", "tag*", "first_step", "last_step", "max_points", "percentiles", "raw", "format"});
  const std::vector<std::string> runs = question.any_texts("run"), tags = question.texts("tag");
  const query::Selection selection = question.selection();
  const std::uint64_t most = question.number("max_points", kUsualCaptures, 0, kMostCaptures);
  const bool percentiles = question.flag("percentiles");
  const std::string format = question.word("format", {"columns", "json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  if (format == "csv") return named_table(logs, "stats", runs, tags, selection);

  Result<SeriesChoice> chosen = choose(logs, runs, tags, kKinds);
  if (!chosen.ok()) return error_response(chosen.status());
  if (percentiles && most * chosen->series.size() > kMostPercentileCaptures) {
    question.refuse("percentiles of up to " + std::to_string(most * chosen->series.size()) +
                    " captures take too long; ask for fewer series, or for a smaller max_points");
    return error_response(question.status());
  }
  const ColumnsForm form = format == "json" ? ColumnsForm::kJson : ColumnsForm::kBinary;
  const Status size = check_size(*chosen, most, kNumbers, form);
  if (!size.ok()) return error_response(size);
  ColumnsWriter columns(form);
  columns.meta().key("series");
  columns.meta().begin_array();
  for (const query::ChosenSeries& each : chosen->series) {
    const query::Run& run = chosen->runs[each.run];
    const Result<StatsColumns> found = query::stats(run, each.tag, selection, percentiles, most);
    if (found.status().code() == StatusCode::kNotFound) continue;
    if (!found.ok()) return error_response(found.status());
    put_series(columns, run.name, each.tag, found.value());
  }
  columns.meta().end_array();
  return columns_response(columns, form);
}

}  // namespace

void add_stats_routes(Router& router, ServedLogs& logs) { add_route(router, logs, "stats", stats); }

}  // namespace tensortap::server
