// SqliteSink: live rows into an SQLite file.
#include <atomic>

#include "base/clock.h"
#include "base/file.h"
#include "base/try.h"
#include "database/database_sink.h"
#include "database/sqlite_database.h"
#include "recorder/sink_makers.h"

namespace tensortap::database {
namespace {

// At the beginning and at the end somebody waits and wants to know; in between the recorder's worker must not stand.
constexpr int kOpenBusyMs = 5000;
constexpr int kLiveBusyMs = 20;
constexpr int kCloseBusyMs = 5000;
constexpr std::size_t kMaxRowBytes = 990'000'000;

// Rows wait in memory until the next flush, and longer while another process holds the file's lock.
//
// Threads:  as Sink.
// Failure:  a lock is no error as long as nothing is lost.
// Lifetime: as Sink.
class SqliteSink : public DatabaseSink {
 public:
  explicit SqliteSink(std::string path) : path_(std::move(path)) {}

  Status flush() override;
  Status sync() override;
  std::uint64_t lost_captures() const override { return lost_.load(std::memory_order_relaxed); }

 protected:
  Status open(const Row& run) override;
  Status keep(std::vector<Row>& rows) override;
  Status finish(const RunEnd& end) override;

 private:
  Status write_waiting(const std::string& sql);

  const std::string path_;
  std::unique_ptr<SqliteDatabase> database_;
  std::vector<Row> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t waiting_captures_ = 0;
  std::atomic<std::uint64_t> lost_{0};
};

Status SqliteSink::open(const Row& run) {
  const std::size_t slash = path_.rfind('/');
  if (slash != std::string::npos && slash > 0) {
    TENSORTAP_TRY(posix_file_system().make_directories(path_.substr(0, slash)));
  }
  Result<std::unique_ptr<SqliteDatabase>> opened = SqliteDatabase::open(path_, kOpenBusyMs);
  if (!opened.ok()) return opened.status();
  database_ = std::move(*opened);
  Status written = database_->write({&run, 1}, "");
  database_->set_busy_ms(kLiveBusyMs);
  if (written.code() == StatusCode::kTruncated) return Status(StatusCode::kIo, written.message());
  return written;
}

Status SqliteSink::keep(std::vector<Row>& rows) {
  std::size_t bytes = 0;
  for (const Row& row : rows) {
    bytes += row_bytes(row);
    // Would be refused with every flush, and with it all that waits.
    if (row_bytes(row) > kMaxRowBytes) return Status(StatusCode::kIo, "SQLite holds no more than 1 GB in a row");
  }
  // A capture that is large by itself is taken when nothing else waits.
  if (waiting_bytes_ > 0 && waiting_bytes_ + bytes > kMaxWaitingBytes) TENSORTAP_TRY(write_waiting(""));
  if (waiting_bytes_ > 0 && waiting_bytes_ + bytes > kMaxWaitingBytes) {
    return Status(StatusCode::kIo,
                  path_ + " has been locked by another process for too long: " + std::to_string(waiting_bytes_ >> 20) +
                      " MiB wait for it, and there is no more room");
  }
  for (Row& row : rows) waiting_.push_back(std::move(row));
  waiting_bytes_ += bytes;
  ++waiting_captures_;
  return {};
}

Status SqliteSink::write_waiting(const std::string& sql) {
  if (waiting_.empty() && sql.empty()) return {};
  Status written = database_->write(waiting_, sql);
  if (written.code() == StatusCode::kTruncated) return sql.empty() ? Status() : written;
  if (!written.ok()) return written;
  waiting_.clear();
  waiting_bytes_ = 0;
  waiting_captures_ = 0;
  return {};
}

Status SqliteSink::flush() { return write_waiting(""); }

Status SqliteSink::sync() {
  TENSORTAP_TRY(flush());
  Status synced = database_->sync();
  return synced.code() == StatusCode::kTruncated ? Status() : synced;
}

Status SqliteSink::finish(const RunEnd& end) {
  if (!database_) return {};
  database_->set_busy_ms(kCloseBusyMs);
  const Status written = write_waiting(close_statement(Dialect::kSqlite, run_id(), end));
  if (!written.ok()) lost_.fetch_add(waiting_captures_, std::memory_order_relaxed);
  const std::uint64_t lost = written.ok() ? 0 : waiting_captures_;
  waiting_.clear();
  database_.reset();
  if (written.ok()) return {};
  return Status(StatusCode::kIo, written.message() + "; " + std::to_string(lost) + " captures could not be written");
}

}  // namespace
}  // namespace tensortap::database

namespace tensortap::recorder {

MadeSink make_sqlite_sink(const SinkSpec& spec) {
  if (spec.target.empty()) return Status(StatusCode::kInvalidArgument, "name a file, such as out/a.db");
  if (!spec.options.empty()) {
    return Status(StatusCode::kInvalidArgument, "there is no option '" + spec.options.begin()->first + "'");
  }
  return std::unique_ptr<Sink>(std::make_unique<database::SqliteSink>(spec.target));
}

}  // namespace tensortap::recorder
