// PosixFile: files of the operating system, with short writes and EINTR dealt with.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/file.h"

namespace tensortap {
namespace {

Status io_error(std::string_view what, const std::string& path, int error) {
  return Status(StatusCode::kIo, "cannot " + std::string(what) + " " + path + ": " + std::strerror(error));
}

// Drops the first `count` bytes from a list of pieces.
void advance(std::vector<iovec>& pieces, std::size_t count) {
  std::size_t done = 0;
  while (done < pieces.size() && count >= pieces[done].iov_len) count -= pieces[done++].iov_len;
  pieces.erase(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(done));
  if (count == 0) return;
  pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + count;
  pieces.front().iov_len -= count;
}

class PosixFile : public File {
 public:
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~PosixFile() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  Status append(std::span<const Bytes> pieces) override {
    std::vector<iovec> rest;
    rest.reserve(pieces.size());
    for (Bytes piece : pieces) {
      if (!piece.empty()) rest.push_back({const_cast<std::byte*>(piece.data()), piece.size()});
    }
    while (!rest.empty()) {
      // One call takes at most IOV_MAX pieces and 2 GiB; the loop takes the rest.
      ssize_t written = ::writev(descriptor_, rest.data(), static_cast<int>(std::min<std::size_t>(rest.size(), 1024)));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return io_error("write", path_, errno);
      advance(rest, static_cast<std::size_t>(written));
    }
    return {};
  }

  Status truncate(std::uint64_t size_bytes) override {
    if (::ftruncate(descriptor_, static_cast<off_t>(size_bytes)) != 0) return io_error("truncate", path_, errno);
    if (::lseek(descriptor_, static_cast<off_t>(size_bytes), SEEK_SET) < 0) return io_error("seek in", path_, errno);
    return {};
  }

  Status sync() override {
    if (::fdatasync(descriptor_) != 0) return io_error("sync", path_, errno);
    return {};
  }

  Status close() override {
    int descriptor = std::exchange(descriptor_, -1);
    if (descriptor >= 0 && ::close(descriptor) != 0) return io_error("close", path_, errno);
    return {};
  }

  const std::string& path() const override { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

class PosixFileSystem : public FileSystem {
 public:
  Result<std::unique_ptr<File>> create(const std::string& path) override {
    // Not O_APPEND: after a cut-back the next write must land where the cut was made.
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return std::unique_ptr<File>(std::make_unique<PosixFile>(descriptor, path));
    if (errno == EEXIST) return Status(StatusCode::kInvalidArgument, "file exists already: " + path);
    return io_error("create", path, errno);
  }

  Status make_directories(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return io_error("create directory", path, error.value());
    return {};
  }

  Status sync_directory(const std::string& path) override {
    int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return io_error("open directory", path, errno);
    int result = ::fsync(descriptor);
    int error = errno;
    ::close(descriptor);
    if (result != 0) return io_error("sync directory", path, error);
    return {};
  }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem system;
  return system;
}

}  // namespace tensortap
