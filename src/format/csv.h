// CSV: a table as text, as RFC 4180 has it.
//
//   run,tag,step,wall_time,value       a line of heads, then one for each row; lines end with CR LF
//   a,train/loss,0,1700000000.5,0.25   numbers are the shortest that read back the same; NaN, Infinity, -Infinity
//   a,"x ""y"", z",1,,                 quotes where there are commas, quotes or line ends; null is an empty cell
//   a,"'=1+1",2,,                      text that a spreadsheet would take for a formula has ' before it
//
// Text is as it was recorded, UTF-8 or not. Empty text is "", which is not null. A list is "[1,2,3]".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/table.h"

namespace tensortap::format {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

// A cell of text that came from outside: quoted where it must be, and no formula. Formulas begin with = + - @, a tab or
// a carriage return.
void append_csv_text(std::string& out, std::string_view untrusted);

// Threads:  one at a time.
// Failure:  that of the cursor; kUnsupported for binary columns. The table ends there.
// Lifetime: owns its cursor.
class CsvWriter {
 public:
  explicit CsvWriter(std::unique_ptr<TableCursor> rows) : rows_(std::move(rows)) {}

  // The heads, then one batch of rows at a time; nullopt at the end.
  Result<std::optional<std::string>> next();

 private:
  Result<std::string> heads() const;
  const std::vector<std::string>& encoded(const WordColumn& column);
  void append_cell(std::string& out, const ColumnValues& column, std::size_t row);

  // Words as they stand in cells; every batch of a table has the same ones.
  struct EncodedWords {
    std::shared_ptr<const std::vector<std::string>> words;
    std::vector<std::string> cells;
  };

  std::unique_ptr<TableCursor> rows_;
  std::vector<std::unique_ptr<EncodedWords>> words_;
  bool started_ = false;
};

}  // namespace tensortap::format
