// SinkDirectory: numbered siblings, old files, and a first file to see that it works.
#include "recorder/sinks/sink_directory.h"

#include <unistd.h>

#include <filesystem>

#include "base/try.h"

namespace tensortap::recorder {
namespace {

constexpr int kMaxSiblings = 100'000;

std::string absolute(const std::string& target) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(target, error);
  std::string text = error ? target : path.lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::vector<std::string>> ours(FileSystem& file_system, const std::string& path, const SinkFiles& files) {
  Result<std::vector<std::string>> found = file_system.list(path, files.depth);
  if (found.ok()) std::erase_if(*found, [&](const std::string& name) { return !files.is_ours(name); });
  return found;
}

Status try_directory(FileSystem& file_system, const std::string& path) {
  TENSORTAP_TRY(file_system.make_directories(path));
  const std::string probe = path + "/.tensortap-" + std::to_string(::getpid());
  TENSORTAP_TRY(file_system.remove(probe));
  TENSORTAP_TRY(file_system.create(probe).status());
  return file_system.remove(probe);
}

Result<ClaimedSinkDirectory> claim_new(FileSystem& file_system, const std::string& path, const SinkFiles& files) {
  for (int number = 1; number < kMaxSiblings; ++number) {
    const std::string candidate = number == 1 ? path : path + "-" + std::to_string(number);
    Result<std::vector<std::string>> found = ours(file_system, candidate, files);
    if (!found.ok()) return found.status();
    if (!found->empty()) continue;
    ClaimedSinkDirectory claimed{candidate, {}};
    if (number > 1) claimed.notes.push_back(path + " holds such files already; writing to " + candidate);
    return claimed;
  }
  return Status(StatusCode::kInvalidArgument, path + " has too many numbered siblings; choose another directory");
}

}  // namespace

Result<ClaimedSinkDirectory> claim_sink_directory(FileSystem& file_system, const std::string& target, SinkMode mode,
                                                  const SinkFiles& files) {
  ClaimedSinkDirectory claimed{absolute(target), {}};
  if (mode == SinkMode::kNew) {
    Result<ClaimedSinkDirectory> fresh = claim_new(file_system, claimed.path, files);
    if (!fresh.ok()) return fresh.status();
    claimed = std::move(*fresh);
  }
  TENSORTAP_TRY(try_directory(file_system, claimed.path));
  if (mode != SinkMode::kOverwrite) return claimed;
  Result<std::vector<std::string>> old = ours(file_system, claimed.path, files);
  if (!old.ok()) return old.status();
  for (const std::string& name : *old) TENSORTAP_TRY(file_system.remove(claimed.path + "/" + name));
  if (!old->empty()) {
    claimed.notes.push_back("overwriting " + claimed.path + ": deleted " + std::to_string(old->size()) + " files");
  }
  return claimed;
}

}  // namespace tensortap::recorder
