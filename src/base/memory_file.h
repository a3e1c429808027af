// MemoryFileSystem: files that live in a map, for tests.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/file.h"

namespace tensortap {

// Threads:  any; the map is locked.
// Failure:  create() refuses an existing name, as the real one does.
// Lifetime: outlives its files. An open file goes by its name: close it before it gets another.
class MemoryFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<File>> create(const std::string& path) override;
  Result<std::unique_ptr<File>> open(const std::string& path) override;
  Result<std::uint64_t> size_bytes(const std::string& path) override;
  Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory, int depth) override;
  Status make_directories(const std::string&) override { return {}; }
  Status sync_directory(const std::string&) override { return {}; }

  // The bytes of one file; empty if there is none.
  std::string contents(const std::string& path) const;
  std::vector<std::string> paths() const;

  struct Files {
    std::mutex mutex;
    std::map<std::string, std::string> contents;
  };

 private:
  std::shared_ptr<Files> files_ = std::make_shared<Files>();
};

}  // namespace tensortap
