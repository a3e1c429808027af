// BatchSender: the thread, its transactions, and what it does when one fails.
#include "database/batch_sender.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "database/copy_rows.h"
#include "database/schema_sql.h"

namespace tensortap::database {
namespace {

// What the thread still gets after it was told to give up: enough for anything but a name server.
constexpr std::chrono::milliseconds kCancelLimit{500};
// What gathers while a server is away is sent in transactions of up to this size.
constexpr std::size_t kMergedBytes = 4 << 20;

}  // namespace

std::size_t Batch::bytes() const {
  std::size_t total = sql.size();
  for (const Part& part : parts) total += part.rows.size();
  return total;
}

void Batch::append(Batch other) {
  for (Part& part : other.parts) {
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const Part& mine) { return mine.table == part.table; });
    if (same == parts.end()) {
      parts.push_back(std::move(part));
    } else {
      same->rows += part.rows;
    }
  }
  sql += other.sql;
  captures += other.captures;
}

BatchSender::BatchSender(Connect connect, std::int64_t run_id, BackOff back_off)
    : connect_(std::move(connect)), run_id_(run_id), back_off_(back_off), pause_(back_off.first) {}

Status BatchSender::start(std::unique_ptr<ServerConnection> connection) {
  connection_ = std::move(connection);
  was_connected_ = connection_ != nullptr;
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    thread_ = std::make_unique<std::thread>([self = shared_from_this()] { self->work(); });
    pthread_setname_np(thread_->native_handle(), "tensortap-db");
  } catch (const std::system_error& error) {
    status = Status(StatusCode::kIo, std::string("cannot start the thread that sends: ") + error.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

void BatchSender::push(Batch batch) {
  waiting_bytes_.fetch_add(batch.bytes(), std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  // Whatever is not at the front has never been sent, and may still grow.
  const bool may_grow = queue_.size() > 1 && queue_.back().batch.sql.empty() &&
                        queue_.back().batch.bytes() + batch.bytes() <= kMergedBytes;
  if (may_grow) {
    queue_.back().batch.append(std::move(batch));
  } else {
    queue_.push_back({next_number_++, false, std::move(batch)});
  }
  changed_.notify_all();
}

std::string BatchSender::last_error() const {
  std::lock_guard lock(mutex_);
  return last_error_;
}

void BatchSender::remember(const std::string& error) {
  std::lock_guard lock(mutex_);
  last_error_ = error;
}

void BatchSender::work() {
  while (wait_for_batch()) {
    if (connected()) {
      send_front();
    } else {
      wait_after_failure();
    }
  }
  connection_.reset();
  std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

bool BatchSender::wait_for_batch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty() || closing_; });
  return !queue_.empty() && !gave_up_;
}

void BatchSender::wait_after_failure() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, pause_, [this] { return gave_up_; });
  pause_ = std::min(pause_ * 2, back_off_.last);
}

bool BatchSender::connected() {
  if (connection_) return true;
  Result<std::unique_ptr<ServerConnection>> made = connect_(cancellation_);
  if (!made.ok()) {
    remember(made.status().message());
    return false;
  }
  const Answer answer = resume(**made);
  if (!answer.ok()) {
    remember(answer.text);
    return false;
  }
  connection_ = std::move(*made);
  was_connected_ = true;
  return true;
}

// Finds out which batches have arrived. The row is locked for the question: a transaction of the connection before that
// is still being decided has locked it too, and is waited for.
Answer BatchSender::resume(ServerConnection& connection) {
  const std::string id = std::to_string(run_id_);
  if (was_connected_) {
    // Such a transaction may wait for bytes that will never come. No right to end it: then for the server's own limits.
    (void)connection.run(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = "
        "'tensortap " +
        id + "' AND pid <> pg_backend_pid()");
  }
  Answer answer = connection.run("SELECT last_batch FROM tensortap.writer_rows WHERE run_id = " + id + " FOR UPDATE");
  if (!answer.ok()) return answer;
  const std::int64_t arrived = std::atoll(answer.text.c_str());
  while (true) {
    {
      std::lock_guard lock(mutex_);
      if (queue_.empty() || queue_.front().number > arrived) break;
    }
    pop_front();
  }
  return answer;
}

void BatchSender::send_front() {
  const Numbered* front = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return;
    front = &queue_.front();
  }
  const Answer answer = transmit(*front);
  if (answer.ok()) {
    pause_ = back_off_.first;
    return pop_front();
  }
  remember(answer.text);
  if (answer.kind == AnswerKind::kRefused && connection_->run("ROLLBACK").ok()) return refuse_front(answer.text);
  connection_.reset();
  // A server that answers and cannot (no disk, no memory) is not to be asked without a pause.
  wait_after_failure();
}

Answer BatchSender::transmit(const Numbered& numbered) {
  Answer answer = connection_->run("BEGIN");
  if (answer.ok()) {
    answer = connection_->run("UPDATE tensortap.writer_rows SET last_batch = " + std::to_string(numbered.number) +
                              " WHERE run_id = " + std::to_string(run_id_));
  }
  for (const Batch::Part& part : numbered.batch.parts) {
    if (answer.ok() && !part.rows.empty()) answer = connection_->copy(copy_statement(table_of(part.table)), part.rows);
  }
  if (answer.ok() && !numbered.batch.sql.empty()) answer = connection_->run(numbered.batch.sql);
  return answer.ok() ? connection_->run("COMMIT") : answer;
}

// Later captures need the names of tags that came with this batch.
void BatchSender::refuse_front(const std::string& why) {
  std::unique_lock lock(mutex_);
  last_error_ = why;
  Numbered& front = queue_.front();
  lost_captures_.fetch_add(std::exchange(front.batch.captures, 0), std::memory_order_relaxed);
  const std::size_t before = front.batch.bytes();
  std::erase_if(front.batch.parts, [](const Batch::Part& part) { return part.table != TableId::kTags; });
  waiting_bytes_.fetch_sub(before - front.batch.bytes(), std::memory_order_relaxed);
  if (!std::exchange(front.tags_only, true)) return;
  lock.unlock();
  pop_front();
}

void BatchSender::pop_front() {
  std::lock_guard lock(mutex_);
  waiting_bytes_.fetch_sub(queue_.front().batch.bytes(), std::memory_order_relaxed);
  queue_.pop_front();
}

bool BatchSender::finished_within(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds limit) {
  return changed_.wait_for(lock, limit, [this] { return finished_; });
}

void BatchSender::close(std::chrono::milliseconds limit) {
  if (!thread_) return;
  std::unique_lock lock(mutex_);
  closing_ = true;
  changed_.notify_all();
  bool finished = finished_within(lock, limit);
  if (!finished) {
    gave_up_ = true;
    changed_.notify_all();
    cancellation_.cancel();
    finished = finished_within(lock, kCancelLimit);
  }
  std::uint64_t left = 0;
  for (const Numbered& numbered : queue_) left += numbered.batch.captures;
  lost_captures_.fetch_add(left, std::memory_order_relaxed);
  lock.unlock();
  if (finished) {
    thread_->join();
  } else {
    thread_->detach();
  }
  thread_.reset();
}

}  // namespace tensortap::database
