// Arena: where its blocks come from.
#include "store/arena.h"

#include <sys/mman.h>

#include <new>

namespace tensortap::store {

ByteBlock make_block(std::size_t size_bytes) {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  ByteBlock block;
  if (size_bytes < kLargePage) {
    block.reset(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(size_bytes, 1))));
  } else {
    const std::size_t rounded = (size_bytes + kLargePage - 1) / kLargePage * kLargePage;
    block.reset(static_cast<std::byte*>(std::aligned_alloc(kLargePage, rounded)));
    // Only advice: without large pages everything works as before.
    if (block != nullptr) ::madvise(block.get(), size_bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
  }
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace tensortap::store
