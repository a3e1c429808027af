// Runs: what there is, without its values: status, runs, tags, series, steps.
#include "query/runs.h"

#include "query/catalog.h"
#include "query/places.h"
#include "query/tables.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"
#include "tensortap/version.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using query::RunInfo;
using query::SeriesInfo;

Response status(const Request& request, const ServedLogs& logs) {
  const Question question(request, {});
  if (!question.status().ok()) return error_response(question.status());
  const LoadState load = logs.load_state();
  const std::uint64_t revision = logs.revision();
  const auto runs = logs.current();
  std::uint64_t live = 0;
  for (const query::Run& run : runs->all()) live += query::run_state(run) == query::RunState::kLive ? 1 : 0;
  JsonWriter json;
  json.begin_object();
  json.member("version", TENSORTAP_VERSION);
  json.member("log_directory", logs.directory());
  json.member("started", logs.started_secs());
  json.member("revision", revision);
  json.member("loading", load.loading);
  json.member("read_bytes", load.read_bytes);
  json.member("total_bytes", load.total_bytes);
  json.member("runs", runs->all().size());
  json.member("live_runs", live);
  json.member("follow_links", logs.follows_links());
  json.end_object();
  return json_response(json);
}

void put_seconds(JsonWriter& json, std::string_view name, const std::optional<double>& secs) {
  json.key(name);
  secs ? json.value(*secs) : json.null();
}

void put_run(JsonWriter& json, const RunInfo& info) {
  json.begin_object();
  json.member("name", info.name);
  json.member("state", query::run_state_name(info.state));
  json.list("directories", info.directories);
  json.member("first_wall_time", info.first_wall_secs);
  json.member("last_wall_time", info.last_wall_secs);
  json.member("last_step", info.last_step);
  json.member("size_bytes", info.size_bytes);
  json.member("files", info.files);
  json.member("records", info.records);
  json.member("tags", info.tags);
  json.member("points", info.points);
  json.member("damaged_places", info.damaged_places);
  json.member("dropped", info.dropped);
  put_seconds(json, "caller_seconds", info.caller_secs);
  put_seconds(json, "worker_seconds", info.worker_secs);
  json.key("kinds");
  json.begin_array();
  for (store::Kind kind : info.kinds) json.value(store::kind_name(kind));
  json.end_array();
  json.end_object();
}

Response csv_table(const ServedLogs& logs, query::TableRequest request, const std::string& name) {
  auto table = query::open_table(logs.current(), request);
  return table.ok() ? csv_response(std::move(*table), name) : error_response(table.status());
}

Response runs(const Request& request, const ServedLogs& logs) {
  Question question(request, {"format"});
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  if (format == "csv") return csv_table(logs, {"runs"}, "runs");
  JsonWriter json;
  json.begin_object();
  json.member("revision", logs.revision());
  json.key("runs");
  json.begin_array();
  const auto current = logs.current();
  for (const query::Run& run : current->all()) put_run(json, query::run_info(run));
  json.end_array();
  json.end_object();
  return json_response(json);
}

Response tags_as_csv(const std::vector<query::CatalogTag>& tags) {
  std::vector<std::string> names, kinds;
  std::vector<std::uint64_t> runs, counts;
  std::vector<std::int64_t> first_steps, last_steps;
  for (const query::CatalogTag& tag : tags) {
    names.push_back(tag.tag);
    kinds.emplace_back(store::kind_name(tag.kind));
    runs.push_back(0);
    for (const query::RunRange& range : tag.runs) runs.back() += range.last - range.first + 1;
    counts.push_back(tag.count);
    first_steps.push_back(tag.first_step);
    last_steps.push_back(tag.last_step);
  }
  SmallTable table;
  table.add("tag", ColumnType::kText, std::move(names));
  table.add("kind", ColumnType::kText, std::move(kinds));
  table.add("runs", ColumnType::kUint64, std::move(runs));
  table.add("count", ColumnType::kUint64, std::move(counts));
  table.add("first_step", ColumnType::kInt64, std::move(first_steps));
  table.add("last_step", ColumnType::kInt64, std::move(last_steps));
  return csv_response(std::move(table).cursor(tags.size()), "tags");
}

void put_tag(JsonWriter& json, const query::CatalogTag& tag) {
  json.begin_object();
  json.member("tag", tag.tag);
  json.member("kind", store::kind_name(tag.kind));
  json.key("runs");
  json.begin_array();
  for (const query::RunRange& range : tag.runs) json.list(std::vector<std::size_t>{range.first, range.last});
  json.end_array();
  json.member("count", tag.count);
  json.member("first_step", tag.first_step);
  json.member("last_step", tag.last_step);
  json.end_object();
}

Response tags(const Request& request, const ServedLogs& logs) {
  Question question(request, {"kind", "format"});
  const auto kind = question.kind();
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  const std::uint64_t revision = logs.revision();
  const auto runs = logs.current();
  const std::vector<query::CatalogTag> all = query::catalog(runs->all(), kind);
  if (format == "csv") return tags_as_csv(all);
  JsonWriter json;
  json.begin_object();
  json.member("revision", revision);
  json.key("runs");
  json.begin_array();
  for (const query::Run& run : runs->all()) json.value(run.name);
  json.end_array();
  json.key("tags");
  json.begin_array();
  for (const query::CatalogTag& tag : all) put_tag(json, tag);
  json.end_array();
  json.end_object();
  return json_response(json);
}

