// FileHealth: whether every record of a file is whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/run_files.h"
#include "tensortap/result.h"

namespace tensortap::store {

// Bytes that are no whole record.
struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::string reason;
};

struct FileHealth {
  std::uint64_t size_bytes = 0;
  std::uint64_t records = 0;          // whole, and with contents that can be read
  std::uint64_t torn_tail_bytes = 0;  // a last record that is not complete: being written, or cut off by a crash
  std::vector<Damage> damage;
};

// Reads the file from start to end, checks every CRC and decodes every record.
// After damaged bytes it goes on at the next header that checks itself, so that one bad record costs only itself.
// kIo when the file cannot be read.
Result<FileHealth> check_file(const RunFile& file);

}  // namespace tensortap::store
