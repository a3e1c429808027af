// SqliteDatabase: opening, the tables, and one transaction at a time.
#include "database/sqlite_database.h"

#include <sqlite3.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/try.h"
#include "database/schema_sql.h"
#include "format/json.h"

namespace tensortap::database {
namespace {

int bind(sqlite3_stmt* statement, int at, const Cell& cell) {
  // The row outlives the step that reads it.
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return sqlite3_bind_int64(statement, at, *number);
  // NaN becomes NULL by itself; infinities stay.
  if (const auto* number = std::get_if<double>(&cell)) return sqlite3_bind_double(statement, at, *number);
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return sqlite3_bind_text64(statement, at, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  if (const auto* blob = std::get_if<Blob>(&cell)) {
    return sqlite3_bind_blob64(statement, at, blob->bytes.data(), blob->bytes.size(), SQLITE_STATIC);
  }
  if (const auto* list = std::get_if<std::vector<double>>(&cell)) {
    format::JsonWriter json;
    json.list(*list);
    return sqlite3_bind_text64(statement, at, json.text().data(), json.text().size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, at);
}

}  // namespace

void SqliteDatabase::Closer::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
void SqliteDatabase::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SqliteDatabase::SqliteDatabase(std::string path, sqlite3* connection)
    : path_(std::move(path)), process_id_(::getpid()), connection_(connection) {}

SqliteDatabase::~SqliteDatabase() {
  if (::getpid() == process_id_) return;
  // Closing here could take the write-ahead log away from the parent that still uses it.
  for (auto& statement : inserts_) (void)statement.release();  // NOLINT(bugprone-unused-return-value)
  (void)connection_.release();                                 // NOLINT(bugprone-unused-return-value)
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path, int busy_ms) {
  sqlite3* connection = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(path, connection));
  if (connection == nullptr) return Status(StatusCode::kIo, "no memory to open " + path);
  if (code != SQLITE_OK) return database->error(code);
  TENSORTAP_TRY(database->prepare_file(busy_ms));
  for (std::size_t i = 0; i < kTableCount; ++i) {
    sqlite3_stmt* statement = nullptr;
    const std::string sql = insert_statement(tables()[i]);
    const int prepared =
        sqlite3_prepare_v3(connection, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    database->inserts_[i].reset(statement);
    if (prepared != SQLITE_OK) return database->error(prepared);
  }
  return database;
}

Status SqliteDatabase::prepare_file(int busy_ms) {
  set_busy_ms(busy_ms);
  const std::int64_t until = monotonic_nanos() + std::int64_t{busy_ms} * 1'000'000;
  Status status;
  // Several processes that open a new file at once can be refused without any waiting by SQLite itself.
  do {
    status = run("PRAGMA journal_mode=WAL");
    if (status.ok()) status = run("PRAGMA synchronous=NORMAL");
    if (status.ok()) status = make_tables();
    if (status.code() != StatusCode::kTruncated) return status;
    sqlite3_sleep(20);
  } while (monotonic_nanos() < until);
  return Status(StatusCode::kIo, status.message());
}

Status SqliteDatabase::make_tables() {
  TENSORTAP_TRY(run("BEGIN IMMEDIATE"));
  Status status;
  Result<std::string> known = ask("SELECT count(*) FROM sqlite_master WHERE name = 'tensortap_schema'");
  if (!known.ok()) {
    status = known.status();
  } else if (*known == "0") {
    for (const std::string& sql : create_statements(Dialect::kSqlite)) {
      if (status.ok()) status = run(sql.c_str());
    }
  } else {
    Result<std::string> version = ask("SELECT max(version) FROM tensortap_schema");
    status = version.status();
    if (version.ok() && std::atoll(version->c_str()) > kSchemaVersion) {
      status = Status(StatusCode::kIo, path_ + ": " + newer_schema_message(*version));
    }
  }
  if (status.ok()) status = run("COMMIT");
  if (!status.ok()) (void)run("ROLLBACK");
  return status;
}

void SqliteDatabase::set_busy_ms(int busy_ms) { sqlite3_busy_timeout(connection_.get(), busy_ms); }

Status SqliteDatabase::write(std::span<const Row> rows, const std::string& sql) {
  // The lock is taken before any row: a transaction that begins by reading could not wait for it later.
  TENSORTAP_TRY(run("BEGIN IMMEDIATE"));
  Status status = write_in_transaction(rows, sql);
  if (status.ok()) status = run("COMMIT");
  if (!status.ok() && sqlite3_get_autocommit(connection_.get()) == 0) (void)run("ROLLBACK");
  return status;
}

Status SqliteDatabase::write_in_transaction(std::span<const Row> rows, const std::string& sql) {
  for (const Row& row : rows) TENSORTAP_TRY(insert(row));
  return sql.empty() ? Status() : run(sql.c_str());
}

Status SqliteDatabase::insert(const Row& row) {
  sqlite3_stmt* statement = inserts_[static_cast<std::size_t>(row.table)].get();
  int code = SQLITE_OK;
  for (std::size_t i = 0; i < row.cells.size() && code == SQLITE_OK; ++i) {
    code = bind(statement, static_cast<int>(i) + 1, row.cells[i]);
  }
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  Status status = code == SQLITE_DONE ? Status() : error(code);
  sqlite3_reset(statement);
  return status;
}

// Without force: readers and other writers are not waited for, and what is in the log is synced all the same.
Status SqliteDatabase::sync() {
  const int code = sqlite3_wal_checkpoint_v2(connection_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : error(code);
}

Status SqliteDatabase::run(const char* sql) {
  const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? Status() : error(code);
}

Result<std::string> SqliteDatabase::ask(const char* sql) {
  std::string value;
  const auto take = [](void* out, int columns, char** values, char**) {
    if (columns > 0 && values[0] != nullptr) *static_cast<std::string*>(out) = values[0];
    return 0;
  };
  const int code = sqlite3_exec(connection_.get(), sql, take, &value, nullptr);
  if (code != SQLITE_OK) return error(code);
  return value;
}

Status SqliteDatabase::error(int code) const {
  const int kind = code & 0xFF;
  if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) {
    return Status(StatusCode::kTruncated, path_ + " is locked by another process; end it, or use another file");
  }
  std::string reason = sqlite3_errmsg(connection_.get());
  const int number = sqlite3_system_errno(connection_.get());
  if ((kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR) && number != 0)
    reason += " (errno " + std::to_string(number) + ")";
  if (kind == SQLITE_NOTADB) reason += "; name a file of SQLite, or one that is not there yet";
  return Status(StatusCode::kIo, path_ + ": " + reason);
}

}  // namespace tensortap::database
