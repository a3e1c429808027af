// FileHealth over a mapped file.
#include "store/file_health.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "event/capture.h"
#include "event/event.h"
#include "wire/frame.h"

namespace tensortap::store {
namespace {

Status io_error(const std::string& what, const std::string& path) {
  return Status(StatusCode::kIo, "cannot " + what + " " + path + ": " + std::strerror(errno));
}

// A file's bytes, mapped for reading as long as the object lives.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return io_error("open", path);
    struct stat info{};
    MappedFile mapped;
    const bool regular = ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    mapped.size_ = regular ? static_cast<std::size_t>(info.st_size) : 0;
    if (mapped.size_ > 0) mapped.data_ = ::mmap(nullptr, mapped.size_, PROT_READ, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (!regular) return Status(StatusCode::kIo, path + " is not a regular file");
    if (mapped.data_ == MAP_FAILED) return io_error("map", path);
    return mapped;
  }

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr && data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  Bytes bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  MappedFile() = default;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

Status decode(RunFileKind kind, Bytes record) {
  return kind == RunFileKind::kEvents ? event::decode_event(record).status() : event::decode_capture(record).status();
}

// Where the next whole record starts, at or behind `from`; the end of the file if there is none.
std::size_t next_record(Bytes file, std::size_t from) {
  for (std::size_t offset = from; offset + wire::kHeaderBytes + wire::kFooterBytes <= file.size(); ++offset) {
    if (wire::decode_frame(file.subspan(offset)).ok()) return offset;
  }
  return file.size();
}

}  // namespace

Result<FileHealth> check_file(const RunFile& file) {
  auto mapped = MappedFile::open(file.path);
  if (!mapped.ok()) return mapped.status();
  const Bytes bytes = mapped->bytes();
  FileHealth health;
  health.size_bytes = bytes.size();
  std::size_t offset = 0;
  while (offset < bytes.size()) {
    auto record = wire::decode_frame(bytes.subspan(offset));
    if (record.ok()) {
      const std::size_t frame_bytes = record->size() + wire::kHeaderBytes + wire::kFooterBytes;
      Status decoded = decode(file.kind, *record);
      if (decoded.ok()) {
        ++health.records;
      } else {
        health.damage.push_back({offset, frame_bytes, decoded.message()});
      }
      offset += frame_bytes;
      continue;
    }
    const std::size_t next = next_record(bytes, offset + 1);
    if (record.status().code() == StatusCode::kTruncated && next == bytes.size()) {
      health.torn_tail_bytes = bytes.size() - offset;
      break;
    }
    health.damage.push_back({offset, next - offset, record.status().message()});
    offset = next;
  }
  return health;
}

}  // namespace tensortap::store
