// Directory: refreshed as a whole, asked meanwhile.
#include "directory.h"

namespace tensortap::python {

Directory::Directory(std::unique_ptr<store::LogDirectory> log_directory)
    : log_directory_(std::move(log_directory)),
      runs_(std::make_shared<const query::Runs>(log_directory_->snapshot())) {}

Result<std::shared_ptr<Directory>> Directory::open(std::string path, store::LoadOptions options) {
  auto opened = store::LogDirectory::open(std::move(path), std::move(options));
  if (!opened.ok()) return opened.status();
  return std::shared_ptr<Directory>(new Directory(std::move(opened).value()));
}

Directory::Revisions Directory::revisions_of(const store::Snapshot& snapshot) {
  Revisions revisions;
  for (const auto& file : snapshot.files) revisions.emplace_back(file->file().relative, file->revision());
  return revisions;
}

Status Directory::refresh(bool& changed) {
  std::lock_guard guard(refreshing_);
  Status status = log_directory_->refresh();
  if (!status.ok()) return status;
  auto snapshot = log_directory_->snapshot();
  Revisions revisions = revisions_of(*snapshot);
  changed = revisions != seen_;
  seen_ = std::move(revisions);
  auto runs = std::make_shared<const query::Runs>(std::move(snapshot));
  {
    std::lock_guard runs_guard(runs_lock_);
    runs_ = std::move(runs);
  }
  if (changed) log_directory_->save_index();
  return {};
}

std::shared_ptr<const query::Runs> Directory::runs() const {
  std::lock_guard guard(runs_lock_);
  return runs_;
}

}  // namespace tensortap::python
