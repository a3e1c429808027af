// RunFiles: one walk over the directory tree.
#include "store/run_files.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/try.h"
#include "event/file_names.h"

namespace tensortap::store {
namespace {

// Deeper than any log directory; ends what else would not end.
constexpr int kMaxDepth = 64;

std::optional<RunFileKind> kind_of(std::string_view name) {
  if (event::is_events_file_name(name)) return RunFileKind::kEvents;
  if (event::is_captures_file_name(name)) return RunFileKind::kCaptures;
  return std::nullopt;
}

class Walk {
 public:
  Walk(std::string root, Links links) : root_(std::move(root)), links_(links) {}

  RunFiles run() {
    directory("", 0);
    std::sort(found_.files.begin(), found_.files.end(), [](const RunFile& a, const RunFile& b) {
      return std::tie(a.run, a.relative) < std::tie(b.run, b.relative);
    });
    return std::move(found_);
  }

 private:
  struct Closer {
    void operator()(DIR* directory) const { ::closedir(directory); }
  };

  std::string path_of(const std::string& relative) const { return relative.empty() ? root_ : root_ + "/" + relative; }

  void unreadable(const std::string& relative, std::string reason) {
    found_.unreadable.push_back({path_of(relative), std::move(reason)});
  }

  // `relative` is "" for the log directory itself.
  void directory(const std::string& relative, int depth) {
    if (depth > kMaxDepth) return unreadable(relative, "nested too deeply");
    std::unique_ptr<DIR, Closer> opened(::opendir(path_of(relative).c_str()));
    if (opened == nullptr) return unreadable(relative, std::strerror(errno));
    std::vector<std::string> below;
    while (const dirent* entry = ::readdir(opened.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") visit(relative, name, entry->d_type, below);
    }
    opened.reset();  // no descriptor is held while walking deeper
    for (const std::string& each : below) directory(each, depth + 1);
  }

  void visit(const std::string& parent, std::string_view name, unsigned char type, std::vector<std::string>& below) {
    std::string relative = parent.empty() ? std::string(name) : parent + "/" + std::string(name);
    const std::optional<RunFileKind> kind = kind_of(name);
    if (type == DT_DIR || type == DT_REG) {
      if (type == DT_REG && kind) add_file(parent, std::move(relative), *kind);
      if (type == DT_DIR && kind) unreadable(relative, "a directory, not a file");
      if (type == DT_DIR) below.push_back(std::move(relative));
      return;
    }
    struct stat info{};
    if (::stat(path_of(relative).c_str(), &info) != 0) {
      if (kind) unreadable(relative, std::strerror(errno));
      return;
    }
    if (S_ISDIR(info.st_mode)) return visit_link(std::move(relative), info, below);
    if (!kind) return;
    // A pipe or a device would block its reader for ever.
    if (!S_ISREG(info.st_mode)) return unreadable(relative, "not a regular file");
    if (links_ == Links::kInside && !is_beneath(relative)) {
      return unreadable(relative, "a link that leads out of the log directory, not followed");
    }
    add_file(parent, std::move(relative), *kind);
  }

  // A directory behind a link, or on a file system that tells no types.
  void visit_link(std::string relative, const struct stat& info, std::vector<std::string>& below) {
    struct stat self{};
    const bool is_link = ::lstat(path_of(relative).c_str(), &self) == 0 && S_ISLNK(self.st_mode);
    if (is_link && links_ == Links::kInside) return unreadable(relative, "a link to a directory, not followed");
    if (is_link && !seen_.insert({info.st_dev, info.st_ino}).second) return;
    below.push_back(std::move(relative));
  }

  bool is_beneath(const std::string& relative) const {
    std::error_code error;
    const auto root = std::filesystem::canonical(root_, error);
    const auto real = error ? root : std::filesystem::canonical(path_of(relative), error);
    const auto below = real.lexically_relative(root);
    return !error && !below.empty() && *below.begin() != "..";
  }

  void add_file(const std::string& parent, std::string relative, RunFileKind kind) {
    found_.files.push_back({root_, std::move(relative), parent.empty() ? "." : parent, kind});
  }

  const std::string root_;
  const Links links_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  RunFiles found_;
};

}  // namespace

Status check_log_directory(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return Status(StatusCode::kNotFound, "no such directory: " + path);
  if (!S_ISDIR(info.st_mode)) return Status(StatusCode::kInvalidArgument, path + " is not a directory");
  return {};
}

Result<RunFiles> find_run_files(const std::string& log_directory, Links links) {
  TENSORTAP_TRY(check_log_directory(log_directory));
  std::string root = log_directory;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  return Walk(std::move(root), links).run();
}

}  // namespace tensortap::store
