// Recorder: the queue, the worker thread and the channels of one run with its sub-runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/file.h"
#include "recorder/batch_clock.h"
#include "recorder/buffer_pool.h"
#include "recorder/capture_queue.h"
#include "recorder/channel.h"
#include "recorder/fork_guard.h"
#include "recorder/sink_set.h"
#include "tensortap/run_options.h"
#include "tensortap/run_report.h"

namespace tensortap::recorder {

// Threads:  any; its worker is the only one that touches files after open().
// Failure:  the first error is kept; nothing of it reaches the trainer.
// Lifetime: shared by the handles of its channels and by its worker. The root's handle closes it.
class Recorder : public std::enable_shared_from_this<Recorder> {
 public:
  Recorder(const RunOptions& options, FileSystem& file_system);
  ~Recorder();

  // Makes the root channel and starts the worker.
  Status start(const std::string& path);

  std::shared_ptr<Channel> root();
  Result<std::shared_ptr<Channel>> sub(const Channel& parent, std::string_view name);

  Status flush(bool sync);
  Status close(bool success);

  CaptureQueue& queue() { return queue_; }
  BufferPool& buffers() { return buffers_; }
  const RunOptions& options() const { return options_; }

  void remember(const Status& error);
  Status first_error() const;
  bool has_error() const { return has_error_.load(std::memory_order_relaxed); }
  RunReport report() const;

  const Channel& root_channel() const { return *channels_.front(); }

  BatchClock& clock() { return clock_; }

 private:
  // What the worker has done; it publishes this after each batch.
  struct WorkerCounts {
    std::uint64_t written = 0;
    std::uint64_t bytes = 0;
    std::uint64_t histograms_thinned = 0;
    std::int64_t cpu_nanos = 0;
    std::vector<SinkReport> sinks;
  };

  Status start_worker();
  void work();
  void deliver_all(Batch& batch);
  void deliver(QueuedCapture& capture);
  Status flush_channels(bool sync);
  void record_loss();
  // kIo when captures were dropped since the flush before: what is gone cannot survive anything.
  Status loss_since_flush(std::uint64_t ticket);
  void close_channels();
  void publish_counts();
  std::vector<Channel*> channels() const;
  std::shared_ptr<Channel> handle(Channel* channel) { return {shared_from_this(), channel}; }

  const RunOptions options_;
  FileSystem& file_system_;
  CaptureQueue queue_;
  ForkGuard fork_guard_{queue_};
  BufferPool buffers_;
  SinkSet sinks_;  // besides the run directory; the worker's alone once it runs

  mutable std::mutex channels_mutex_;
  std::vector<std::unique_ptr<Channel>> channels_;  // the root first; only ever grows

  mutable std::mutex error_mutex_;
  Status first_error_;
  std::atomic<bool> has_error_{false};

  mutable std::mutex counts_mutex_;
  WorkerCounts worker_counts_;
  std::uint64_t recorded_loss_ = 0;
  std::uint64_t flushed_loss_ = 0;
  std::uint64_t flush_ticket_ = 0;

  BatchClock clock_;

  std::mutex close_mutex_;
  bool success_ = true;
  std::unique_ptr<std::thread> worker_;
};

}  // namespace tensortap::recorder
