// ReadFile on openat2, which resolves beneath a directory, and pread.
#include "store/read_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tensortap::store {
namespace {

Status system_error(const std::string& what, const std::string& path) {
  const int code = errno;
  const StatusCode kind = code == ENOENT || code == ENOTDIR ? StatusCode::kNotFound : StatusCode::kIo;
  return Status(kind, "cannot " + what + " " + path + ": " + std::strerror(code));
}

FileIdentity identity_from(const struct stat& info) {
  return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
          static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec};
}

// Without openat2 (Linux before 5.6): the real path must lie beneath the real root.
int open_checked(const std::string& root, const std::string& path, int flags) {
  std::error_code error;
  const auto real_root = std::filesystem::canonical(root, error);
  const auto real = error ? std::filesystem::path() : std::filesystem::canonical(path, error);
  if (error) {
    errno = error.value();
    return -1;
  }
  const auto below = real.lexically_relative(real_root);
  if (below.empty() || *below.begin() == "..") {
    errno = EXDEV;
    return -1;
  }
  return ::open(real.c_str(), flags | O_NOFOLLOW);
}

int open_beneath(const std::string& root, const std::string& relative, const std::string& path, int flags) {
  const int directory = ::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return -1;
  struct open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const auto opened = static_cast<int>(::syscall(SYS_openat2, directory, relative.c_str(), &how, sizeof how));
  const int code = errno;
  ::close(directory);
  errno = code;
  if (opened < 0 && (code == ENOSYS || code == EPERM)) return open_checked(root, path, flags);
  return opened;
}

}  // namespace

Result<ReadFile> ReadFile::open(const std::string& root, const std::string& relative, Links links) {
  ReadFile file;
  file.path_ = root + "/" + relative;
  // A pipe without a writer would block an open for ever.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  file.descriptor_ =
      links == Links::kFollow ? ::open(file.path_.c_str(), flags) : open_beneath(root, relative, file.path_, flags);
  if (file.descriptor_ < 0) {
    if (errno == EXDEV || errno == ELOOP) {
      return Status(StatusCode::kUnsupported, file.path_ + " is a link that leads out of the log directory");
    }
    return system_error("open", file.path_);
  }
  struct stat info{};
  if (::fstat(file.descriptor_, &info) != 0) return system_error("look at", file.path_);
  if (!S_ISREG(info.st_mode)) return Status(StatusCode::kUnsupported, file.path_ + " is not a regular file");
  file.identity_ = identity_from(info);
  return file;
}

ReadFile::ReadFile(ReadFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), identity_(other.identity_), path_(std::move(other.path_)) {}

ReadFile& ReadFile::operator=(ReadFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(identity_, other.identity_);
  std::swap(path_, other.path_);
  return *this;
}

ReadFile::~ReadFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> ReadFile::read(std::uint64_t offset, std::span<std::byte> to) const {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got = ::pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read", path_);
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<ByteBlock> ReadFile::map() const {
  const auto size = static_cast<std::size_t>(identity_.size_bytes);
  if (size == 0) return make_block(0);
  // Filled in at once: a fault for each page would take longer.
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor_, 0);
  if (mapped == MAP_FAILED) return system_error("map", path_);
  return ByteBlock(static_cast<std::byte*>(mapped), FreeBytes{size});
}

Result<FileIdentity> identity_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return system_error("look at", path);
  return identity_from(info);
}

}  // namespace tensortap::store
