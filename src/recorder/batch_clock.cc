// BatchClock: whoever knows more about the batch is believed.
#include "recorder/batch_clock.h"

namespace tensortap::recorder {

void BatchClock::begin_batch(std::int64_t step, Phase phase) {
  if (phase == Phase::kTrain) store_step(step);
  std::lock_guard lock(mutex_);
  batch_ = {step, phase, batch_.serial + 1};
}

void BatchClock::end_batches() {
  std::lock_guard lock(mutex_);
  batch_ = {std::nullopt, Phase::kNone, batch_.serial};
}

BatchMark BatchClock::batch() const {
  std::lock_guard lock(mutex_);
  if (batch_.step) return batch_;
  // No watched model runs: the program itself may count.
  return {published_step(), Phase::kNone, published_serial_};
}

void BatchClock::publish_step(std::int64_t step) {
  store_step(step);
  std::lock_guard lock(mutex_);
  ++published_serial_;
}

std::optional<std::int64_t> BatchClock::published_step() const {
  if (!has_step_.load(std::memory_order_acquire)) return std::nullopt;
  return step_.load(std::memory_order_relaxed);
}

std::uint64_t BatchClock::published_serial() const {
  std::lock_guard lock(mutex_);
  return published_serial_;
}

void BatchClock::store_step(std::int64_t step) {
  step_.store(step, std::memory_order_relaxed);
  has_step_.store(true, std::memory_order_release);
}

}  // namespace tensortap::recorder