void put_series(JsonWriter& json, const SeriesInfo& info) {
  json.begin_object();
  json.member("tag", info.tag);
  json.member("kind", store::kind_name(info.kind));
  json.member("count", info.count);
  json.member("first_step", info.first_step);
  json.member("last_step", info.last_step);
  json.member("last_wall_time", info.last_wall_secs);
  json.member("plugin", info.plugin);
  json.member("description", info.description);
  json.end_object();
}

Response series_as_csv(const std::string& run, const std::vector<SeriesInfo>& all) {
  std::vector<std::string> names, kinds;
  std::vector<std::uint64_t> counts;
  std::vector<std::int64_t> first_steps, last_steps;
  std::vector<double> times;
  for (const SeriesInfo& info : all) {
    names.push_back(info.tag);
    kinds.emplace_back(store::kind_name(info.kind));
    counts.push_back(info.count);
    first_steps.push_back(info.first_step);
    last_steps.push_back(info.last_step);
    times.push_back(info.last_wall_secs);
  }
  SmallTable table;
  table.add("run", ColumnType::kText, std::vector<std::string>(all.size(), run));
  table.add("tag", ColumnType::kText, std::move(names));
  table.add("kind", ColumnType::kText, std::move(kinds));
  table.add("count", ColumnType::kUint64, std::move(counts));
  table.add("first_step", ColumnType::kInt64, std::move(first_steps));
  table.add("last_step", ColumnType::kInt64, std::move(last_steps));
  table.add("last_wall_time", ColumnType::kTimestamp, std::move(times));
  return csv_response(std::move(table).cursor(all.size()), "series");
}

Response series(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "kind", "format"});
  const std::string name = question.text("run");
  const auto kind = question.kind();
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  Result<query::Run> run = logs.current()->find(name);
  if (!run.ok()) return error_response(run.status());
  const std::vector<SeriesInfo> all = query::list_series(*run, kind);
  if (format == "csv") return series_as_csv(run->name, all);
  JsonWriter json;
  json.begin_object();
  json.member("run", run->name);
  json.key("series");
  json.begin_array();
  for (const SeriesInfo& info : all) put_series(json, info);
  json.end_array();
  json.end_object();
  return json_response(json);
}

std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::kTrain: return "train";
    case Phase::kVal: return "val";
    case Phase::kPredict: return "predict";
    case Phase::kNone: break;
  }
  return "";
}

Response steps_as_csv(const std::vector<query::Place>& places) {
  std::vector<std::int64_t> steps;
  std::vector<double> times;
  std::vector<std::string> phases;
  std::vector<std::uint64_t> sequences;
  for (const query::Place& place : places) {
    steps.push_back(place.entry.step);
    times.push_back(place.entry.wall_secs);
    phases.emplace_back(phase_name(place.entry.phase));
    sequences.push_back(place.entry.sequence);
  }
  SmallTable table;
  table.add("step", ColumnType::kInt64, std::move(steps));
  table.add("wall_time", ColumnType::kTimestamp, std::move(times));
  table.add("phase", ColumnType::kText, std::move(phases));
  table.add("sequence", ColumnType::kUint64, std::move(sequences));
  return csv_response(std::move(table).cursor(places.size()), "steps");
}

Response steps(const Request& request, const ServedLogs& logs) {
  Question question(request, {"run", "tag", "kind", "first_step", "last_step", "raw", "format"});
  const std::string format = question.word("format", {"json", "csv"});
  const std::string name = question.text("run"), tag = question.text("tag");
  question.text("kind");
  const auto kind = question.kind();
  const query::Selection selection = question.selection();
  if (kind == store::Kind::kScalars) question.refuse("the steps of scalars are those of /api/v1/scalars");
  if (!question.status().ok()) return error_response(question.status());
  Result<query::Run> run = logs.current()->find(name);
  if (!run.ok()) return error_response(run.status());
  const auto found = query::places(*run, tag, *kind, selection);
  if (!found.ok()) return error_response(found.status());
  const std::vector<query::Place>& places = found.value();
  if (format == "csv") return steps_as_csv(places);
  const auto list = [&](JsonWriter& json, std::string_view key, const auto& of) {
    json.key(key);
    json.begin_array();
    for (const query::Place& place : places) json.value(of(place.entry));
    json.end_array();
  };
  JsonWriter json;
  json.begin_object();
  list(json, "steps", [](const store::Entry& entry) { return entry.step; });
  list(json, "wall_times", [](const store::Entry& entry) { return entry.wall_secs; });
  list(json, "phases", [](const store::Entry& entry) { return phase_name(entry.phase); });
  list(json, "sequences", [](const store::Entry& entry) { return entry.sequence; });
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_run_routes(Router& router, ServedLogs& logs) {
  add_route(router, logs, "status", status);
  add_route(router, logs, "runs", runs);
  add_route(router, logs, "tags", tags);
  add_route(router, logs, "series", series);
  add_route(router, logs, "steps", steps);
}

}  // namespace tensortap::server
