// Schema: the tables of a database that captures go to, as data.
//
// Tables are called <thing>_rows and are for writers. Each has a view with the plain name, where numbers are resolved
// to the names of runs and tags: that is for people. docs/database.md explains both.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "database/row.h"

namespace tensortap::database {

// Raised when a reader of the old tables would no longer understand the new ones.
inline constexpr std::int64_t kSchemaVersion = 1;

enum class ColumnType : std::uint8_t { kInteger, kFlag, kFloat, kText, kBlob, kFloats };

struct Column {
  std::string_view name;
  ColumnType type;
  bool nullable = false;
};

// How the view of a table names what a row belongs to.
enum class ViewNaming : std::uint8_t {
  kRun,      // the row is a run, or has no tag to show
  kRunTag,   // run, tag
  kRunName,  // run, and the tag without "predictions/" as name
};

struct Table {
  std::string_view name;
  std::string_view view;
  ViewNaming naming;
  std::vector<std::string_view> key;
  std::vector<Column> columns;
  // Rows small enough to be kept inside of the key's index.
  bool clustered = false;

  bool has_step() const;
};

// Indexed by TableId.
const std::vector<Table>& tables();
inline const Table& table_of(TableId id) { return tables()[static_cast<std::size_t>(id)]; }

}  // namespace tensortap::database
