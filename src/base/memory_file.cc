// MemoryFileSystem and its files.
#include "base/memory_file.h"

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

}  // namespace

Result<std::unique_ptr<File>> MemoryFileSystem::create(const std::string& path) {
  std::lock_guard lock(files_->mutex);
  if (!files_->contents.try_emplace(path).second) {
    return Status(StatusCode::kInvalidArgument, "file exists already: " + path);
  }
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(files_, path));
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
