// SqliteDatabase: one connection to an SQLite file that has our tables.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "database/row.h"
#include "tensortap/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tensortap::database {

// Other processes may write to the same file. SQLite's code is a copy of our own: TensorFlow has another one in the
// process, and two copies must not open one file.
//
// Threads:  one at a time.
// Failure:  kTruncated when another process holds the file's lock: try again later. kIo otherwise.
// Lifetime: the destructor closes; in a forked child it leaves the parent's file alone.
class SqliteDatabase {
 public:
  // Makes the file and the tables if need be. Waits for `busy_ms` when others hold the lock.
  static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path, int busy_ms);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // From now on a lock held by others is waited for so long.
  void set_busy_ms(int busy_ms);

  // All rows and the statement, or nothing; `sql` may be empty.
  Status write(std::span<const Row> rows, const std::string& sql);
  // What was written is on the device when this returns.
  Status sync();

 private:
  struct Closer {
    void operator()(sqlite3* connection) const;
  };
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };

  SqliteDatabase(std::string path, sqlite3* connection);
  Status prepare_file(int busy_ms);
  Status make_tables();
  Status write_in_transaction(std::span<const Row> rows, const std::string& sql);
  Status insert(const Row& row);
  Status run(const char* sql);
  Result<std::string> ask(const char* sql);
  Status error(int code) const;

  const std::string path_;
  const int process_id_;
  std::unique_ptr<sqlite3, Closer> connection_;
  std::array<std::unique_ptr<sqlite3_stmt, Finalizer>, kTableCount> inserts_;
};

}  // namespace tensortap::database
