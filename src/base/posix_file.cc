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

// The same for calls on files that have to be there.
Status file_error(std::string_view what, const std::string& path, int error) {
  const Status status = io_error(what, path, error);
  return error == ENOENT ? Status(StatusCode::kNotFound, status.message()) : status;
}

std::vector<std::string> files_below(const std::filesystem::path& directory, int depth, std::error_code& error) {
  std::vector<std::string> names;
  for (std::filesystem::recursive_directory_iterator it(directory, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code unreadable;  // one that vanished meanwhile is no reason to stop
    if (it.depth() >= depth) it.disable_recursion_pending();
    if (it->is_regular_file(unreadable)) names.push_back(it->path().lexically_relative(directory).string());
  }
  std::sort(names.begin(), names.end());
  return names;
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

  Result<std::unique_ptr<File>> open(const std::string& path) override {
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return file_error("open", path, errno);
    auto file = std::make_unique<PosixFile>(descriptor, path);
    if (::lseek(descriptor, 0, SEEK_END) < 0) return io_error("seek in", path, errno);
    return std::unique_ptr<File>(std::move(file));
  }

  Result<std::uint64_t> size_bytes(const std::string& path) override {
    struct stat found;
    if (::stat(path.c_str(), &found) != 0) return file_error("look at", path, errno);
    return static_cast<std::uint64_t>(found.st_size);
  }

  Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) override {
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return file_error("open", path, errno);
    std::string bytes(max_bytes, '\0');
    std::size_t done = 0;
    int error = 0;
    while (done < max_bytes) {
      ssize_t count = ::pread(descriptor, bytes.data() + done, max_bytes - done, static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      error = count < 0 ? errno : 0;
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    ::close(descriptor);
    if (error != 0) return io_error("read", path, error);
    bytes.resize(done);
    return bytes;
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return file_error("rename to " + to + " the file", from, errno);
    return {};
  }

  Status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("delete", path, errno);
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& directory, int depth) override {
    std::error_code error;
    std::vector<std::string> names = files_below(directory, depth, error);
    if (error && error != std::errc::no_such_file_or_directory)
      return io_error("list directory", directory, error.value());
    return names;
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
