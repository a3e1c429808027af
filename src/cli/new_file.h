// NewFile: a file that appears whole under its name, or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file.h"
#include "tensortap/result.h"

namespace tensortap::cli {

// Written beside its place under another name, and renamed at the end. Never replaces anything.
//
// Threads:  one at a time.
// Failure:  kInvalidArgument when something has the name already, kIo with the system's reason.
// Lifetime: without commit() nothing is left behind, also after Ctrl-C.
class NewFile {
 public:
  static Result<NewFile> create(std::string path);
  NewFile(NewFile&&) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  File& file() { return *file_; }
  // On the device, under its name.
  Status commit();

 private:
  NewFile() = default;

  std::string path_;
  std::unique_ptr<std::string> temporary_;  // where it stands in memory is known to the signal handler
  std::unique_ptr<File> file_;
};

// The whole of a small file; as NewFile.
Status write_new_file(const std::string& path, std::string_view bytes);

}  // namespace tensortap::cli
