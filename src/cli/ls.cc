// ls: what there is, as a table or as JSON. Nothing here looks at points: it costs what loading costs.
//
//   {"path": text, "runs": [{"name", "state", "directories", "first_wall_time", "last_wall_time", "last_step",
//    "size_bytes", "files", "records", "tags", "points", "kinds", "damaged_places", "dropped"}],
//    "skipped": [{"path", "reason"}], "points": of all runs, "series": tags of all runs}
//   {"path", "run", "series": [{"tag", "kind", "count", "first_step", "last_step", "last_wall_time", "plugin",
//    "description"}]}
// Wall times are seconds since 1970, null when there are none.
#include "cli/ls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/glob.h"
#include "cli/exit_code.h"
#include "cli/json_out.h"
#include "cli/kind_option.h"
#include "cli/open_logs.h"
#include "cli/skipped_paths.h"
#include "cli/table_print.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "query/runs.h"

namespace tensortap::cli {
namespace {

struct LsOptions {
  LogsOptions logs;
  std::string run;
  std::string run_glob;
  std::string tag_glob;
  std::string kind_name;
  bool json = false;
};

bool has_tag(const query::Run& run, const std::string& glob, std::optional<store::Kind> kind) {
  const auto tags = query::list_tags(run, kind);
  return std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) { return glob_matches(glob, tag); });
}

std::vector<query::RunInfo> chosen_runs(const query::Runs& runs, const LsOptions& options,
                                        std::optional<store::Kind> kind) {
  std::vector<query::RunInfo> infos;
  for (const query::Run& run : runs.all()) {
    if (!options.run_glob.empty() && !glob_matches(options.run_glob, run.name)) continue;
    if (!options.tag_glob.empty() && !has_tag(run, options.tag_glob, kind)) continue;
    query::RunInfo info = query::run_info(run);
    if (kind && std::find(info.kinds.begin(), info.kinds.end(), *kind) == info.kinds.end()) continue;
    infos.push_back(std::move(info));
  }
  return infos;
}

std::vector<query::SeriesInfo> chosen_series(const query::Run& run, const LsOptions& options,
                                             std::optional<store::Kind> kind) {
  std::vector<query::SeriesInfo> series = query::list_series(run, kind);
  if (options.tag_glob.empty()) return series;
  std::erase_if(series, [&](const query::SeriesInfo& each) { return !glob_matches(options.tag_glob, each.tag); });
  return series;
}

void wall_time(JsonOut& json, std::string_view name, double wall_secs) {
  json.key(name);
  wall_secs == 0 ? json.null() : json.value(wall_secs);
}

void put_seconds(JsonOut& json, std::string_view name, const std::optional<double>& secs) {
  json.key(name);
  secs ? json.value(*secs) : json.null();
}

void put_run(JsonOut& json, const query::RunInfo& info) {
  json.begin_object();
  json.member("name", info.name);
  json.member("state", query::run_state_name(info.state));
  json.list("directories", info.directories);
  wall_time(json, "first_wall_time", info.first_wall_secs);
  wall_time(json, "last_wall_time", info.last_wall_secs);
  json.member("last_step", info.last_step);
  json.member("size_bytes", info.size_bytes);
  json.member("files", info.files);
  json.member("records", info.records);
  json.member("tags", info.tags);
  json.member("points", info.points);
  json.key("kinds");
  json.begin_array();
  for (const store::Kind kind : info.kinds) json.value(store::kind_name(kind));
  json.end_array();
  json.member("damaged_places", info.damaged_places);
  json.member("dropped", info.dropped);
  put_seconds(json, "caller_seconds", info.caller_secs);
  put_seconds(json, "worker_seconds", info.worker_secs);
  json.end_object();
}

void print_runs_json(const std::string& path, const std::vector<query::RunInfo>& runs,
                     const std::vector<store::UnreadablePath>& skipped) {
  JsonOut json;
  std::uint64_t points = 0, series = 0;
  json.begin_object(JsonLayout::kLines);
  json.member("path", path);
  json.key("runs");
  json.begin_array(JsonLayout::kLines);
  for (const query::RunInfo& info : runs) {
    put_run(json, info);
    points += info.points;
    series += info.tags;
  }
  json.end_array();
  put_skipped(json, skipped);
  json.member("points", points);
  json.member("series", series);
  json.end_object();
}

std::string marks(const query::RunInfo& info) {
  std::string text;
  if (info.damaged_places > 0) text = counted(info.damaged_places, "damaged place", "damaged places");
  if (info.dropped > 0) text += (text.empty() ? "" : ", ") + count_text(info.dropped) + " dropped";
  return text;
}

