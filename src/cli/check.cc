// check: reads every file of every run and prints what is whole and what is not.
#include "cli/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "store/file_health.h"
#include "store/run_files.h"

namespace tensortap::cli {
namespace {

// One file with what was found in it.
struct CheckedFile {
  store::RunFile file;
  store::FileHealth health;
  std::string error;  // it could not be read at all
  bool damaged() const { return !error.empty() || !health.damage.empty(); }
};

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double size = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

CheckedFile check(const store::RunFile& file) {
  auto health = store::check_file(file);
  if (health.ok()) return {file, std::move(*health), ""};
  return {file, {}, health.status().message()};
}

void print_text(const std::string& root, const std::vector<CheckedFile>& files,
                const std::vector<store::UnreadablePath>& unreadable) {
  std::uint64_t records = 0, damaged = 0;
  for (const CheckedFile& checked : files) {
    records += checked.health.records;
    damaged += checked.damaged() ? 1 : 0;
    fmt::print("{:<8} {:>10} {:>9} records  {}\n", checked.damaged() ? "damaged" : "ok",
               size_text(checked.health.size_bytes), checked.health.records, checked.file.path);
    if (!checked.error.empty()) fmt::print("         {}\n", checked.error);
    for (const store::Damage& damage : checked.health.damage) {
      fmt::print("         {} bytes at offset {}: {}\n", damage.size_bytes, damage.offset, damage.reason);
    }
    if (checked.health.torn_tail_bytes > 0) {
      fmt::print("         the last {} bytes are an incomplete record: still being written, or cut off by a crash\n",
                 checked.health.torn_tail_bytes);
    }
  }
  for (const store::UnreadablePath& path : unreadable) fmt::print("skipped  {}: {}\n", path.path, path.reason);
  if (files.empty()) {
    fmt::print("{} holds no runs; record one with tensortap.Run(\"{}/my-run\")\n", root, root);
    return;
  }
  fmt::print("{} files, {} records, {} damaged\n", files.size(), records, damaged);
}

void print_json(const std::vector<CheckedFile>& files, const std::vector<store::UnreadablePath>& unreadable) {
  using Json = nlohmann::ordered_json;
  Json out = {{"files", Json::array()}, {"skipped", Json::array()}};
  for (const CheckedFile& checked : files) {
    Json entry = {{"path", checked.file.path},
                  {"run", checked.file.run},
                  {"kind", checked.file.kind == store::RunFileKind::kEvents ? "events" : "captures"},
                  {"bytes", checked.health.size_bytes},
                  {"records", checked.health.records},
                  {"torn_tail_bytes", checked.health.torn_tail_bytes},
                  {"damage", Json::array()}};
    for (const store::Damage& damage : checked.health.damage) {
      entry["damage"].push_back({{"offset", damage.offset}, {"bytes", damage.size_bytes}, {"reason", damage.reason}});
    }
    if (!checked.error.empty()) entry["error"] = checked.error;
    out["files"].push_back(std::move(entry));
  }
  for (const store::UnreadablePath& path : unreadable) {
    out["skipped"].push_back({{"path", path.path}, {"reason", path.reason}});
  }
  // Paths on disk are bytes; what is not UTF-8 in them is shown as U+FFFD.
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

int run_check(const CheckOptions& options) {
  auto found = store::find_run_files(options.log_directory);
  if (!found.ok()) {
    fmt::print(stderr, "tensortap check: {}\n", found.status().message());
    return kUsage;
  }
  std::vector<CheckedFile> files;
  bool damaged = false;
  for (const store::RunFile& file : found->files) {
    files.push_back(check(file));
    damaged |= files.back().damaged();
  }
  if (options.json) {
    print_json(files, found->unreadable);
  } else {
    print_text(options.log_directory, files, found->unreadable);
  }
  return damaged ? kDamaged : kClean;
}

}  // namespace tensortap::cli
