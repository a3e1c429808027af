// BlockReader: a tensor of any dtype and layout as blocks of floats or doubles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stats/workspace.h"
#include "tensortap/tensor_view.h"

namespace tensortap::stats {

// Aligned, contiguous float32 and float64 are read in place; everything else passes through the
// workspace, a block at a time.
//
// Threads:  one at a time.
// Failure:  none; the view must be valid and of a dtype wider than one byte.
// Lifetime: a block is valid until the next is read. View and workspace must outlive the reader.
class BlockReader {
 public:
  BlockReader(const TensorView& view, Workspace& workspace);

  std::uint64_t count() const { return count_; }

  // Elements [first, first + size). T = double for the dtypes of needs_doubles(), with size at most
  // kDoubleBlock; else float, with at most kFloatBlock.
  template <typename T>
  const T* read(std::uint64_t first, std::size_t size);

 private:
  const void* read_raw(std::uint64_t first, std::size_t size);

  const TensorView& view_;
  Workspace& workspace_;
  std::uint64_t count_;
  bool in_place_;
};

// Calls body(block, size) for all of a tensor, in order.
template <typename T, typename Body>
void for_each_block(BlockReader& reader, Body body) {
  constexpr std::size_t kBlock = sizeof(T) == sizeof(double) ? kDoubleBlock : kFloatBlock;
  for (std::uint64_t first = 0; first < reader.count(); first += kBlock) {
    const std::uint64_t rest = reader.count() - first;
    const std::size_t size = rest < kBlock ? static_cast<std::size_t>(rest) : kBlock;
    body(reader.read<T>(first, size), size);
  }
}

}  // namespace tensortap::stats
