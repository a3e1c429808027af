// Workspace: the memory a thread keeps between tensors.
#pragma once

#include <array>
#include <cstddef>

#include "stats/bucket_table.h"
#include "stats/key_counts.h"

namespace tensortap::stats {

// Elements converted at a time: small enough for the blocks to stay in the first-level cache beside the
// occupied part of the table.
inline constexpr std::size_t kFloatBlock = 4096;
inline constexpr std::size_t kDoubleBlock = 2048;

// Threads:  each has its own.
// Failure:  std::bad_alloc on a thread's first tensor.
// Lifetime: from a thread's first tensor to its end. `table` and `keys` are empty between tensors, so that
//           nothing needs clearing up front.
struct Workspace {
  BucketTable table;
  KeyCounts keys;
  alignas(64) std::array<std::byte, kDoubleBlock * 16> gathered;
  alignas(64) std::array<std::byte, kDoubleBlock * 8> converted;

  static_assert(sizeof(converted) >= kFloatBlock * sizeof(float));
  static_assert(sizeof(gathered) >= kFloatBlock * 8);
};

Workspace& thread_workspace();

}  // namespace tensortap::stats
