// BatchSender: brings batches of rows to a server, each exactly once, over connections that may break.
//
//   worker --push()--> [ 4 ][ 5 ][ 6 ] --thread--> BEGIN; last_batch = 4; COPY ...; COMMIT
//
// The number of the last batch stands in the database and changes in the same transaction as the rows. After a break
// nobody knows whether a COMMIT was heard: the new connection asks for that number, and goes on behind it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "database/row.h"
#include "database/server_connection.h"

namespace tensortap::database {

struct Batch {
  struct Part {
    TableId table = TableId::kRuns;
    std::string rows;  // as append_copy_row() makes them
  };
  std::vector<Part> parts;
  std::string sql;  // in the same transaction, after the rows; may be empty
  std::uint64_t captures = 0;

  std::size_t bytes() const;
  void append(Batch other);
};

// How long it waits between two tries to connect, doubling from the first to the last.
struct BackOff {
  std::chrono::milliseconds first{100};
  std::chrono::milliseconds last{30'000};
};

// Threads:  push() and close() one at a time, beside the sender's own thread.
// Failure:  a batch that the server refuses is dropped and counted; its tags are tried once more by themselves. A
//           server that does not answer is tried again until close() gives up.
// Lifetime: close() comes last. The thread shares it, and may outlive that when a name server does not answer.
class BatchSender : public std::enable_shared_from_this<BatchSender> {
 public:
  BatchSender(Connect connect, std::int64_t run_id, BackOff back_off = {});

  // For the making of a first connection.
  const Cancellation& cancellation() const { return cancellation_; }
  // Goes on with a connection that is there already; may be null.
  Status start(std::unique_ptr<ServerConnection> connection);
  void push(Batch batch);

  std::size_t waiting_bytes() const { return waiting_bytes_.load(std::memory_order_relaxed); }
  std::uint64_t lost_captures() const { return lost_captures_.load(std::memory_order_relaxed); }
  // Why the last connection or batch failed; empty: never.
  std::string last_error() const;

  // Sends what waits, for at most `limit`; the rest counts as lost.
  void close(std::chrono::milliseconds limit);
  // In a forked child, where there is no thread.
  void abandon() { (void)thread_.release(); }  // NOLINT(bugprone-unused-return-value): left alone on purpose

 private:
  struct Numbered {
    std::int64_t number = 0;
    bool tags_only = false;
    Batch batch;
  };

  void work();
  bool wait_for_batch();
  void wait_after_failure();
  bool connected();
  Answer resume(ServerConnection& connection);
  void send_front();
  Answer transmit(const Numbered& numbered);
  void refuse_front(const std::string& why);
  void pop_front();
  void remember(const std::string& error);
  bool finished_within(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds limit);

  const Connect connect_;
  const std::int64_t run_id_;
  const BackOff back_off_;
  Cancellation cancellation_;

  // Used by the thread alone.
  std::unique_ptr<ServerConnection> connection_;
  bool was_connected_ = false;
  std::chrono::milliseconds pause_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Numbered> queue_;  // the front is the thread's: others only add behind it
  std::int64_t next_number_ = 1;
  bool closing_ = false;
  bool gave_up_ = false;
  bool finished_ = false;
  std::string last_error_;

  std::atomic<std::size_t> waiting_bytes_{0};
  std::atomic<std::uint64_t> lost_captures_{0};
  std::unique_ptr<std::thread> thread_;
};

}  // namespace tensortap::database
