// CsvFile: a CSV file that grows by whole lines, whose last line may still change, and which may get more columns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file.h"
#include "tensortap/result.h"

namespace tensortap::recorder {

// Lines that are kept, and behind them lines that are in the file but may be cut off again.
//
// Threads:  one at a time.
// Failure:  kIo; the file is cut back to whole lines, now or at the next call.
// Lifetime: the file system outlives it. What is in the file after a call survives the death of the process.
class CsvFile {
 public:
  CsvFile(FileSystem& file_system, std::string path) : files_(file_system), path_(std::move(path)) {}

  bool is_open() const { return is_open_; }
  const std::string& path() const { return path_; }
  // The first line, its end included.
  const std::string& heads() const { return heads_; }

  // Makes the file; kInvalidArgument when it is there.
  Status create(std::string_view heads);
  // Goes on in a file that is there, behind its last whole line. kNotFound: there is none, or an empty one, which is
  // removed. kInvalidArgument: it is no CSV file; it is left alone.
  Status resume();

  // Appends lines; keep() keeps them, cut() takes them away.
  Status append(std::string_view lines);
  void keep() { kept_bytes_ = end_bytes_; }
  Status cut();

  // Replaces what is not kept: `lines` are kept, `tail` is not.
  Status write(std::string_view lines, std::string_view tail);
  // The same in a file of new heads, where every line kept so far gets `more_cells` empty cells at its end. The old
  // file stands until the new one is complete, and is then replaced at once.
  Status widen(std::string_view heads, std::size_t more_cells, std::string_view lines, std::string_view tail);

  Status sync();
  Status close();

 private:
  Status mend();
  Status copy_widened(File& to, std::size_t more_cells, std::uint64_t& size_bytes);

  FileSystem& files_;
  std::string path_;
  std::string heads_;
  std::unique_ptr<File> file_;
  bool is_open_ = false;
  bool is_torn_ = false;  // bytes behind end_bytes_ have to go first
  std::uint64_t kept_bytes_ = 0;
  std::uint64_t end_bytes_ = 0;
};

}  // namespace tensortap::recorder
