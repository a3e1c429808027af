// CsvTables: tables of given columns, each in a file of its own.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "recorder/sinks/csv_file.h"

namespace tensortap::recorder {

// Lines of different columns never share a file: where a file has others, the next number is taken (stats-2.csv).
//
// Threads:  one at a time.
// Failure:  kIo, by path.
// Lifetime: the file system outlives it.
class CsvTables {
 public:
  explicit CsvTables(FileSystem& file_system) : files_(file_system) {}

  // `resumes`: files of the same columns that are there are gone on with.
  void begin(std::string directory, bool resumes);

  // The file for lines of `heads`, which are about `subject`: <stem>.csv, made if need be.
  Result<CsvFile*> table(const std::string& subject, const std::string& stem, const std::string& heads);

  // Which tables got a number, and why.
  const std::vector<std::string>& notes() const { return notes_; }
  Status sync();
  Status close();

 private:
  Result<std::unique_ptr<CsvFile>> open(const std::string& stem, const std::string& heads);
  // kNotFound: the file is another's.
  Status open_one(CsvFile& file, const std::string& heads);

  FileSystem& files_;
  std::string directory_;
  bool resumes_ = false;
  std::map<std::string, std::unique_ptr<CsvFile>> tables_;
  std::set<std::string> taken_;
  std::vector<std::string> notes_;
};

}  // namespace tensortap::recorder
