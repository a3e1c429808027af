// Recorder: the worker's loop, from batches to files.
#include "recorder/recorder.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <new>
#include <system_error>

#include "base/try.h"
#include "base/utf8.h"
#include "recorder/open_runs.h"
#include "recorder/run_directory.h"
#include "recorder/run_writer.h"

namespace tensortap::recorder {
namespace {

// Memory is given back in steps of this size while a batch is worked off.
constexpr std::uint64_t kReleaseBytes = 1 << 20;

Status check_sub_name(std::string_view name) {
  bool bad = name.empty() || !is_valid_utf8(name) || name.front() == '/' || name.find('\0') != std::string_view::npos;
  for (std::size_t start = 0; !bad && start <= name.size();) {
    const std::size_t slash = std::min(name.find('/', start), name.size());
    const std::string_view part = name.substr(start, slash - start);
    bad = part.empty() || part == "." || part == "..";
    start = slash + 1;
  }
  if (!bad) return {};
  return Status(StatusCode::kInvalidArgument, "'" + std::string(name) +
                                                  "' is no name for a sub-run; use a relative path such as val or "
                                                  "worker/3");
}

Status deliver_to(Sink& sink, const CaptureInfo& info, QueuedCapture& capture) {
  if (!capture.payload) return sink.scalar(info, capture.value);
  return capture.payload->deliver(info, sink);
}

}  // namespace

Recorder::Recorder(const RunOptions& options, FileSystem& file_system)
    : options_(options), file_system_(file_system), queue_(options) {}

Recorder::~Recorder() {
  if (!channels_.empty()) remove_open_run(*channels_.front());
  // In a forked child the thread does not exist, and must be neither joined nor detached.
  if (queue_.forked()) (void)worker_.release();  // NOLINT(bugprone-unused-return-value): left alone on purpose
}

Status Recorder::start(const std::string& path) {
  if (options_.resume_step && options_.mode != RunMode::kResume) {
    return Status(StatusCode::kInvalidArgument, "resume_step needs mode resume");
  }
  const double now = queue_.now_secs();
  TENSORTAP_TRY(sinks_.make(options_.sinks));
  auto claimed = claim_directory(file_system_, path, options_.mode, now);
  if (!claimed.ok()) return claimed.status();
  const std::string first_file = claimed->captures->path();
  auto writer = std::make_unique<RunWriter>(file_system_, claimed->path, options_, std::move(claimed->captures), now);
  // The first write shows what a directory that exists does not: a full disk, a quota.
  TENSORTAP_TRY(writer->flush());
  channels_.emplace_back(new Channel(*this, claimed->path, "", std::move(writer)));
  if (Status begun = sinks_.begin({claimed->path, now}); !begun.ok()) {
    // The next try must not find a run here.
    channels_.clear();
    (void)file_system_.remove(first_file);
    return begun;
  }
  channels_.front()->notes_ = std::move(claimed->notes);
  for (std::string& note : sinks_.notes()) channels_.front()->notes_.push_back(std::move(note));
  TENSORTAP_TRY(start_worker());
  channels_.front()->number_ = add_open_run(root());
  return {};
}

Status Recorder::start_worker() {
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    worker_ = std::make_unique<std::thread>([self = shared_from_this()] { self->work(); });
    pthread_setname_np(worker_->native_handle(), "tensortap");
  } catch (const std::system_error& error) {
    status = Status(StatusCode::kIo, std::string("cannot start the recorder's thread: ") + error.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

std::shared_ptr<Channel> Recorder::root() { return handle(channels_.front().get()); }

Result<std::shared_ptr<Channel>> Recorder::sub(const Channel& parent, std::string_view name) {
  TENSORTAP_TRY(check_sub_name(name));
  const std::string path = parent.path() + "/" + std::string(name);
  std::lock_guard lock(channels_mutex_);
  for (const auto& channel : channels_) {
    if (channel->path() == path) return handle(channel.get());
  }
  TENSORTAP_TRY(file_system_.make_directories(path));
  auto writer = std::make_unique<RunWriter>(file_system_, path, options_, nullptr, queue_.now_secs());
  const std::string sub_run = path.substr(channels_.front()->path().size() + 1);
  channels_.emplace_back(new Channel(*this, path, sub_run, std::move(writer)));
  std::shared_ptr<Channel> child = handle(channels_.back().get());
  child->number_ = add_open_run(child);
  return child;
}

std::vector<Channel*> Recorder::channels() const {
  std::lock_guard lock(channels_mutex_);
  std::vector<Channel*> list;
  list.reserve(channels_.size());
  for (const auto& channel : channels_) list.push_back(channel.get());
  return list;
}

void Recorder::work() {
  Batch batch;
  while (true) {
    queue_.take(batch);
    deliver_all(batch);
    record_loss();
    Status flushed = flush_channels(batch.sync);
    if (flushed.ok()) flushed = loss_since_flush(batch.flush_ticket);
    publish_counts();
    queue_.finish_flush(batch.flush_ticket, flushed);
    if (batch.closing && batch.captures.empty()) break;
  }
  close_channels();
  publish_counts();
  queue_.finish_close();
}

void Recorder::deliver_all(Batch& batch) {
  std::uint64_t free_bytes = 0;
  for (QueuedCapture& capture : batch.captures) {
    deliver(capture);
    capture.payload.reset();
    free_bytes += capture.bytes;
    if (free_bytes >= kReleaseBytes) queue_.release(std::exchange(free_bytes, 0));
  }
  if (free_bytes > 0) queue_.release(free_bytes);
}

void Recorder::deliver(QueuedCapture& capture) {
  Tag& tag = *capture.tag;
  CaptureInfo info{tag.number,
                   {{capture.wall_secs, capture.step}, tag.name, capture.phase, tag.sequence++},
                   capture.epoch,
                   capture.channel->sub_run()};
  Status status;
  try {
    if (capture.payload) status = capture.payload->prepare();
    if (status.ok()) {
      status = deliver_to(*capture.channel->writer_, info, capture);
      // Whatever the run directory says: a full disk there is no reason to keep it from a database elsewhere.
      sinks_.deliver([&](Sink& sink) { return deliver_to(sink, info, capture); });
    }
  } catch (const std::bad_alloc&) {
    // An image or a gathered tensor may need more memory than there is; the training must not end for it.
    status = Status(StatusCode::kIo, "no memory to encode it");
  }
  if (status.ok()) return;
  queue_.count_dropped(1, 0);
  remember(
      Status(status.code(), "'" + tag.name + "' at step " + std::to_string(capture.step) + ": " + status.message()));
}

Status Recorder::flush_channels(bool sync) {
  Status first;
  for (Channel* channel : channels()) {
    Status status = sync ? channel->writer_->sync() : channel->writer_->flush();
    if (!status.ok() && first.ok()) first = status;
  }
  Status sinks = sinks_.flush(sync);
  if (first.ok()) first = std::move(sinks);
  if (!first.ok()) remember(first);
  return first;
}

Status Recorder::loss_since_flush(std::uint64_t ticket) {
  if (ticket == flush_ticket_) return {};  // nobody waits for an answer
  flush_ticket_ = ticket;
  const std::uint64_t dropped = queue_.counts().dropped;
  const std::uint64_t lost = dropped - std::exchange(flushed_loss_, dropped);
  if (lost == 0) return {};
  return Status(StatusCode::kIo, std::to_string(lost) + " captures offered since the last flush were dropped; the " +
                                     "first error was: " + first_error().message());
}

void Recorder::record_loss() {
  const std::uint64_t dropped = queue_.counts().dropped;
  if (dropped == recorded_loss_) return;
  if (channels().front()->writer_->loss(queue_.now_secs(), dropped).ok()) recorded_loss_ = dropped;
}

void Recorder::close_channels() {
  const QueueCounts counts = queue_.counts();
  const double worker_secs = static_cast<double>(thread_cpu_nanos()) * 1e-9;
  // Counted once: the first channel's file, which is always there, tells of the whole run.
  event::CaptureEnd end{success_, counts.offered, counts.dropped, counts.caller_seconds, worker_secs};
  for (Channel* channel : channels()) {
    Status status = channel->writer_->close(queue_.now_secs(), end);
    if (channel == channels_.front().get()) remember(sinks_.close(queue_.now_secs(), end));
    end = {success_};
    if (status.ok()) continue;
    remember(status);
    queue_.count_dropped(channel->writer_->waiting_captures(), 0);
  }
}

void Recorder::publish_counts() {
  WorkerCounts counts;
  for (Channel* channel : channels()) {
    counts.written += channel->writer_->written_captures();
    counts.bytes += channel->writer_->written_bytes();
    counts.histograms_thinned += channel->writer_->histograms_thinned();
  }
  counts.cpu_nanos = thread_cpu_nanos();
  counts.sinks = sinks_.report();
  std::lock_guard lock(counts_mutex_);
  worker_counts_ = counts;
}

Status Recorder::flush(bool sync) { return queue_.flush(sync); }

Status Recorder::close(bool success) {
  std::lock_guard lock(close_mutex_);
  if (!channels_.empty()) remove_open_run(*channels_.front());
  if (!worker_ || queue_.forked()) return {};
  if (!queue_.closed()) success_ = success;
  const bool done = queue_.close(options_.close_ms);
  if (done) {
    worker_->join();
  } else {
    // The worker holds on to the recorder, and may still finish when the disk comes back.
    worker_->detach();
    remember(Status(StatusCode::kIo, "the disk did not answer within " + std::to_string(options_.close_ms) +
                                         " ms of closing " + channels_.front()->path() +
                                         "; what was still waiting may be lost"));
  }
  worker_.reset();
  return first_error();
}

void Recorder::remember(const Status& error) {
  if (error.ok()) return;
  std::lock_guard lock(error_mutex_);
  if (first_error_.ok()) first_error_ = error;
  has_error_.store(true, std::memory_order_relaxed);
}

Status Recorder::first_error() const {
  std::lock_guard lock(error_mutex_);
  return first_error_;
}

RunReport Recorder::report() const {
  RunReport report;
  {
    // Before the queue's counters: what is written meanwhile then shows as waiting, never as more than was offered.
    std::lock_guard lock(counts_mutex_);
    report.written = worker_counts_.written;
    report.bytes = worker_counts_.bytes;
    report.histograms_thinned = worker_counts_.histograms_thinned;
    report.sinks = worker_counts_.sinks;
    report.worker_seconds = static_cast<double>(worker_counts_.cpu_nanos) * 1e-9;
  }
  const QueueCounts counts = queue_.counts();
  report.offered = counts.offered;
  report.dropped = counts.dropped;
  report.waiting = counts.offered - counts.dropped - report.written;
  report.queue_bytes = counts.queue_bytes;
  report.peak_queue_bytes = counts.peak_queue_bytes;
  report.caller_seconds = counts.caller_seconds;
  return report;
}

}  // namespace tensortap::recorder
