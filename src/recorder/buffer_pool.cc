// BufferPool: a short list of unused blocks.
#include "recorder/buffer_pool.h"

#include <algorithm>
#include <cstdlib>

namespace tensortap::recorder {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kGranularity = 4096;

}  // namespace

BufferPool::BufferPool(std::size_t keep_bytes) : state_(std::make_shared<State>()) { state_->keep_bytes = keep_bytes; }

std::shared_ptr<std::byte> BufferPool::take(std::size_t size_bytes) {
  const std::size_t rounded = (std::max<std::size_t>(size_bytes, 1) + kGranularity - 1) / kGranularity * kGranularity;
  Buffer buffer{{nullptr, std::free}, 0};
  {
    std::lock_guard lock(state_->mutex);
    auto best = state_->unused.end();
    for (auto it = state_->unused.begin(); it != state_->unused.end(); ++it) {
      // A block of twice the size or more would hide what memory is really in use.
      if (it->size_bytes < rounded || it->size_bytes > 2 * rounded) continue;
      if (best == state_->unused.end() || it->size_bytes < best->size_bytes) best = it;
    }
    if (best != state_->unused.end()) {
      state_->unused_bytes -= best->size_bytes;
      buffer = std::move(*best);
      state_->unused.erase(best);
    }
  }
  if (!buffer.data) {
    buffer.data.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded)));
    buffer.size_bytes = rounded;
    if (!buffer.data) return nullptr;
  }
  std::byte* data = buffer.data.release();
  std::size_t capacity = buffer.size_bytes;
  return std::shared_ptr<std::byte>(data, [weak_state = std::weak_ptr<State>(state_), capacity](std::byte* bytes) {
    give_back(weak_state, Buffer{{bytes, std::free}, capacity});
  });
}

void BufferPool::give_back(const std::weak_ptr<State>& weak_state, Buffer buffer) {
  std::shared_ptr<State> state = weak_state.lock();
  if (!state) return;
  std::lock_guard lock(state->mutex);
  if (state->unused_bytes + buffer.size_bytes > state->keep_bytes) return;
  state->unused_bytes += buffer.size_bytes;
  state->unused.push_back(std::move(buffer));
}

std::size_t BufferPool::unused_bytes() const {
  std::lock_guard lock(state_->mutex);
  return state_->unused_bytes;
}

}  // namespace tensortap::recorder
