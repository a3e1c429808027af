// MemoryFileSystem and its files.
#include "base/memory_file.h"

#include <algorithm>

namespace tensortap {
namespace {

class MemoryFile : public File {
 public:
  MemoryFile(std::shared_ptr<MemoryFileSystem::Files> files, std::string path)
      : files_(std::move(files)), path_(std::move(path)) {}

  Status append(std::span<const Bytes> pieces) override {
    std::lock_guard lock(files_->mutex);
    std::string& contents = files_->contents[path_];
    for (Bytes piece : pieces) contents.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  }

  Status truncate(std::uint64_t size_bytes) override {
    std::lock_guard lock(files_->mutex);
    files_->contents[path_].resize(size_bytes);
    return {};
  }

  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  std::shared_ptr<MemoryFileSystem::Files> files_;
  std::string path_;
};

Status not_found(const std::string& path) { return Status(StatusCode::kNotFound, "there is no file " + path); }

}  // namespace

Result<std::unique_ptr<File>> MemoryFileSystem::create(const std::string& path) {
  std::lock_guard lock(files_->mutex);
  if (!files_->contents.try_emplace(path).second) {
    return Status(StatusCode::kInvalidArgument, "file exists already: " + path);
  }
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(files_, path));
}

Result<std::unique_ptr<File>> MemoryFileSystem::open(const std::string& path) {
  std::lock_guard lock(files_->mutex);
  if (!files_->contents.contains(path)) return not_found(path);
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(files_, path));
}

Result<std::uint64_t> MemoryFileSystem::size_bytes(const std::string& path) {
  std::lock_guard lock(files_->mutex);
  const auto found = files_->contents.find(path);
  if (found == files_->contents.end()) return not_found(path);
  return std::uint64_t{found->second.size()};
}

Result<std::string> MemoryFileSystem::read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) {
  std::lock_guard lock(files_->mutex);
  const auto found = files_->contents.find(path);
  if (found == files_->contents.end()) return not_found(path);
  return offset >= found->second.size() ? std::string() : found->second.substr(offset, max_bytes);
}

Status MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  std::lock_guard lock(files_->mutex);
  auto found = files_->contents.extract(from);
  if (found.empty()) return not_found(from);
  files_->contents[to] = std::move(found.mapped());
  return {};
}

Status MemoryFileSystem::remove(const std::string& path) {
  std::lock_guard lock(files_->mutex);
  files_->contents.erase(path);
  return {};
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& directory, int depth) {
  std::lock_guard lock(files_->mutex);
  std::vector<std::string> names;
  for (const auto& [path, contents] : files_->contents) {
    if (!path.starts_with(directory + "/")) continue;
    std::string name = path.substr(directory.size() + 1);
    if (std::count(name.begin(), name.end(), '/') <= depth) names.push_back(std::move(name));
  }
  return names;
}

std::string MemoryFileSystem::contents(const std::string& path) const {
  std::lock_guard lock(files_->mutex);
  auto found = files_->contents.find(path);
  return found == files_->contents.end() ? std::string() : found->second;
}

std::vector<std::string> MemoryFileSystem::paths() const {
  std::lock_guard lock(files_->mutex);
  std::vector<std::string> paths;
  for (const auto& [path, contents] : files_->contents) paths.push_back(path);
  return paths;
}

}  // namespace tensortap
