// Health: which files are whole, and what is wrong with the others.
#include "query/health.h"

#include "server/http/routes/answers.h"
#include "server/http/routes/question.h"
#include "server/http/routes/route_groups.h"

namespace tensortap::server {
namespace {

using format::JsonWriter;
using query::FileReport;
using store::TailKind;

std::string_view tail_name(TailKind kind) {
  switch (kind) {
    case TailKind::kNone: return "none";
    case TailKind::kTorn: return "torn";
    case TailKind::kZeroes: return "zeroes";
    case TailKind::kUnreadable: break;
  }
  return "unreadable";
}

std::string_view kind_name(store::RunFileKind kind) {
  return kind == store::RunFileKind::kEvents ? "events" : "captures";
}

// Below the log directory: where that is, is nobody's business but its owner's.
class RelativePaths {
 public:
  RelativePaths(const ServedLogs& logs, const store::Snapshot& snapshot)
      : root_((snapshot.files.empty() ? logs.directory() : snapshot.files.front()->file().root) + "/") {}
  std::string operator()(const std::string& path) const {
    return path.starts_with(root_) ? path.substr(root_.size()) : path;
  }

 private:
  const std::string root_;
};

void put_writer(JsonWriter& json, const store::CaptureWriter& writer) {
  json.key("writer");
  json.begin_object();
  json.member("name", writer.name);
  json.member("host", writer.host);
  json.member("process_id", writer.process_id);
  json.end_object();
}

void put_file(JsonWriter& json, const FileReport& file, const RelativePaths& relative) {
  json.begin_object();
  json.member("path", relative(file.path));
  json.member("run", file.run);
  json.member("kind", kind_name(file.kind));
  json.member("size_bytes", file.size_bytes);
  json.member("records", file.records);
  json.member("damaged_places", file.damaged_places);
  json.member("damaged_bytes", file.damaged_bytes);
  json.key("damage");
  json.begin_array();
  for (const store::Damage& damage : file.damage) {
    json.begin_object();
    json.member("offset", damage.offset);
    json.member("bytes", damage.size_bytes);
    json.member("reason", damage.reason);
    json.end_object();
  }
  json.end_array();
  json.key("tail");
  json.begin_object();
  json.member("state", tail_name(file.tail.kind));
  json.member("bytes", file.tail.size_bytes);
  json.end_object();
  json.member("settled", file.settled);
  json.member("dropped", file.dropped);
  json.member("error", file.error);
  json.member("damaged", file.damaged());
  if (file.writer.has_value()) put_writer(json, *file.writer);
  json.end_object();
}

Response as_csv(const query::HealthReport& report, const RelativePaths& relative) {
  std::vector<std::string> paths, runs, kinds, tails, errors, damaged;
  std::vector<std::uint64_t> sizes, records, places, bytes, tail_bytes, dropped;
  for (const FileReport& file : report.files) {
    paths.push_back(relative(file.path));
    runs.push_back(file.run);
    kinds.emplace_back(kind_name(file.kind));
    sizes.push_back(file.size_bytes);
    records.push_back(file.records);
    places.push_back(file.damaged_places);
    bytes.push_back(file.damaged_bytes);
    tails.emplace_back(tail_name(file.tail.kind));
    tail_bytes.push_back(file.tail.size_bytes);
    dropped.push_back(file.dropped);
    errors.push_back(file.error);
    damaged.emplace_back(file.damaged() ? "true" : "false");
  }
  SmallTable table;
  table.add("path", ColumnType::kText, std::move(paths));
  table.add("run", ColumnType::kText, std::move(runs));
  table.add("kind", ColumnType::kText, std::move(kinds));
  table.add("size_bytes", ColumnType::kUint64, std::move(sizes));
  table.add("records", ColumnType::kUint64, std::move(records));
  table.add("damaged_places", ColumnType::kUint64, std::move(places));
  table.add("damaged_bytes", ColumnType::kUint64, std::move(bytes));
  table.add("tail", ColumnType::kText, std::move(tails));
  table.add("tail_bytes", ColumnType::kUint64, std::move(tail_bytes));
  table.add("dropped", ColumnType::kUint64, std::move(dropped));
  table.add("error", ColumnType::kText, std::move(errors));
  table.add("damaged", ColumnType::kText, std::move(damaged));
  return csv_response(std::move(table).cursor(report.files.size()), "health");
}

Response health(const Request& request, const ServedLogs& logs) {
  Question question(request, {"format"});
  const std::string format = question.word("format", {"json", "csv"});
  if (!question.status().ok()) return error_response(question.status());
  const auto runs = logs.current();
  const query::HealthReport report = query::health(runs->snapshot());
  const RelativePaths relative(logs, runs->snapshot());
  if (format == "csv") return as_csv(report, relative);
  JsonWriter json;
  json.begin_object();
  json.member("records", report.records);
  json.member("damaged_files", report.damaged_files);
  json.key("files");
  json.begin_array();
  for (const FileReport& file : report.files) put_file(json, file, relative);
  json.end_array();
  json.key("skipped");
  json.begin_array();
  for (const store::UnreadablePath& path : report.skipped) {
    json.begin_object();
    json.member("path", relative(path.path));
    json.member("reason", path.reason);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json_response(json);
}

}  // namespace

void add_health_routes(Router& router, ServedLogs& logs) { add_route(router, logs, "health", health); }

}  // namespace tensortap::server
