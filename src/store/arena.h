// Arena: memory for what is written once and dropped together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace tensortap::store {

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using ByteBlock = std::unique_ptr<std::byte[], FreeBytes>;

// Memory with nothing in it. Large blocks ask for large pages: touching fresh memory page by page takes longer than
// filling it.
ByteBlock make_block(std::size_t size_bytes);

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

  static constexpr std::size_t kMaxBlockBytes = std::size_t{4} << 20;
  std::vector<ByteBlock> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_size_ = 4096;
};

}  // namespace tensortap::store
