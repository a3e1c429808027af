// BatchClock: how far the training has come, for whatever finds its step when it executes.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "tensortap/media.h"

namespace tensortap::recorder {

// The batch that runs.
struct BatchMark {
  std::optional<std::int64_t> step = std::nullopt;  // empty: nobody has told
  Phase phase = Phase::kNone;
  std::uint64_t serial = 0;  // grows with each batch; 0: nobody tells of batches
};

// A watched model tells of its batches; the program itself may publish steps and epochs. One for a run with all its
// sub-runs.
//
// Threads:  any.
// Failure:  none.
// Lifetime: its recorder's.
class BatchClock {
 public:
  // A batch of a watched model begins; one that trains also publishes its step.
  void begin_batch(std::int64_t step, Phase phase);
  // No batch of a watched model runs any more.
  void end_batches();
  BatchMark batch() const;

  // The step of the batch that just ran, for calls without one.
  void publish_step(std::int64_t step);
  std::optional<std::int64_t> published_step() const;
  // How often the program itself has published one.
  std::uint64_t published_serial() const;

  // -1: none.
  void publish_epoch(std::int64_t epoch) { epoch_.store(epoch, std::memory_order_relaxed); }
  std::int64_t published_epoch() const { return epoch_.load(std::memory_order_relaxed); }

 private:
  void store_step(std::int64_t step);

  mutable std::mutex mutex_;
  BatchMark batch_;
  std::uint64_t published_serial_ = 0;
  // Read at every scalar without a step: no lock.
  std::atomic<std::int64_t> step_{0};
  std::atomic<bool> has_step_{false};
  std::atomic<std::int64_t> epoch_{-1};
};

}  // namespace tensortap::recorder
