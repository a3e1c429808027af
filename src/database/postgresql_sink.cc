// PostgresqlSink: live rows into a PostgreSQL database.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "base/try.h"
#include "database/batch_sender.h"
#include "database/copy_rows.h"
#include "database/database_sink.h"
#include "database/postgresql_connection.h"
#include "recorder/sink_makers.h"

namespace tensortap::database {
namespace {

constexpr std::chrono::milliseconds kCloseLimit{5000};
// A transaction of this size is worth its round trips, and small enough to be sent again.
constexpr std::size_t kBatchBytes = 4 << 20;
// Any number, but the same for all: of the lock that keeps two writers from making the tables at once.
constexpr const char* kSchemaLock = "7310034283826771";

Status as_status(const Answer& answer, const char* doing) {
  if (answer.ok()) return {};
  return Status(StatusCode::kIo, std::string(doing) + ": " + answer.text);
}

// The worker encodes rows into memory; a thread of its own brings them to the server.
//
// Threads:  as Sink, beside its own.
// Failure:  as Sink; a server that is away is no error as long as there is memory.
// Lifetime: as Sink.
class PostgresqlSink : public DatabaseSink {
 public:
  explicit PostgresqlSink(std::string url) : url_(std::move(url)), process_id_(::getpid()) {}
  ~PostgresqlSink() override;
  PostgresqlSink(const PostgresqlSink&) = delete;
  PostgresqlSink& operator=(const PostgresqlSink&) = delete;

  Status flush() override;
  std::uint64_t lost_captures() const override { return sender_ ? sender_->lost_captures() : 0; }

 protected:
  Status open(const Row& run) override;
  Status keep(std::vector<Row>& rows) override;
  Status finish(const RunEnd& end) override;

 private:
  Status make_tables(ServerConnection& connection);
  Status add_run(ServerConnection& connection, const Row& run);
  void push_batch();

