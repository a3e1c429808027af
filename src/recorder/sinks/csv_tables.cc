// CsvTables: finds the file that has the columns, or a number for a new one.
#include "recorder/sinks/csv_tables.h"

#include <utility>

#include "base/try.h"
#include "format/csv_lines.h"

namespace tensortap::recorder {
namespace {

constexpr int kMaxNumber = 10'000;

}  // namespace

void CsvTables::begin(std::string directory, bool resumes) {
  directory_ = std::move(directory);
  resumes_ = resumes;
}

Result<CsvFile*> CsvTables::table(const std::string& subject, const std::string& stem, const std::string& heads) {
  const std::string key = subject + "\n" + stem + "\n" + heads;
  const auto known = tables_.find(key);
  if (known != tables_.end()) return known->second.get();
  Result<std::unique_ptr<CsvFile>> opened = open(stem, heads);
  if (!opened.ok()) return opened.status();
  return tables_.emplace(key, std::move(*opened)).first->second.get();
}

Result<std::unique_ptr<CsvFile>> CsvTables::open(const std::string& stem, const std::string& heads) {
  for (int number = 1; number < kMaxNumber; ++number) {
    const std::string path =
        directory_ + "/" + stem + (number == 1 ? std::string() : "-" + std::to_string(number)) + ".csv";
    if (taken_.contains(path)) continue;
    auto file = std::make_unique<CsvFile>(files_, path);
    const Status opened = open_one(*file, heads);
    if (opened.code() == StatusCode::kNotFound) continue;
    if (!opened.ok()) return opened;
    if (number > 1) notes_.push_back(directory_ + "/" + stem + ".csv has other columns; writing to " + path);
    taken_.insert(path);
    return file;
  }
  return Status(StatusCode::kIo, directory_ + " holds too many files like " + stem + ".csv");
}

Status CsvTables::open_one(CsvFile& file, const std::string& heads) {
  const Status created = file.create(heads);
  if (created.code() != StatusCode::kInvalidArgument) return created;  // made, or impossible
  if (!resumes_) return Status(StatusCode::kNotFound, file.path() + " is there already");
  const Status resumed = file.resume();
  if (resumed.code() == StatusCode::kNotFound) return file.create(heads);
  if (resumed.code() == StatusCode::kInvalidArgument) return Status(StatusCode::kNotFound, resumed.message());
  TENSORTAP_TRY(resumed);
  if (format::csv_raw_cells(file.heads()) == format::csv_raw_cells(heads)) return {};
  TENSORTAP_TRY(file.close());
  return Status(StatusCode::kNotFound, file.path() + " has other columns");
}

Status CsvTables::sync() {
  Status first;
  for (const auto& [key, file] : tables_) {
    if (Status status = file->sync(); first.ok()) first = status;
  }
  return first;
}

Status CsvTables::close() {
  Status first;
  for (const auto& [key, file] : tables_) {
    if (Status status = file->close(); first.ok()) first = status;
  }
  return first;
}

}  // namespace tensortap::recorder
