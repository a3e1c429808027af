// CaptureQueue: what waits between the trainer's threads and the worker, limited in bytes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "recorder/payload.h"
#include "recorder/tag_table.h"
#include "tensortap/run_options.h"

namespace tensortap::recorder {

class Channel;

// One capture on its way. A scalar has no payload and no memory of its own.
struct QueuedCapture {
  Channel* channel = nullptr;
  Tag* tag = nullptr;
  std::int64_t step = 0;
  double wall_secs = 0;
  double value = 0;
  std::int64_t epoch = kNoEpoch;
  std::uint64_t bytes = 0;
  Phase phase = Phase::kNone;
  PayloadPtr payload;
};

// How an offer ended.
enum class Admission { kAdmitted, kFull, kTooLarge, kClosed, kForked };

// How an offer of several ended: the first that was not admitted, if any.
struct OfferOutcome {
  Admission admission = Admission::kAdmitted;
  std::size_t index = 0;
};

// What the queue has seen. offered == taken from it + waiting in it + dropped.
struct QueueCounts {
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
  std::uint64_t queue_bytes = 0;
  std::uint64_t peak_queue_bytes = 0;
  double caller_seconds = 0;
};

// What the worker gets at once.
struct Batch {
  std::vector<QueuedCapture> captures;
  std::uint64_t flush_ticket = 0;  // every capture offered before this flush was asked for is in a batch by now
  bool sync = false;
  bool closing = false;
};

// Two vectors that change places: producers fill one under a short lock, the worker empties the other without any.
// A producer wakes the worker only when much has gathered; otherwise the worker comes by itself every flush_ms, so
// that a scalar costs its caller no system call.
//
// Threads:  any number of producers, one worker.
// Failure:  Admission says how an offer ended; nothing throws but for memory.
// Lifetime: lives as long as its Recorder.
class CaptureQueue {
 public:
  explicit CaptureQueue(const RunOptions& options);

  // Offers a capture of `capture.bytes` and stamps it with the time.
  Admission offer(QueuedCapture capture);

  // Offers several under one lock. Those not admitted keep their payloads, for the caller to destroy.
  OfferOutcome offer_all(std::vector<QueuedCapture>& captures);

  // In two steps, for what has to be copied first: reserve() counts the offer and sets bytes aside, push() completes
  // it.
  Admission reserve(std::uint64_t bytes);
  void push(QueuedCapture capture);

  // Counts an offer that was admitted but could not be made (no memory), or was lost later.
  void count_dropped(std::uint64_t captures, std::uint64_t reserved_bytes);

  // Counts an offer that can never be recorded.
  void count_refused();

  // Worker: waits for work, for a flush, for the end, or for flush_ms. `batch` comes back filled.
  void take(Batch& batch);
  // Worker: `bytes` of a taken batch are free again.
  void release(std::uint64_t bytes);
  // Worker: everything up to the ticket is done.
  void finish_flush(std::uint64_t ticket, const Status& status);
  void finish_close();

  // Waits until the worker has handed over everything offered before.
  Status flush(bool sync);
  // Admits no more and waits for finish_close(), at most `timeout_ms`. False on time-out.
  bool close(std::int64_t timeout_ms);

  void add_caller_nanos(std::int64_t nanos) { caller_nanos_.fetch_add(nanos, std::memory_order_relaxed); }
  QueueCounts counts() const;
  bool closed() const;
  double now_secs() const { return clock_.now_secs(); }

  // fork(): see fork_guard.h.
  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }
  void mark_forked() { forked_ = true; }
  bool forked() const { return forked_.load(std::memory_order_relaxed); }

 private:
  Admission admit(std::unique_lock<std::mutex>& lock, std::uint64_t bytes);
  bool has_room(std::uint64_t bytes) const;
  // Times are taken under the lock, so that they never run backwards in a file.
  void append(QueuedCapture capture, double now_secs);

  const std::uint64_t max_bytes_;
  const std::uint64_t wake_bytes_;
  const WhenFull when_full_;
  const std::int64_t wait_ms_;
  const std::int64_t flush_ms_;
  const WallClock clock_;

  mutable std::mutex mutex_;
  std::condition_variable worker_wakes_;
  std::condition_variable room_appears_;
  std::condition_variable worker_done_;
  std::vector<QueuedCapture> waiting_;
  std::uint64_t waiting_bytes_ = 0;  // in waiting_, as opposed to queue_bytes, which counts taken batches too
  QueueCounts counts_;
  std::atomic<std::int64_t> caller_nanos_{0};
  bool wake_ = false;
  bool closing_ = false;
  bool closed_ = false;
  std::atomic<bool> forked_{false};
  bool sync_requested_ = false;
  std::uint64_t flush_requested_ = 0;
  std::uint64_t flush_taken_ = 0;
  std::uint64_t flush_finished_ = 0;
  Status flush_status_;
};

}  // namespace tensortap::recorder
