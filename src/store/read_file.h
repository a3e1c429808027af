// ReadFile: one file of a log directory, open for reading.
//
// Read by pread, never mapped: a file that is cut while it is mapped kills its reader.
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "store/arena.h"
#include "tensortap/result.h"

namespace tensortap::store {

// Tells one file from another of the same name, and one state of it from the next.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_nanos = 0;

  bool same_file(const FileIdentity& other) const { return device == other.device && inode == other.inode; }
  bool operator==(const FileIdentity&) const = default;
};

// How far links may lead.
enum class Links { kInside, kFollow };

// Threads:  any; pread has no position.
// Failure:  kNotFound, kIo with the path and the system's reason; kUnsupported for what is no regular file or leads
//           out of the log directory.
// Lifetime: closes itself.
class ReadFile {
 public:
  // Opens `relative` beneath `root`. With Links::kInside the system itself refuses links that lead out of it.
  static Result<ReadFile> open(const std::string& root, const std::string& relative, Links links);

  ReadFile(ReadFile&& other) noexcept;
  ReadFile& operator=(ReadFile&& other) noexcept;
  ~ReadFile();

  const FileIdentity& identity() const { return identity_; }  // when it was opened
  // Fills `to` from `offset`; the number of bytes read is smaller only at the end of the file.
  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> to) const;
  // All of it as memory, without a copy. Only for files that nobody cuts: reading beyond a cut ends the program.
  Result<ByteBlock> map() const;

 private:
  ReadFile() = default;
  int descriptor_ = -1;
  FileIdentity identity_;
  std::string path_;
};

// The identity behind a name; kNotFound when it is gone. Opens nothing.
Result<FileIdentity> identity_of(const std::string& path);

}  // namespace tensortap::store
