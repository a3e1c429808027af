// RecordWriter: appends framed records to one file, each whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/file.h"
#include "tensortap/result.h"

namespace tensortap::wire {

// How records leave the process.
struct RecordWriterOptions {
  // Bytes gathered before they are handed to the operating system.
  std::size_t buffer_bytes = 64 << 10;
  // Bytes kept for later while the disk refuses them; beyond that append() fails.
  std::size_t max_unwritten_bytes = 4 << 20;
  // The pause between two tries on a disk that refuses.
  std::int64_t retry_ms = 200;
};

// Gathers records and writes them in one piece. When the disk refuses (full, broken), the file is cut back to its last
// whole record, the gathered records are kept, and a later call tries again.
//
// Threads:  one at a time.
// Failure:  append(): kIo when the record was not taken; it is then in no way in the file.
//           flush(), sync(), close(): kIo while records are still waiting.
// Lifetime: the destructor closes the file without reporting; what was not flushed is lost.
class RecordWriter {
 public:
  RecordWriter(std::unique_ptr<File> file, RecordWriterOptions options = {});

  // Takes one record, given in pieces. `counted` says whether written_records() shall count it.
  // A large record goes straight from its pieces to the file, without a copy.
  Status append(std::span<const Bytes> pieces, bool counted = true);

  // Hands everything gathered to the operating system: it survives the death of the process.
  Status flush();

  // As flush(), and waits for the device.
  Status sync();

  Status close();

  std::uint64_t written_bytes() const { return written_bytes_; }
  // Counted records the operating system has, and those still gathered here.
  std::uint64_t written_records() const { return written_records_; }
  std::uint64_t waiting_records() const { return waiting_records_; }

  const std::string& path() const { return file_->path(); }

 private:
  Status append_directly(std::uint64_t length, std::span<const Bytes> pieces, bool counted);
  void gather(std::uint64_t length, std::span<const Bytes> pieces);
  // One append to the file, undone if it fails.
  Status write_whole(std::span<const Bytes> pieces, std::uint64_t total_bytes);
  Status cut_back();

  std::unique_ptr<File> file_;
  RecordWriterOptions options_;
  std::string gathered_;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t written_records_ = 0;
  std::uint64_t waiting_records_ = 0;
  bool torn_ = false;  // bytes of a failed write stand behind written_bytes_
  std::int64_t retry_at_nanos_ = 0;
  Status last_error_;
};

}  // namespace tensortap::wire
