// CsvLines: lines of a CSV file that is there already, found and widened without understanding their cells.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tensortap::format {

// The bytes of the first line, its end included; nullopt when it does not end. Line ends within quotes are text.
std::optional<std::size_t> csv_first_line(std::string_view text);

// The cells of one line as they stand there, quotes included.
std::vector<std::string> csv_raw_cells(std::string_view line);

// Adds empty cells at the end of every line of a file that comes in pieces.
//
// Threads:  one at a time.
// Failure:  none. The last line needs its end, or it stays as it is.
// Lifetime: owns what it has to remember between two pieces.
class CsvPadding {
 public:
  explicit CsvPadding(std::size_t cells) : commas_(cells, ',') {}

  void append(std::string& out, std::string_view piece);
  // What was held back: a carriage return at the very end.
  void finish(std::string& out);

 private:
  std::string commas_;
  bool in_quotes_ = false;
  bool holds_return_ = false;
};

}  // namespace tensortap::format
