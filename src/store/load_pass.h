// LoadPass: reads what was added to many files, on all processors.
//
// Every thread takes files of its own. When none is left it helps with those that are still being read, so that one
// large file is no slower than many small ones.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "store/followed_file.h"

namespace tensortap::store {

// Returns when everything is read, or soon after `stop` is set. `read_bytes` grows meanwhile.
void load(std::span<const std::shared_ptr<FollowedFile>> files, unsigned threads,
          std::atomic<std::uint64_t>& read_bytes, const std::atomic<bool>& stop);

}  // namespace tensortap::store
