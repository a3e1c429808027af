// Hyperparameters: those of all runs, as a table with a column for each.
#include <map>
#include <set>

#include "format/number_text.h"
#include "query/media.h"
#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using query::RunHParams;

struct RunRow {
  std::string run;
  RunHParams hparams;
};

std::vector<RunRow> rows_of(const query::Runs& runs) {
  std::vector<RunRow> rows;
  for (const query::Run& run : runs.all()) {
    Result<std::optional<RunHParams>> found = query::hparams(run);
    // A damaged record takes only its own run away.
    if (found.ok() && found->has_value()) rows.push_back({run.name, std::move(**found)});
  }
  return rows;
}

std::set<std::string> names_of(const std::vector<RunRow>& rows) {
  std::set<std::string> names;
  for (const RunRow& row : rows) {
    for (const auto& [name, value] : row.hparams.values) names.insert(name);
  }
  return names;
}

void put_time(JsonWriter& json, std::string_view name, double secs) {
  secs == 0 ? json.null_member(name) : json.member(name, secs);
}

void put_row(JsonWriter& json, const RunRow& row) {
  const RunHParams& hparams = row.hparams;
  json.begin_object();
  json.member("run", row.run);
  json.member("group", hparams.group);
  put_time(json, "start_time", hparams.start_secs);
  put_time(json, "end_time", hparams.end_secs);
  hparams.success.has_value() ? json.member("success", *hparams.success) : json.null_member("success");
  json.key("values");
  json.begin_object();
  for (const auto& [name, value] : hparams.values) {
    json.key(name);
    std::visit([&](const auto& of) { json.value(of); }, value);
  }
  json.end_object();
  json.end_object();
}

// One hyperparameter over all runs: a column of numbers where they all are, of text otherwise.
void add_column(SmallTable& table, const std::string& name, const std::vector<RunRow>& rows) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::vector<std::uint8_t> valid;
  bool all_numbers = true;
  for (const RunRow& row : rows) {
    const auto found = row.hparams.values.find(name);
    valid.push_back(found != row.hparams.values.end() ? 1 : 0);
    numbers.push_back(0);
    texts.emplace_back();
    if (valid.back() == 0) continue;
    const HParam& value = found->second;
    if (const double* number = std::get_if<double>(&value)) {
      numbers.back() = *number;
      format::append_number(texts.back(), *number);
      continue;
    }
    all_numbers = false;
    const bool* yes = std::get_if<bool>(&value);
    texts.back() = yes == nullptr ? std::get<std::string>(value) : *yes ? "true" : "false";
  }
  if (all_numbers) {
    table.add_nullable(name, ColumnType::kFloat64, std::move(numbers), std::move(valid));
  } else {
    table.add_nullable(name, ColumnType::kText, std::move(texts), std::move(valid));
  }
}

Response as_csv(const std::vector<RunRow>& rows) {
  std::vector<std::string> runs, groups, success;
  std::vector<double> starts, ends;
  std::vector<std::uint8_t> started, ended, known;
  for (const RunRow& row : rows) {
    runs.push_back(row.run);
    groups.push_back(row.hparams.group);
    starts.push_back(row.hparams.start_secs);
    started.push_back(row.hparams.start_secs == 0 ? 0 : 1);
    ends.push_back(row.hparams.end_secs);
    ended.push_back(row.hparams.end_secs == 0 ? 0 : 1);
    success.emplace_back(row.hparams.success.value_or(false) ? "true" : "false");
    known.push_back(row.hparams.success.has_value() ? 1 : 0);
  }
  SmallTable table;
  table.add("run", ColumnType::kText, std::move(runs));
  table.add("group", ColumnType::kText, std::move(groups));
  table.add_nullable("start_time", ColumnType::kTimestamp, std::move(starts), std::move(started));
  table.add_nullable("end_time", ColumnType::kTimestamp, std::move(ends), std::move(ended));
  table.add_nullable("success", ColumnType::kText, std::move(success), std::move(known));
  for (const std::string& name : names_of(rows)) add_column(table, name, rows);
  return csv_response(std::move(table).cursor(rows.size()), "hparams");
}

Response hparams(const Request& request, const ServedLogs& logs) {
  Question question(request, {"format"});
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  const std::vector<RunRow> rows = rows_of(*logs.current());
  if (format == "csv") return as_csv(rows);
  JsonWriter json;
  json.begin_object();
  json.list("names", names_of(rows));
  json.key("runs");
  json.begin_array();
  for (const RunRow& row : rows) put_row(json, row);
  json.end_array();
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_hparams_routes(Router& router, ServedLogs& logs) { add_route(router, logs, "hparams", hparams); }

}  // namespace tensortap::server
