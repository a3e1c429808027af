// Directory: a log directory that several Python threads may ask and refresh.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "query/runs.h"
#include "store/log_directory.h"

namespace tensortap::python {

// Threads:  any; a refresh waits for the one before it.
// Failure:  as store::LogDirectory.
// Lifetime: what runs() gave stays valid, with the files of its moment.
class Directory {
 public:
  static Result<std::shared_ptr<Directory>> open(std::string path, store::LoadOptions options);

  const std::string& path() const { return log_directory_->path(); }

  // Reads what was added, and saves the index. `changed` says whether there was anything. Takes its time: not with
  // the GIL.
  Status refresh(bool& changed);

  // Makes a refresh() that is under way end soon.
  void stop() { log_directory_->stop(); }

  std::shared_ptr<const query::Runs> runs() const;

 private:
  using Revisions = std::vector<std::pair<std::string, std::uint64_t>>;

  explicit Directory(std::unique_ptr<store::LogDirectory> log_directory);
  static Revisions revisions_of(const store::Snapshot& snapshot);

  const std::unique_ptr<store::LogDirectory> log_directory_;
  std::mutex refreshing_;
  Revisions seen_;  // by refreshing_

  mutable std::mutex runs_lock_;
  std::shared_ptr<const query::Runs> runs_;
};

}  // namespace tensortap::python
