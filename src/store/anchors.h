// Anchors: checksums of both ends of what was read of a file, by which we see later that it is still the same.
//
// Neither inode nor size tells a file that grew from one that was rewritten in place.
#pragma once

#include <cstdint>

#include "store/read_file.h"

namespace tensortap::store {

struct Anchors {
  std::uint64_t offset = 0;  // how much was read
  std::uint32_t head = 0;    // CRC of its first bytes
  std::uint32_t tail = 0;    // CRC of its last bytes
  bool operator==(const Anchors&) const = default;
};

// Of the first `offset` bytes of `file`; an offset beyond the file's end gives anchors that fit nothing.
Result<Anchors> anchors_of(const ReadFile& file, std::uint64_t offset);

}  // namespace tensortap::store
