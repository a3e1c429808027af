// RunFiles: one walk over the directory tree.
#include "store/run_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "event/file_names.h"

namespace tensortap::store {
namespace {

namespace fs = std::filesystem;

std::optional<RunFileKind> kind_of(std::string_view name) {
  if (event::is_events_file_name(name)) return RunFileKind::kEvents;
  if (event::is_captures_file_name(name)) return RunFileKind::kCaptures;
  return std::nullopt;
}

void add_entry(const fs::directory_entry& entry, const fs::path& root, RunFiles& found) {
  const std::string name = entry.path().filename().string();
  const std::optional<RunFileKind> kind = kind_of(name);
  if (!kind) return;
  std::error_code error;
  if (!entry.is_regular_file(error)) {
    // A pipe or a device would block its reader for ever; what is no regular file is never opened.
    found.unreadable.push_back({entry.path().string(), error ? error.message() : "not a regular file"});
    return;
  }
  std::string run = entry.path().parent_path().lexically_relative(root).string();
  found.files.push_back({entry.path().string(), run.empty() ? "." : run, *kind});
}

}  // namespace

Result<RunFiles> find_run_files(const std::string& log_directory) {
  std::error_code error;
  const fs::path root(log_directory);
  if (!fs::exists(root, error)) return Status(StatusCode::kNotFound, "no such directory: " + log_directory);
  if (!fs::is_directory(root, error)) {
    return Status(StatusCode::kInvalidArgument, log_directory + " is not a directory");
  }
  RunFiles found;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator it(root, options, error), end;
  while (!error && it != end) {
    add_entry(*it, root, found);
    it.increment(error);
    if (error) found.unreadable.push_back({log_directory, error.message()});
  }
  std::sort(found.files.begin(), found.files.end(),
            [](const RunFile& a, const RunFile& b) { return std::tie(a.run, a.path) < std::tie(b.run, b.path); });
  return found;
}

}  // namespace tensortap::store
