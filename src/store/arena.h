// Arena: memory for what is written once and dropped together.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace tensortap::store {

// Gives memory back to where it came from.
struct FreeBytes {
  std::size_t mapped_bytes = 0;  // 0: out of malloc
  void operator()(std::byte* bytes) const {
    if (mapped_bytes == 0) {
      std::free(bytes);
    } else {
      ::munmap(bytes, mapped_bytes);
    }
  }
};
using ByteBlock = std::unique_ptr<std::byte[], FreeBytes>;

// Memory with nothing in it.
inline ByteBlock make_block(std::size_t size_bytes) {
  ByteBlock block(static_cast<std::byte*>(std::malloc(std::max<std::size_t>(size_bytes, 1))));
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

// Threads:  one at a time.
// Failure:  std::bad_alloc.
// Lifetime: what it gives lives as long as the arena; it never moves.
class Arena {
 public:
  // `size_bytes` bytes, aligned for doubles.
  std::byte* take(std::size_t size_bytes) {
    size_bytes = (size_bytes + 7) & ~std::size_t{7};
    if (size_bytes > left_) grow(size_bytes);
    std::byte* taken = next_;
    next_ += size_bytes;
    left_ -= size_bytes;
    return taken;
  }

  // Keeps a block that was filled elsewhere.
  void adopt(ByteBlock block) { blocks_.push_back(std::move(block)); }

 private:
  // Blocks double, so that small files cost little and large ones few calls.
  void grow(std::size_t at_least) {
    const std::size_t size = std::max(at_least, next_size_);
    next_size_ = std::min(next_size_ * 2, kMaxBlockBytes);
    blocks_.push_back(make_block(size));
    next_ = blocks_.back().get();
    left_ = size;
  }

  static constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 20;
  std::vector<ByteBlock> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_size_ = 4096;
};

}  // namespace tensortap::store
