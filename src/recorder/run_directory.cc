// RunDirectory over the real file system; only the files themselves go through the File seam.
#include "recorder/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/try.h"
#include "event/file_names.h"
#include "tensortap/run.h"

namespace tensortap::recorder {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxSiblings = 100'000;

// Holds a lock on an open directory until it goes.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    // Some network file systems know no locks; recording goes on without.
    if (descriptor_ >= 0) (void)::flock(descriptor_, LOCK_EX);
  }
  ~DirectoryLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_;
};

std::string find_host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  if (::gethostname(name, HOST_NAME_MAX) != 0 || name[0] == '\0') return "localhost";
  for (char& c : name) {
    if (c != '\0' && c != '-' && c != '_' && !std::isalnum(static_cast<unsigned char>(c))) c = '-';
  }
  return name;
}

// The run files below a directory, its sub-runs' included.
std::vector<fs::path> run_files_below(const std::string& path) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error) && event::is_run_file_name(it->path().filename().string()))
      files.push_back(it->path());
  }
  return files;
}

// A directory below a run that Keras, TensorBoard's tutorials and our own recorders make as part of that run.
bool is_usual_sub_run(const fs::path& directory) {
  for (std::string_view name : {"train", "val", "validation", "test", "eval", "predict"}) {
    if (directory.filename() == name) return true;
  }
  return false;
}

bool holds_run_file(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (event::is_run_file_name(it->path().filename().string())) return true;
  }
  return false;
}

// Whether the directory holds a run, itself or in the usual sub-runs; other directories below it may be other runs of
// the same log directory.
bool holds_run(const std::string& path) {
  if (holds_run_file(path)) return true;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (is_usual_sub_run(it->path()) && holds_run_file(it->path())) return true;
  }
  return false;
}

Status delete_old_run(const std::string& path, std::vector<std::string>& notes) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::is_empty(path, error)) return {};
  if (!holds_run(path)) {
    return Status(StatusCode::kInvalidArgument,
                  "will not overwrite " + path + ": it holds files but no run; choose another directory");
  }
  std::vector<fs::path> files = run_files_below(path);
  for (const fs::path& file : files) {
    const fs::path directory = file.parent_path();
    if (directory == fs::path(path) || is_usual_sub_run(directory)) continue;
    return Status(StatusCode::kInvalidArgument, "will not overwrite " + path + ": " + directory.string() +
                                                    " below it looks like a run of its own; delete it by hand or "
                                                    "choose another directory");
  }
  for (const fs::path& file : files) {
    if (!fs::remove(file, error) && error) {
      return Status(StatusCode::kIo, "cannot delete " + file.string() + ": " + error.message());
    }
  }
  notes.push_back("overwriting " + path + ": deleted " + std::to_string(files.size()) + " files of the old run");
  return {};
}

// nullopt: the directory belongs to another run.
Result<std::optional<ClaimedDirectory>> try_claim(FileSystem& file_system, const std::string& path, RunMode mode,
                                                  double wall_secs) {
  ClaimedDirectory claimed;
  claimed.path = path;
  TENSORTAP_TRY(file_system.make_directories(path));
  DirectoryLock lock(path);
  if (mode == RunMode::kNew && holds_run(path)) return std::optional<ClaimedDirectory>();
  if (mode == RunMode::kOverwrite) TENSORTAP_TRY(delete_old_run(path, claimed.notes));
  auto captures = create_captures_file(file_system, path, wall_secs);
  if (!captures.ok()) return captures.status();
  claimed.captures = std::move(captures).value();
  return std::optional<ClaimedDirectory>(std::move(claimed));
}

}  // namespace

const std::string& host_name() {
  static const std::string name = find_host_name();
  return name;
}

Result<std::unique_ptr<File>> create_run_file(FileSystem& file_system, const std::string& directory,
                                              std::string_view prefix, std::string_view suffix, double wall_secs) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0;; ++attempt) {
    char numbers[32];
    std::snprintf(numbers, sizeof numbers, "%010lld", static_cast<long long>(wall_secs));
    std::string path = directory + "/" + std::string(prefix) + numbers + "." + host_name() + "." +
                       std::to_string(::getpid()) + "." + std::to_string(counter++) + std::string(suffix);
    auto file = file_system.create(path);
    // The name is taken when a container gives the same process number again; the next counter will do.
    if (file.ok() || file.status().code() != StatusCode::kInvalidArgument || attempt == 1000) return file;
  }
}

Result<std::unique_ptr<File>> create_captures_file(FileSystem& file_system, const std::string& directory,
                                                   double wall_secs) {
  return create_run_file(file_system, directory, event::kCapturesPrefix, event::kCapturesSuffix, wall_secs);
}

Result<std::unique_ptr<File>> create_events_file(FileSystem& file_system, const std::string& directory,
                                                 double wall_secs) {
  return create_run_file(file_system, directory, event::kEventsPrefix, "", wall_secs);
}

Result<ClaimedDirectory> claim_directory(FileSystem& file_system, const std::string& path, RunMode mode,
                                         double wall_secs) {
  if (path.empty()) return Status(StatusCode::kInvalidArgument, "the path of a run must not be empty");
  // Absolute: files are made later too, and the program may have changed its directory by then.
  std::error_code error;
  std::string base = fs::absolute(path, error).lexically_normal().string();
  if (error) return Status(StatusCode::kIo, "cannot find " + path + ": " + error.message());
  while (base.size() > 1 && base.back() == '/') base.pop_back();
  for (int sibling = 1; sibling < kMaxSiblings; ++sibling) {
    std::string candidate = sibling == 1 ? base : base + "-" + std::to_string(sibling);
    auto claimed = try_claim(file_system, candidate, mode, wall_secs);
    if (!claimed.ok()) return claimed.status();
    std::optional<ClaimedDirectory> result = std::move(claimed).value();
    if (!result) continue;
    if (sibling > 1) result->notes.push_back(base + " holds a run already; recording to " + candidate);
    return std::move(*result);
  }
  return Status(StatusCode::kInvalidArgument, "too many runs named like " + base + "; choose another name");
}

}  // namespace tensortap::recorder

namespace tensortap {

Result<std::string> new_run_directory(const std::string& parent, std::string_view name) {
  TENSORTAP_TRY(posix_file_system().make_directories(parent.empty() ? "." : parent));
  char stamp[32];
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d_%H-%M-%S", &local);
  std::string base = (parent.empty() ? "." : parent) + "/" + stamp;
  if (!name.empty()) base += "_" + std::string(name);
  for (int sibling = 1; sibling < recorder::kMaxSiblings; ++sibling) {
    std::string candidate = sibling == 1 ? base : base + "-" + std::to_string(sibling);
    // mkdir() of a name succeeds in one process only.
    if (::mkdir(candidate.c_str(), 0777) == 0) return candidate;
    if (errno != EEXIST) {
      return Status(StatusCode::kIo, "cannot create directory " + candidate + ": " + std::strerror(errno));
    }
  }
  return Status(StatusCode::kInvalidArgument, "too many runs named like " + base);
}

}  // namespace tensortap
