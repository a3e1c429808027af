// Table: named columns of equal length, handed over batch by batch.
//
// What rows look like on their way out, whoever asks (Arrow, CSV, a database) and whatever the rows are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tensortap/result.h"

namespace tensortap {

// A column of text that repeats: `index` picks from `words`, which is the same in every batch of a table.
struct WordColumn {
  std::vector<std::int32_t> index;
  std::shared_ptr<const std::vector<std::string>> words;
};

// A list in every row: row i holds values[offsets[i]] up to values[offsets[i + 1]].
struct ListColumn {
  std::vector<std::int64_t> offsets;
  std::vector<double> values;
};

using ColumnValues = std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>,
                                  std::vector<std::string>, WordColumn, ListColumn>;

enum class ColumnType : std::uint8_t { kInt64, kUint64, kFloat64, kText, kWord, kFloat64List, kTimestamp, kBinary };

struct ColumnHead {
  std::string name;
  // Alternatives of ColumnValues: kTimestamp is double seconds since 1970, kBinary holds strings.
  ColumnType type = ColumnType::kFloat64;
  bool nullable = false;
};

struct TableBatch {
  std::size_t rows = 0;
  std::vector<ColumnValues> columns;
  // For nullable columns: one byte a row, 0 for null; empty when nothing is null.
  std::vector<std::vector<std::uint8_t>> valid;
};

// Threads:  one at a time.
// Failure:  the Status of whatever is read; the table ends there.
// Lifetime: batches own their columns.
class TableCursor {
 public:
  virtual ~TableCursor() = default;
  virtual const std::vector<ColumnHead>& heads() const = 0;
  // nullopt at the end.
  virtual Result<std::optional<TableBatch>> next() = 0;
};

}  // namespace tensortap
