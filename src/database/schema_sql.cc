// SchemaSql: rendering of tables, indexes and views.
#include "database/schema_sql.h"

#include <algorithm>

#include "format/number_text.h"

namespace tensortap::database {
namespace {

std::string_view type_name(Dialect dialect, ColumnType type) {
  const bool is_sqlite = dialect == Dialect::kSqlite;
  switch (type) {
    case ColumnType::kInteger: return is_sqlite ? "INTEGER" : "BIGINT";
    case ColumnType::kFlag: return is_sqlite ? "INTEGER" : "BOOLEAN";
    case ColumnType::kFloat: return is_sqlite ? "REAL" : "DOUBLE PRECISION";
    case ColumnType::kText: return "TEXT";
    case ColumnType::kBlob: return is_sqlite ? "BLOB" : "BYTEA";
    case ColumnType::kFloats: return is_sqlite ? "TEXT" : "DOUBLE PRECISION[]";
  }
  return "TEXT";
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::string column_names(const Table& table) {
  std::vector<std::string_view> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return joined(names);
}

std::string create_table(Dialect dialect, const Table& table) {
  const bool is_sqlite = dialect == Dialect::kSqlite;
  std::string sql = "CREATE TABLE IF NOT EXISTS " + std::string(table.name) + " (";
  for (const Column& column : table.columns) {
    sql.append(column.name).append(" ").append(type_name(dialect, column.type));
    // SQLite's NULL is a number's NaN.
    const bool may_be_null = column.nullable || (is_sqlite && column.type == ColumnType::kFloat);
    sql += may_be_null ? ", " : " NOT NULL, ";
  }
  sql += "PRIMARY KEY (" + joined(table.key) + "))";
  if (is_sqlite && table.clustered) sql += " WITHOUT ROWID";
  return sql;
}

std::string create_index(const Table& table) {
  const std::string name(table.name);
  return "CREATE INDEX IF NOT EXISTS " + name + "_by_step ON " + name + " (run_id, tag_id, step)";
}

bool is_key(const Table& table, std::string_view column) {
  return std::find(table.key.begin(), table.key.end(), column) != table.key.end();
}

// Names first, then what the table is about, and the key's numbers last. Joins never hide a row.
std::string create_view(Dialect dialect, const Table& table) {
  std::string sql = dialect == Dialect::kSqlite ? "CREATE VIEW IF NOT EXISTS " : "CREATE OR REPLACE VIEW ";
  sql.append(table.view).append(" AS SELECT r.name AS run");
  const bool is_capture = table.has_step();
  if (table.naming == ViewNaming::kRunTag) sql += ", t.name AS tag";
  if (table.naming == ViewNaming::kRunName) sql += ", replace(t.name, 'predictions/', '') AS name";
  const bool is_run = table.view == "runs";
  for (const Column& column : table.columns) {
    if (is_key(table, column.name) || (is_run && column.name == "name")) continue;
    sql.append(table.view == "tags" ? ", v.name AS tag" : ", v." + std::string(column.name));
  }
  for (std::string_view key : table.key) {
    if (key != "tag_id") sql.append(", v.").append(key);
  }
  sql.append(" FROM ").append(table.name).append(" v LEFT JOIN run_rows r ON r.run_id = v.run_id");
  if (is_capture && table.naming != ViewNaming::kRun) {
    sql += " LEFT JOIN tag_rows t ON t.run_id = v.run_id AND t.tag_id = v.tag_id";
  }
  return sql;
}

}  // namespace

std::vector<std::string> create_statements(Dialect dialect) {
  std::vector<std::string> all;
  for (const Table& table : tables()) {
    all.push_back(create_table(dialect, table));
    if (table.has_step()) all.push_back(create_index(table));
  }
  if (dialect == Dialect::kPostgresql) {
    all.emplace_back(
        "CREATE TABLE IF NOT EXISTS writer_rows (run_id BIGINT NOT NULL PRIMARY KEY, last_batch BIGINT NOT NULL)");
  }
  for (const Table& table : tables()) all.push_back(create_view(dialect, table));
  const std::string version = std::to_string(kSchemaVersion);
  all.emplace_back("CREATE TABLE IF NOT EXISTS tensortap_schema (version INTEGER NOT NULL)");
  all.push_back("INSERT INTO tensortap_schema SELECT " + version +
                " WHERE NOT EXISTS (SELECT 1 FROM tensortap_schema)");
  return all;
}

std::string insert_statement(const Table& table) {
  std::string marks;
  for (std::size_t i = 0; i < table.columns.size(); ++i) marks += i == 0 ? "?" : ", ?";
  return "INSERT INTO " + std::string(table.name) + " (" + column_names(table) + ") VALUES (" + marks + ")";
}

std::string copy_statement(const Table& table) {
  return "COPY tensortap." + std::string(table.name) + " (" + column_names(table) + ") FROM STDIN (FORMAT binary)";
}

std::string close_statement(Dialect dialect, std::int64_t run_id, const RunEnd& end) {
  const bool is_sqlite = dialect == Dialect::kSqlite;
  std::string sql = is_sqlite ? "UPDATE run_rows SET closed = " : "UPDATE tensortap.run_rows SET closed = ";
  format::append_number(sql, end.closed_secs);
  sql += std::string(", success = ") + (is_sqlite ? (end.success ? "1" : "0") : (end.success ? "true" : "false"));
  sql += ", offered = " + std::to_string(end.offered) + ", dropped = " + std::to_string(end.dropped);
  return sql + " WHERE run_id = " + std::to_string(run_id);
}

std::string newer_schema_message(const std::string& version) {
  return "its tables have version " + version + ", and this Tensortap knows up to " + std::to_string(kSchemaVersion) +
         ": update Tensortap, or use another database";
}

}  // namespace tensortap::database
