// Scalars: curves, and the last value of each.
#include "query/scalars.h"

#include "query/choice.h"
#include "query/latest.h"
#include "query/tables.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"
#include "server/http/routes/series_choice.h"

namespace tensortap::server {
namespace {

using format::ColumnsForm;
using format::ColumnsWriter;
using query::ScalarPoints;
using query::ScalarSeries;

constexpr store::Kind kKinds[] = {store::Kind::kScalars};
constexpr std::uint64_t kUsualPoints = 1000;
constexpr std::uint64_t kMostPoints = 100'000'000;

struct ScalarQuestion {
  std::vector<std::string> runs, tags;
  query::ScalarRequest request;
  bool wall_time = false;
  bool thinned = false;  // max_points was given
  std::string format;
};

ScalarQuestion read(Question& question) {
  ScalarQuestion asked;
  asked.runs = question.any_texts("run");
  asked.tags = question.texts("tag");
  asked.request.selection = question.selection();
  asked.request.max_points = question.number("max_points", kUsualPoints, 0, kMostPoints);
  asked.wall_time = question.flag("wall_time");
  asked.thinned = question.has("max_points") && asked.request.max_points > 0;
  asked.format = question.word("format", {"columns", "json", "csv"});
  return asked;
}

void put_series(ColumnsWriter& columns, const std::string& run, const std::string& tag, const ScalarSeries& series,
                bool wall_time) {
  format::JsonWriter& meta = columns.meta();
  meta.begin_object();
  meta.member("run", run);
  meta.member("tag", tag);
  columns.column("step", series.points.step);
  columns.column("value", series.points.value);
  if (wall_time) columns.column("wall_time", series.points.wall_secs);
  columns.column("bad_step", series.non_finite.step);
  columns.column("bad_value", series.non_finite.value);
  if (wall_time) columns.column("bad_wall_time", series.non_finite.wall_secs);
  meta.member("total_points", series.total_points);
  meta.member("total_non_finite", series.total_non_finite);
  meta.member("replaced_points", series.replaced_points);
  meta.end_object();
}

Response as_columns(const ServedLogs& logs, const ScalarQuestion& asked) {
  Result<SeriesChoice> chosen = choose(logs, asked.runs, asked.tags, kKinds);
  if (!chosen.ok()) return error_response(chosen.status());
  const ColumnsForm form = asked.format == "json" ? ColumnsForm::kJson : ColumnsForm::kBinary;
  const Status size = check_size(*chosen, asked.request.max_points, asked.wall_time ? 3 : 2, form);
  if (!size.ok()) return error_response(size);
  ColumnsWriter columns(form);
  columns.meta().key("series");
  columns.meta().begin_array();
  for (const query::ChosenSeries& each : chosen->series) {
    const query::Run& run = chosen->runs[each.run];
    const Result<ScalarSeries> series = query::scalars(run, each.tag, asked.request);
    // A file that was replaced meanwhile may have it no more.
    if (series.status().code() == StatusCode::kNotFound) continue;
    if (!series.ok()) return error_response(series.status());
    put_series(columns, run.name, each.tag, series.value(), asked.wall_time);
  }
  columns.meta().end_array();
  return columns_response(columns, form);
}

Response thinned_as_csv(const ServedLogs& logs, const ScalarQuestion& asked) {
  Result<SeriesChoice> chosen = choose(logs, asked.runs, asked.tags, kKinds);
  if (!chosen.ok()) return error_response(chosen.status());
  const Status size = check_size(*chosen, asked.request.max_points, 5, ColumnsForm::kBinary);
  if (!size.ok()) return error_response(size);
  std::vector<std::string> runs, tags;
  ScalarPoints points;
  for (const query::ChosenSeries& each : chosen->series) {
    const query::Run& run = chosen->runs[each.run];
    const Result<ScalarSeries> series = query::scalars(run, each.tag, asked.request);
    if (!series.ok()) continue;
    const ScalarPoints& found = series.value().points;
    runs.insert(runs.end(), found.size(), run.name);
    tags.insert(tags.end(), found.size(), each.tag);
    points.step.insert(points.step.end(), found.step.begin(), found.step.end());
    points.wall_secs.insert(points.wall_secs.end(), found.wall_secs.begin(), found.wall_secs.end());
    points.value.insert(points.value.end(), found.value.begin(), found.value.end());
  }
  const std::size_t rows = points.size();
  SmallTable table;
  table.add("run", ColumnType::kText, std::move(runs));
  table.add("tag", ColumnType::kText, std::move(tags));
  table.add("step", ColumnType::kInt64, std::move(points.step));
  table.add("wall_time", ColumnType::kTimestamp, std::move(points.wall_secs));
  table.add("value", ColumnType::kFloat64, std::move(points.value));
  return csv_response(std::move(table).cursor(rows), "scalars");
}

Response scalars(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run*", "tag*", "first_step", "last_step", "max_points", "wall_time", "raw", "format"});
  const ScalarQuestion asked = read(question);
  if (!question.status().ok()) return error_response(question.status());
  if (asked.format != "csv") return as_columns(logs, asked);
  if (asked.thinned) return thinned_as_csv(logs, asked);
  return named_table(logs, "scalars", asked.runs, asked.tags, asked.request.selection);
}

void put_latest(format::JsonWriter& json, const std::string& run, const query::LatestScalar& row) {
  const bool has_finite = row.non_finite < row.count;
  json.begin_object();
  json.member("run", run);
  json.member("tag", row.tag);
  json.member("count", row.count);
  json.member("last_step", row.last_step);
  json.member("last_value", row.last_value);
  json.member("last_wall_time", row.last_wall_secs);
  for (const auto& [name, value, step] :
       {std::tuple("min", row.min, row.min_step), std::tuple("max", row.max, row.max_step)}) {
    const std::string step_name = std::string(name) + "_step";
    if (has_finite) {
      json.member(name, value);
      json.member(step_name, step);
    } else {
      json.null_member(name);
      json.null_member(step_name);
    }
  }
  json.member("non_finite", row.non_finite);
  json.end_object();
}

Response latest_as_csv(const std::vector<query::Run>& runs, const std::vector<query::LatestScalar>& rows) {
  std::vector<std::string> names, tags;
  std::vector<std::uint64_t> counts, non_finite;
  std::vector<std::int64_t> last_steps, min_steps, max_steps;
  std::vector<double> last_values, last_times, least, greatest;
  std::vector<std::uint8_t> finite;
  for (const query::LatestScalar& row : rows) {
    names.push_back(runs[row.run].name);
    tags.push_back(row.tag);
    counts.push_back(row.count);
    last_steps.push_back(row.last_step);
    last_values.push_back(row.last_value);
    last_times.push_back(row.last_wall_secs);
    least.push_back(row.min);
    min_steps.push_back(row.min_step);
    greatest.push_back(row.max);
    max_steps.push_back(row.max_step);
    non_finite.push_back(row.non_finite);
    finite.push_back(row.non_finite < row.count ? 1 : 0);
  }
  SmallTable table;
  table.add("run", ColumnType::kText, std::move(names));
  table.add("tag", ColumnType::kText, std::move(tags));
  table.add("count", ColumnType::kUint64, std::move(counts));
  table.add("last_step", ColumnType::kInt64, std::move(last_steps));
  table.add("last_value", ColumnType::kFloat64, std::move(last_values));
  table.add("last_wall_time", ColumnType::kTimestamp, std::move(last_times));
  table.add_nullable("min", ColumnType::kFloat64, std::move(least), finite);
  table.add_nullable("min_step", ColumnType::kInt64, std::move(min_steps), finite);
  table.add_nullable("max", ColumnType::kFloat64, std::move(greatest), finite);
  table.add_nullable("max_step", ColumnType::kInt64, std::move(max_steps), finite);
  table.add("non_finite", ColumnType::kUint64, std::move(non_finite));
  return csv_response(std::move(table).cursor(rows.size()), "latest");
}

Response latest(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run*", "tag*", "format"});
  const std::vector<std::string> names = question.any_texts("run"), tags = question.any_texts("tag");
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  Result<std::vector<query::Run>> runs = query::choose_runs(*logs.current(), names);
  if (!runs.ok()) return error_response(runs.status());
  const std::vector<query::LatestScalar> rows = query::latest(*runs, tags);
  if (format == "csv") return latest_as_csv(*runs, rows);
  format::JsonWriter json;
  json.begin_object();
  json.key("rows");
  json.begin_array();
  for (const query::LatestScalar& row : rows) put_latest(json, (*runs)[row.run].name, row);
  json.end_array();
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_scalar_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "scalars", scalars);
  add_route(router, logs, "latest", latest);
}

}  // namespace tensortap::server
