// NewFile: a temporary name, fsync, and a rename that refuses to replace.
#include "cli/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/try.h"
#include "cli/terminal.h"

namespace tensortap::cli {
namespace {

Status exists_already(const std::string& path) {
  return Status(StatusCode::kInvalidArgument, path + " exists already, and is left as it is: choose another name");
}

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

Status rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno == EEXIST) return exists_already(to);
  // Some file systems cannot refuse; a link can, where there are links.
  if ((errno == EINVAL || errno == ENOSYS) && ::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return {};
  }
  if (errno == EEXIST) return exists_already(to);
  return Status(StatusCode::kIo, "cannot rename " + from + " to " + to + ": " + std::strerror(errno));
}

}  // namespace

Result<NewFile> NewFile::create(std::string path) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) == 0) {
    if (!S_ISDIR(info.st_mode)) return exists_already(path);
    return Status(StatusCode::kInvalidArgument, path + " is a directory: name a file in it");
  }
  if (::stat(directory_of(path).c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return Status(StatusCode::kNotFound, "there is no directory " + directory_of(path) + ": make it first");
  }
  NewFile made;
  made.path_ = std::move(path);
  // The name must not be one that readers of log directories look for.
  made.temporary_ =
      std::make_unique<std::string>(directory_of(made.path_) + "/.tensortap-" + std::to_string(::getpid()) + ".tmp");
  auto file = posix_file_system().create(*made.temporary_);
  if (!file.ok()) return file.status();
  made.file_ = std::move(*file);
  delete_when_interrupted(made.temporary_->c_str());
  return made;
}

NewFile::~NewFile() {
  if (file_ == nullptr) return;
  ::unlink(temporary_->c_str());
  delete_when_interrupted(nullptr);
}

Status NewFile::commit() {
  TENSORTAP_TRY(file_->sync());
  TENSORTAP_TRY(file_->close());
  TENSORTAP_TRY(rename_new(*temporary_, path_));
  delete_when_interrupted(nullptr);
  file_.reset();
  return posix_file_system().sync_directory(directory_of(path_));
}

Status write_new_file(const std::string& path, std::string_view bytes) {
  auto file = NewFile::create(path);
  if (!file.ok()) return file.status();
  const Bytes piece = bytes_of(bytes);
  TENSORTAP_TRY(file->file().append(std::span(&piece, 1)));
  return file->commit();
}

}  // namespace tensortap::cli