  const std::string url_;
  const int process_id_;
  std::shared_ptr<BatchSender> sender_;
  std::array<std::string, kTableCount> encoded_;
  std::size_t encoded_bytes_ = 0;
  std::uint64_t encoded_captures_ = 0;
  std::uint64_t told_lost_ = 0;
};

PostgresqlSink::~PostgresqlSink() {
  if (!sender_) return;
  if (::getpid() == process_id_) {
    sender_->close(std::chrono::milliseconds(0));
  } else {
    // In a forked child: the connection is the parent's, and to hang up would end it.
    sender_->abandon();
    new std::shared_ptr<BatchSender>(std::move(sender_));
  }
}

Status PostgresqlSink::open(const Row& run) {
  const std::string name = "tensortap " + std::to_string(run_id());
  const Connect connect = [url = url_, name](const Cancellation& cancellation) {
    return connect_postgresql(url, name, cancellation);
  };
  sender_ = std::make_shared<BatchSender>(connect, run_id());
  Result<std::unique_ptr<ServerConnection>> connection = connect(sender_->cancellation());
  if (!connection.ok()) return connection.status();
  TENSORTAP_TRY(make_tables(**connection));
  TENSORTAP_TRY(add_run(**connection, run));
  return sender_->start(std::move(*connection));
}

Status PostgresqlSink::make_tables(ServerConnection& connection) {
  // Whoever may only write rows is not asked for more, once the tables are there.
  Answer known = connection.run("SELECT to_regclass('tensortap.tensortap_schema')");
  TENSORTAP_TRY(as_status(known, "cannot look for its tables"));
  if (known.text.empty()) {
    std::string sql = "BEGIN; SELECT pg_advisory_xact_lock(" + std::string(kSchemaLock) +
                      "); CREATE SCHEMA IF NOT EXISTS tensortap; SET LOCAL search_path TO tensortap";
    for (const std::string& statement : create_statements(Dialect::kPostgresql)) sql += ";\n" + statement;
    TENSORTAP_TRY(as_status(connection.run(sql + "; COMMIT"), "cannot make the schema tensortap"));
  }
  const Answer version = connection.run("SELECT max(version) FROM tensortap.tensortap_schema");
  TENSORTAP_TRY(as_status(version, "cannot read the version of its tables"));
  if (std::atoll(version.text.c_str()) <= kSchemaVersion) return {};
  return Status(StatusCode::kIo, newer_schema_message(version.text));
}

Status PostgresqlSink::add_run(ServerConnection& connection, const Row& run) {
  std::string encoded;
  append_copy_row(encoded, run);
  Answer answer =
      connection.run("BEGIN; INSERT INTO tensortap.writer_rows VALUES (" + std::to_string(run_id()) + ", 0)");
  if (answer.ok()) answer = connection.copy(copy_statement(table_of(TableId::kRuns)), encoded);
  if (answer.ok()) answer = connection.run("COMMIT");
  return as_status(answer, "cannot add the run");
}

Status PostgresqlSink::keep(std::vector<Row>& rows) {
  std::size_t bytes = 0;
  for (const Row& row : rows) bytes += row_bytes(row);
  const std::size_t waiting = sender_->waiting_bytes() + encoded_bytes_;
  if (waiting + bytes > kMaxWaitingBytes) {
    const std::string error = sender_->last_error();
    return Status(StatusCode::kIo, std::to_string(waiting >> 20) +
                                       " MiB wait for the server, and there is no room for " +
                                       std::to_string((bytes >> 20) + 1) + " MiB more" +
                                       (error.empty() ? "" : "; its last error: " + error));
  }
  for (const Row& row : rows) {
    std::string& table = encoded_[static_cast<std::size_t>(row.table)];
    const std::size_t before = table.size();
    append_copy_row(table, row);
    encoded_bytes_ += table.size() - before;
  }
  ++encoded_captures_;
  if (encoded_bytes_ >= kBatchBytes) push_batch();
  return {};
}

void PostgresqlSink::push_batch() {
  Batch batch;
  for (std::size_t i = 0; i < kTableCount; ++i) {
    if (!encoded_[i].empty()) batch.parts.push_back({static_cast<TableId>(i), std::exchange(encoded_[i], {})});
  }
  batch.captures = std::exchange(encoded_captures_, 0);
  encoded_bytes_ = 0;
  sender_->push(std::move(batch));
}

// Hands over, and does not wait for the server: only what it has lost meanwhile is told.
Status PostgresqlSink::flush() {
  if (encoded_captures_ > 0) push_batch();
  const std::uint64_t lost = sender_->lost_captures();
  if (lost == std::exchange(told_lost_, lost)) return {};
  return Status(StatusCode::kIo,
                "the server refused rows, " + std::to_string(lost) + " captures so far: " + sender_->last_error());
}

Status PostgresqlSink::finish(const RunEnd& end) {
  if (!sender_) return {};
  Status flushed = flush();
  sender_->push({{}, close_statement(Dialect::kPostgresql, run_id(), end), 0});
  sender_->close(kCloseLimit);
  const std::uint64_t lost = sender_->lost_captures();
  if (lost == told_lost_ && sender_->waiting_bytes() == 0) return flushed;
  const std::string error = sender_->last_error();
  return Status(StatusCode::kIo, "the server did not take everything within " + std::to_string(kCloseLimit.count()) +
                                     " ms of closing the run; lost are " + std::to_string(lost) + " captures" +
                                     (error.empty() ? "" : ": " + error));
}

}  // namespace
}  // namespace tensortap::database

namespace tensortap::recorder {

MadeSink make_postgresql_sink(const SinkSpec& spec) {
  const std::string& url = spec.target;
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) {
    return Status(StatusCode::kInvalidArgument, "the URL has to begin with postgresql://");
  }
  if (!spec.options.empty()) {
    return Status(StatusCode::kInvalidArgument, "there is no option '" + spec.options.begin()->first + "'");
  }
  return std::unique_ptr<Sink>(std::make_unique<database::PostgresqlSink>(url));
}

}  // namespace tensortap::recorder
