// SchemaSql: the schema in the words of each database.
#pragma once

#include <string>
#include <vector>

#include "database/schema.h"

namespace tensortap::database {

enum class Dialect { kSqlite, kPostgresql };

// Everything that an empty database needs, in order, the version last. Names are plain: in PostgreSQL the search path
// has to lead to the schema `tensortap`.
std::vector<std::string> create_statements(Dialect dialect);

// INSERT INTO scalar_rows (...) VALUES (?, ...): for SQLite.
std::string insert_statement(const Table& table);
// COPY tensortap.scalar_rows (...) FROM STDIN (FORMAT binary): for PostgreSQL.
std::string copy_statement(const Table& table);

// Of a run that has ended; `run_rows` as the dialect names it.
struct RunEnd {
  double closed_secs = 0;
  bool success = true;
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
};
std::string close_statement(Dialect dialect, std::int64_t run_id, const RunEnd& end);

// What a user is told whose database was made by a newer Tensortap.
std::string newer_schema_message(const std::string& version);

}  // namespace tensortap::database