void print_runs(const std::string& path, const std::vector<query::RunInfo>& runs, bool is_filtered) {
  if (runs.empty() && is_filtered) {
    fmt::print("no run of {} is like that\n", visible_text(path));
  } else if (runs.empty()) {
    fmt::print("{0} holds no runs; record one with tensortap.Run(\"{0}/my-run\")\n", visible_text(path));
  }
  if (runs.empty()) return;
  const double now_secs = WallClock().now_secs();
  std::vector<std::vector<std::string>> rows;
  rows.reserve(runs.size());
  for (const query::RunInfo& info : runs) {
    rows.push_back({visible_text(info.name), std::string(query::run_state_name(info.state)),
                    std::to_string(info.last_step), count_text(info.tags), count_text(info.points),
                    size_text(info.size_bytes), age_text(info.last_wall_secs, now_secs), marks(info)});
  }
  print_table({{"RUN"},
               {"STATE"},
               {"LAST STEP", Align::kRight},
               {"TAGS", Align::kRight},
               {"POINTS", Align::kRight},
               {"SIZE", Align::kRight},
               {"LAST WRITTEN", Align::kRight},
               {""}},
              rows);
}

void print_series_json(const std::string& path, const std::string& run, const std::vector<query::SeriesInfo>& series) {
  JsonOut json;
  json.begin_object(JsonLayout::kLines);
  json.member("path", path);
  json.member("run", run);
  json.key("series");
  json.begin_array(JsonLayout::kLines);
  for (const query::SeriesInfo& each : series) {
    json.begin_object();
    json.member("tag", each.tag);
    json.member("kind", store::kind_name(each.kind));
    json.member("count", each.count);
    json.member("first_step", each.first_step);
    json.member("last_step", each.last_step);
    wall_time(json, "last_wall_time", each.last_wall_secs);
    json.member("plugin", each.plugin);
    json.member("description", each.description);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void print_series(const std::string& run, std::vector<query::SeriesInfo> series) {
  if (series.empty()) return fmt::print("run {} has no such tag\n", visible_text(run));
  std::stable_sort(series.begin(), series.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
  std::vector<std::vector<std::string>> rows;
  rows.reserve(series.size());
  for (const query::SeriesInfo& each : series) {
    rows.push_back({visible_text(each.tag), std::string(store::kind_name(each.kind)), count_text(each.count),
                    fmt::format("{}..{}", each.first_step, each.last_step)});
  }
  print_table({{"TAG"}, {"KIND"}, {"COUNT", Align::kRight}, {"STEPS", Align::kRight}}, rows);
}

int list_runs(const OpenedLogs& logs, const LsOptions& options, std::optional<store::Kind> kind) {
  const auto runs = chosen_runs(*logs.runs, options, kind);
  const auto skipped = skipped_paths(logs.runs->snapshot());
  if (options.json) {
    print_runs_json(options.logs.directory, runs, skipped);
  } else {
    print_runs(options.logs.directory, runs, kind || !options.run_glob.empty() || !options.tag_glob.empty());
    print_skipped("ls", skipped);
  }
  return kClean;
}

int list_series_of(const OpenedLogs& logs, const LsOptions& options, std::optional<store::Kind> kind) {
  auto run = logs.runs->find(options.run);
  if (!run.ok()) return fail("ls", run.status());
  auto series = chosen_series(*run, options, kind);
  if (options.json) {
    print_series_json(options.logs.directory, run->name, series);
  } else {
    print_series(run->name, std::move(series));
  }
  return kClean;
}

int run_ls(const LsOptions& options) {
  auto kind = parse_kind(options.kind_name);
  if (!kind.ok()) return fail("ls", kind.status());
  auto logs = open_logs(options.logs);
  if (!logs.ok()) return fail("ls", logs.status());
  const int code = options.run.empty() ? list_runs(*logs, options, *kind) : list_series_of(*logs, options, *kind);
  finish(std::move(*logs));
  return code;
}

}  // namespace

void add_ls(Program& program) {
  auto options = std::make_shared<LsOptions>();
  Command command = program.add("ls", "list runs, or the tags of a run",
                                "Example: tensortap ls runs\n"
                                "         tensortap ls runs a --kind scalars --tag 'train/**'",
                                [options] { return run_ls(*options); });
  describe_logs(command, &options->logs);
  command.optional_argument("RUN", &options->run, "list the tags of this run");
  command.option("--run", &options->run_glob, "GLOB", "only runs with such a name; * stops at /, ** does not");
  command.option("--tag", &options->tag_glob, "GLOB", "only tags with such a name, or runs that have one");
  command.option("--kind", &options->kind_name, "KIND", "only tags of this kind, or runs that have one");
  command.flag("--json", &options->json, "print JSON");
}

}  // namespace tensortap::cli
