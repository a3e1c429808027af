// LogDirectory: all runs below a directory, read into memory and followed while they grow.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/followed_file.h"
#include "store/index_cache.h"
#include "store/run_files.h"

namespace tensortap::store {

struct LoadOptions {
  unsigned threads = 0;         // 0: one per processor
  std::string cache_directory;  // of the index cache; empty: none
  Links links = Links::kInside;
};

// Bytes of the current refresh(), for progress bars.
struct LoadProgress {
  std::uint64_t read_bytes = 0;
  std::uint64_t total_bytes = 0;
};

// The files at one moment. They go on growing; the list does not.
struct Snapshot {
  std::vector<std::shared_ptr<const FollowedFile>> files;  // by run, then by name
  std::vector<UnreadablePath> unreadable;
};

// Threads:  refresh() and save_index() from one thread at a time; everything else any, also meanwhile.
// Failure:  kNotFound, kInvalidArgument when the directory is none; a bad file never stops the others.
// Lifetime: files live as long as a snapshot has them.
class LogDirectory {
 public:
  static Result<std::unique_ptr<LogDirectory>> open(std::string path, LoadOptions options);

  const std::string& path() const { return path_; }

  // Finds new files, drops those that are gone, reads what was added. Returns when all is read.
  Status refresh();
  // From another thread: refresh() returns kClosed soon. What it has read stays; the next one reads the rest.
  void stop() { stop_ = true; }
  LoadProgress progress() const;

  std::shared_ptr<const Snapshot> snapshot() const;

  // Puts into the cache what the next start need not read again.
  void save_index();

 private:
  LogDirectory(std::string path, LoadOptions options);
  std::vector<std::shared_ptr<FollowedFile>> update_files(const RunFiles& found);

  const std::string path_;
  const LoadOptions options_;
  std::unique_ptr<const IndexCache> cache_;
  std::map<std::string, std::shared_ptr<FollowedFile>> by_path_;  // only touched by refresh() and save_index()
  std::atomic<std::uint64_t> read_bytes_{0}, total_bytes_{0};
  std::atomic<bool> stop_{false};

  mutable std::mutex snapshot_lock_;
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace tensortap::store
