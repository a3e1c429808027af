// File: the one seam through which recording touches a disk.
//
// PosixFile is the real one. MemoryFile keeps the bytes, so that a test can look at them; FailingFile plays a disk
// that is full, slow to accept, or broken. Nothing above this seam knows which it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/result.h"

namespace tensortap {

using Bytes = std::span<const std::byte>;

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// One file, open for appending, owned by one writer.
//
// Threads:  one at a time.
// Failure:  kIo with the path and the system's reason. After a failed append the file may hold a part of the bytes:
//           truncate() cuts them off.
// Lifetime: the destructor closes without reporting; call close() to know.
class File {
 public:
  virtual ~File() = default;

  // Appends all pieces in order; returns when the operating system has them.
  virtual Status append(std::span<const Bytes> pieces) = 0;

  // Cuts the file to `size_bytes`, from where the next append goes on.
  virtual Status truncate(std::uint64_t size_bytes) = 0;

  // Returns when the bytes are on the device.
  virtual Status sync() = 0;

  virtual Status close() = 0;

  virtual const std::string& path() const = 0;
};

// Makes files and directories; a test puts a fake in its place.
//
// Threads:  any.
// Failure:  kIo with path and reason; create() of a name that exists is kInvalidArgument, so that the caller can
//           choose another; what is done with a file that is not there is kNotFound.
// Lifetime: outlives its files.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Creates `path`, which must not exist yet.
  virtual Result<std::unique_ptr<File>> create(const std::string& path) = 0;

  // Opens `path`, which must exist; appends go on at its end.
  virtual Result<std::unique_ptr<File>> open(const std::string& path) = 0;

  virtual Result<std::uint64_t> size_bytes(const std::string& path) = 0;

  // Up to `max_bytes` from `offset`; empty at the end of the file.
  virtual Result<std::string> read(const std::string& path, std::uint64_t offset, std::size_t max_bytes) = 0;

  // Gives a file another name, at once; a file that had that name is gone.
  virtual Status rename(const std::string& from, const std::string& to) = 0;

  // Fine if there is no such file.
  virtual Status remove(const std::string& path) = 0;

  // The files in a directory and in those `depth` levels below it, by their paths within it, in order; none of a
  // directory that is not there.
  virtual Result<std::vector<std::string>> list(const std::string& directory, int depth) = 0;

  // Makes a directory and its parents; fine if it is there.
  virtual Status make_directories(const std::string& path) = 0;

  // Makes the names in a directory durable.
  virtual Status sync_directory(const std::string& path) = 0;
};

// The operating system's files.
FileSystem& posix_file_system();

}  // namespace tensortap
