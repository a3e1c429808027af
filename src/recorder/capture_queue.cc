// CaptureQueue: one mutex, held for a push or a swap.
#include "recorder/capture_queue.h"

#include <algorithm>
#include <chrono>

namespace tensortap::recorder {
namespace {

// Enough to be worth a system call of the producer, and two writes of the worker: with the tensors of every step of a
// small network, waking at 64 KiB costs a tenth more processor time in all. Less in a queue that would be full by then.
constexpr std::uint64_t kWakeBytes = 2 << 20;

}  // namespace

CaptureQueue::CaptureQueue(const RunOptions& options)
    : max_bytes_(options.queue_bytes),
      wake_bytes_(std::min(kWakeBytes, options.queue_bytes / 2)),
      when_full_(options.when_full),
      wait_ms_(options.wait_ms),
      flush_ms_(options.flush_ms) {}

bool CaptureQueue::has_room(std::uint64_t bytes) const { return counts_.queue_bytes + bytes <= max_bytes_; }

Admission CaptureQueue::admit(std::unique_lock<std::mutex>& lock, std::uint64_t bytes) {
  if (closing_ || closed_) return Admission::kClosed;
  ++counts_.offered;
  if (forked_) {
    ++counts_.dropped;
    return Admission::kForked;
  }
  if (bytes > max_bytes_) {
    ++counts_.dropped;
    return Admission::kTooLarge;
  }
  if (!has_room(bytes) && when_full_ != WhenFull::kDrop) {
    wake_ = true;
    worker_wakes_.notify_one();
    room_appears_.wait_for(lock, std::chrono::milliseconds(wait_ms_), [&] { return has_room(bytes) || closing_; });
  }
  if (!has_room(bytes) || closing_) {
    ++counts_.dropped;
    return Admission::kFull;
  }
  counts_.queue_bytes += bytes;
  counts_.peak_queue_bytes = std::max(counts_.peak_queue_bytes, counts_.queue_bytes);
  return Admission::kAdmitted;
}

void CaptureQueue::append(QueuedCapture capture, double now_secs) {
  capture.wall_secs = now_secs;
  waiting_bytes_ += capture.bytes;
  waiting_.push_back(std::move(capture));
  if (waiting_bytes_ >= wake_bytes_ && !wake_) {
    wake_ = true;
    worker_wakes_.notify_one();
  }
}

Admission CaptureQueue::offer(QueuedCapture capture) {
  std::unique_lock lock(mutex_);
  Admission admission = admit(lock, capture.bytes);
  if (admission == Admission::kAdmitted) append(std::move(capture), clock_.now_secs());
  return admission;
}

OfferOutcome CaptureQueue::offer_all(std::vector<QueuedCapture>& captures) {
  OfferOutcome outcome;
  std::unique_lock lock(mutex_);
  const double now_secs = clock_.now_secs();
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const Admission admission = admit(lock, captures[i].bytes);
    if (admission == Admission::kAdmitted) {
      append(std::move(captures[i]), now_secs);
    } else if (outcome.admission == Admission::kAdmitted) {
      outcome = {admission, i};
    }
  }
  return outcome;
}

Admission CaptureQueue::reserve(std::uint64_t bytes) {
  std::unique_lock lock(mutex_);
  return admit(lock, bytes);
}

void CaptureQueue::push(QueuedCapture capture) {
  std::lock_guard lock(mutex_);
  // A run closed between reserve() and push() has no worker any more.
  if (closed_) {
    ++counts_.dropped;
    counts_.queue_bytes -= capture.bytes;
    return;
  }
  append(std::move(capture), clock_.now_secs());
}

void CaptureQueue::count_dropped(std::uint64_t captures, std::uint64_t reserved_bytes) {
  std::lock_guard lock(mutex_);
  counts_.dropped += captures;
  counts_.queue_bytes -= reserved_bytes;
}

void CaptureQueue::count_refused() {
  std::lock_guard lock(mutex_);
  ++counts_.offered;
  ++counts_.dropped;
}

void CaptureQueue::take(Batch& batch) {
  batch.captures.clear();
  std::unique_lock lock(mutex_);
  worker_wakes_.wait_for(lock, std::chrono::milliseconds(flush_ms_),
                         [&] { return wake_ || closing_ || flush_requested_ > flush_taken_; });
  wake_ = false;
  waiting_.swap(batch.captures);
  waiting_bytes_ = 0;
  flush_taken_ = flush_requested_;
  batch.flush_ticket = flush_taken_;
  batch.sync = std::exchange(sync_requested_, false);
  batch.closing = closing_;
}

void CaptureQueue::release(std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  counts_.queue_bytes -= bytes;
  if (when_full_ != WhenFull::kDrop) room_appears_.notify_all();
}

void CaptureQueue::finish_flush(std::uint64_t ticket, const Status& status) {
  std::lock_guard lock(mutex_);
  if (ticket <= flush_finished_) return;
  flush_finished_ = ticket;
  flush_status_ = status;
  worker_done_.notify_all();
}

void CaptureQueue::finish_close() {
  std::lock_guard lock(mutex_);
  // What was reserved but not pushed in time finds closed_ set, and counts itself as dropped.
  for (QueuedCapture& capture : waiting_) {
    ++counts_.dropped;
    counts_.queue_bytes -= capture.bytes;
  }
  waiting_.clear();
  closed_ = true;
  worker_done_.notify_all();
}

Status CaptureQueue::flush(bool sync) {
  std::unique_lock lock(mutex_);
  if (closing_ || closed_ || forked_) return {};
  const std::uint64_t ticket = ++flush_requested_;
  sync_requested_ |= sync;
  worker_wakes_.notify_one();
  worker_done_.wait(lock, [&] { return flush_finished_ >= ticket || closed_; });
  return flush_status_;
}

bool CaptureQueue::close(std::int64_t timeout_ms) {
  std::unique_lock lock(mutex_);
  if (closed_ || forked_) return true;
  closing_ = true;
  worker_wakes_.notify_one();
  room_appears_.notify_all();
  return worker_done_.wait_for(lock, std::chrono::milliseconds(timeout_ms), [&] { return closed_; });
}

QueueCounts CaptureQueue::counts() const {
  std::lock_guard lock(mutex_);
  QueueCounts counts = counts_;
  counts.caller_seconds = static_cast<double>(caller_nanos_.load(std::memory_order_relaxed)) * 1e-9;
  return counts;
}

bool CaptureQueue::closed() const {
  std::lock_guard lock(mutex_);
  return closing_ || closed_;
}

}  // namespace tensortap::recorder
