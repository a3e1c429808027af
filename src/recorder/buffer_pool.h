// BufferPool: memory for copied tensors, used again instead of asked for again.
//
// A fresh block of some megabytes costs a page fault for every 4 KiB when it is first written, which is more than the
// copy itself; a training loop copies the same sizes over and over.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tensortap::recorder {

// Threads:  any.
// Failure:  take() returns null when there is no memory.
// Lifetime: buffers may outlive the pool; they are then freed.
class BufferPool {
 public:
  // Keeps at most `keep_bytes` of unused memory.
  explicit BufferPool(std::size_t keep_bytes = std::size_t{64} << 20);

  // At least `size_bytes`, aligned for any kernel; its contents are not defined.
  std::shared_ptr<std::byte> take(std::size_t size_bytes);

  std::size_t unused_bytes() const;

 private:
  struct Buffer {
    std::unique_ptr<std::byte, void (*)(void*)> data;
    std::size_t size_bytes;
  };
  struct State {
    std::mutex mutex;
    std::vector<Buffer> unused;
    std::size_t unused_bytes = 0;
    std::size_t keep_bytes = 0;
  };
  static void give_back(const std::weak_ptr<State>& weak_state, Buffer buffer);

  std::shared_ptr<State> state_;
};

}  // namespace tensortap::recorder
