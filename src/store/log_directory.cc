// LogDirectory: the list of files, kept in step with the disk.
#include "store/log_directory.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "base/try.h"
#include "store/load_pass.h"

namespace tensortap::store {

LogDirectory::LogDirectory(std::string path, LoadOptions options)
    : path_(std::move(path)), options_(std::move(options)), snapshot_(std::make_shared<Snapshot>()) {
  if (!options_.cache_directory.empty()) cache_ = std::make_unique<IndexCache>(options_.cache_directory);
}

Result<std::unique_ptr<LogDirectory>> LogDirectory::open(std::string path, LoadOptions options) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  TENSORTAP_TRY(check_log_directory(path));
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  return std::unique_ptr<LogDirectory>(new LogDirectory(std::move(path), std::move(options)));
}

// The files that are there now, those that were known with all that was read of them.
std::vector<std::shared_ptr<FollowedFile>> LogDirectory::update_files(const RunFiles& found) {
  std::vector<std::shared_ptr<FollowedFile>> files;
  std::map<std::string, std::shared_ptr<FollowedFile>> by_path;
  for (const RunFile& file : found.files) {
    auto known = by_path_.find(file.relative);
    auto followed =
        known != by_path_.end() ? known->second : std::make_shared<FollowedFile>(file, options_.links, cache_.get());
    by_path.emplace(file.relative, followed);
    files.push_back(std::move(followed));
  }
  by_path_ = std::move(by_path);
  return files;
}

Status LogDirectory::refresh() {
  stop_ = false;
  auto found = find_run_files(path_, options_.links);
  if (!found.ok()) return found.status();
  std::vector<std::shared_ptr<FollowedFile>> files = update_files(*found);

  auto snapshot = std::make_shared<Snapshot>();
  snapshot->files.assign(files.begin(), files.end());
  snapshot->unreadable = std::move(found->unreadable);
  {
    std::lock_guard lock(snapshot_lock_);
    snapshot_ = std::move(snapshot);
  }

  // The largest first: what is left for the end is small.
  std::vector<std::pair<std::uint64_t, std::shared_ptr<FollowedFile>>> by_size;
  std::uint64_t total_bytes = 0;
  for (auto& file : files) {
    auto identity = identity_of(file->file().path());
    const std::uint64_t size = identity.ok() ? identity->size_bytes : 0;
    const std::uint64_t read = file->progress().read_bytes;
    total_bytes += size - std::min(size, read);
    by_size.emplace_back(size - std::min(size, read), std::move(file));
  }
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  files.clear();
  for (auto& [size, file] : by_size) files.push_back(std::move(file));
  read_bytes_ = 0;
  total_bytes_ = total_bytes;
  load(files, options_.threads, read_bytes_, stop_);
  if (stop_) return Status(StatusCode::kClosed, "reading " + path_ + " was stopped");
  return {};
}

LoadProgress LogDirectory::progress() const { return {read_bytes_, total_bytes_}; }

std::shared_ptr<const Snapshot> LogDirectory::snapshot() const {
  std::lock_guard lock(snapshot_lock_);
  return snapshot_;
}

void LogDirectory::save_index() {
  if (cache_ == nullptr) return;
  for (const auto& [path, file] : by_path_) file->save_index();
  cache_->trim();
}

}  // namespace tensortap::store
