// check: reads every file of every run and prints what is whole and what is not. Never believes the index cache.
//
//   {"files": [{"path", "run", "kind", "bytes", "records", "torn_tail_bytes", "zero_tail_bytes",
//    "unreadable_tail_bytes", "damaged_places", "damaged_bytes", "dropped", "damage": [{"offset", "bytes", "reason"}],
//    "error" if any}], "skipped": [{"path", "reason"}], "records", "damaged_files"}
// A path that is no file is skipped, said, and no damage: there is nothing in it that could be read.
#include "cli/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "cli/exit_code.h"
#include "cli/json_out.h"
#include "cli/open_logs.h"
#include "cli/skipped_paths.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "query/health.h"

namespace tensortap::cli {
namespace {

using query::FileReport;
using query::HealthReport;
using store::TailKind;

struct CheckOptions {
  LogsOptions logs;
  bool files_only = false;
  bool json = false;
};

std::uint64_t tail_bytes(const FileReport& file, TailKind kind) {
  return file.tail.kind == kind ? file.tail.size_bytes : 0;
}

std::string tail_text(const FileReport& file) {
  const std::string size = counted(file.tail.size_bytes, "byte", "bytes");
  switch (file.tail.kind) {
    case TailKind::kNone: return "";
    case TailKind::kTorn:
      return fmt::format("the last {} are an incomplete record: {}", size,
                         file.settled ? "its writer died" : "still being written, or cut off by a crash");
    case TailKind::kZeroes: return fmt::format("the last {} are zeroes: not written yet, or lost in a crash", size);
    case TailKind::kUnreadable: return fmt::format("the last {} are no records", size);
  }
  return "";
}

const char* state_word(const FileReport& file) {
  if (!file.error.empty()) return "unread";
  return file.damaged() ? "damaged" : "ok";
}

void print_file(const FileReport& file) {
  fmt::print("{:<8} {:>10} {:>9} records  {}\n", state_word(file), size_text(file.size_bytes), file.records,
             visible_text(file.path));
  constexpr const char* kBelow = "         {}\n";
  if (!file.error.empty()) fmt::print(kBelow, visible_text(file.error));
  for (const store::Damage& damage : file.damage) {
    fmt::print("         {} bytes at offset {}: {}\n", damage.size_bytes, damage.offset, visible_text(damage.reason));
  }
  if (file.damaged_places > file.damage.size()) {
    fmt::print("         and {} more places, {} in all\n", count_text(file.damaged_places - file.damage.size()),
               size_text(file.damaged_bytes));
  }
  if (file.tail.kind != TailKind::kNone) fmt::print(kBelow, tail_text(file));
  if (file.dropped > 0) fmt::print("         its writer dropped {}\n", counted(file.dropped, "capture", "captures"));
}

void print_text(const std::string& root, const HealthReport& report) {
  for (const FileReport& file : report.files) print_file(file);
  for (const store::UnreadablePath& path : report.skipped) {
    fmt::print("skipped  {}: {}\n", visible_text(path.path), visible_text(path.reason));
  }
  if (report.files.empty()) {
    fmt::print("{0} holds no runs; record one with tensortap.Run(\"{0}/my-run\")\n", visible_text(root));
    return;
  }
  fmt::print("{}, {}, {} damaged\n", counted(report.files.size(), "file", "files"),
             counted(report.records, "record", "records"), report.damaged_files);
  const bool has_damage = std::any_of(report.files.begin(), report.files.end(),
                                      [](const FileReport& file) { return file.damaged() && file.error.empty(); });
  if (has_damage) {
    fmt::print("`tensortap recover FILE --to FILE` saves what is whole in a damaged file\n");
  }
}

void put_file(JsonOut& json, const FileReport& file) {
  json.begin_object();
  json.member("path", file.path);
  json.member("run", file.run);
  json.member("kind", file.kind == store::RunFileKind::kEvents ? "events" : "captures");
  json.member("bytes", file.size_bytes);
  json.member("records", file.records);
  json.member("torn_tail_bytes", tail_bytes(file, TailKind::kTorn));
  json.member("zero_tail_bytes", tail_bytes(file, TailKind::kZeroes));
  json.member("unreadable_tail_bytes", tail_bytes(file, TailKind::kUnreadable));
  json.member("damaged_places", file.damaged_places);
  json.member("damaged_bytes", file.damaged_bytes);
  json.member("dropped", file.dropped);
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
  if (!file.error.empty()) json.member("error", file.error);
  json.end_object();
}

void print_json(const HealthReport& report) {
  JsonOut json;
  json.begin_object(JsonLayout::kLines);
  json.key("files");
  json.begin_array(JsonLayout::kLines);
  for (const FileReport& file : report.files) put_file(json, file);
  json.end_array();
  put_skipped(json, report.skipped);
  json.member("records", report.records);
  json.member("damaged_files", report.damaged_files);
  json.end_object();
}

int run_check(const CheckOptions& options) {
  auto logs = open_logs(options.logs, false);
  if (!logs.ok()) return fail("check", logs.status());
  const HealthReport report = query::health(logs->runs->snapshot());
  if (options.json) {
    print_json(report);
  } else {
    print_text(options.logs.directory, report);
  }
  finish(std::move(*logs));
  return report.damaged_files > 0 ? kDamaged : kClean;
}

}  // namespace

void add_check(Program& program) {
  auto options = std::make_shared<CheckOptions>();
  Command command = program.add("check", "say whether the recorded files are whole",
                                "Exit code: 0 whole, 2 wrong usage, 3 damaged.\nExample: tensortap check runs --files",
                                [options] { return run_check(*options); });
  describe_logs(command, &options->logs, false);
  command.flag("--files", &options->files_only, "check the files alone (the only check so far)");
  command.flag("--json", &options->json, "print JSON");
}

}  // namespace tensortap::cli
