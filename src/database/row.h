// Row: one row on its way into a table, whatever the database.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tensortap::database {

struct Blob {
  std::string bytes;
};

// monostate is NULL. Lists of doubles are arrays in PostgreSQL and JSON in SQLite.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string, Blob, std::vector<double>>;

// In the order of tables() in schema.h.
enum class TableId : std::uint8_t {
  kRuns,
  kTags,
  kScalars,
  kStats,
  kTensors,
  kPredictions,
  kImages,
  kAudio,
  kTexts,
  kHparams,
};
inline constexpr std::size_t kTableCount = 10;

struct Row {
  TableId table = TableId::kRuns;
  std::vector<Cell> cells;  // in the order of the table's columns
};

// Memory that a row holds, near enough for limits.
inline std::size_t row_bytes(const Row& row) {
  std::size_t bytes = sizeof(Row) + row.cells.size() * sizeof(Cell);
  for (const Cell& cell : row.cells) {
    if (const auto* text = std::get_if<std::string>(&cell)) bytes += text->size();
    if (const auto* blob = std::get_if<Blob>(&cell)) bytes += blob->bytes.size();
    if (const auto* list = std::get_if<std::vector<double>>(&cell)) bytes += list->size() * sizeof(double);
  }
  return bytes;
}

}  // namespace tensortap::database
