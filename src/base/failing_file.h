// FailingFileSystem: a disk with limited room, or one whose calls fail when told to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/file.h"

namespace tensortap {

// Wraps another file system and plays faults:
//   room_bytes   appends beyond it write what fits, then fail, as a full disk does
//   fail_call    the Nth call that makes, changes or renames a file (1-based) fails with nothing done; 0 = none
//   blocked      appends wait while it is set, as on a stuck network disk
//
// Threads:  any; the knobs may be turned while files are in use.
// Failure:  kIo, worded as the real one's.
// Lifetime: outlives its files; `inner` outlives it.
class FailingFileSystem : public FileSystem {
 public:
  struct Faults {
    std::atomic<std::int64_t> room_bytes{INT64_MAX};
    std::atomic<std::int64_t> fail_call{0};
    std::atomic<std::int64_t> calls{0};
    std::atomic<bool> blocked{false};
  };

  explicit FailingFileSystem(FileSystem& inner) : inner_(inner) {}

  Result<std::unique_ptr<File>> create(const std::string& path) override;
  Result<std::unique_ptr<File>> open(const std::string& path) override;
  Result<std::uint64_t> size_bytes(const std::string& path) override { return inner_.size_bytes(path); }
  Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) override {
    return inner_.read(path, offset, max_bytes);
  }
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override { return inner_.remove(path); }
  Result<std::vector<std::string>> list(const std::string& directory, int depth) override {
    return inner_.list(directory, depth);
  }
  Status make_directories(const std::string& path) override { return inner_.make_directories(path); }
  Status sync_directory(const std::string& path) override { return inner_.sync_directory(path); }

  Faults& faults() { return *faults_; }

 private:
  bool fails_now() { return ++faults_->calls == faults_->fail_call.load(); }

  FileSystem& inner_;
  std::shared_ptr<Faults> faults_ = std::make_shared<Faults>();
};

}  // namespace tensortap
