// CsvLines: one look at each character; a quote turns text on and off, and a doubled one does so twice.
#include "format/csv_lines.h"

namespace tensortap::format {

std::optional<std::size_t> csv_first_line(std::string_view text) {
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_quotes = !in_quotes;
    if (text[i] == '\n' && !in_quotes) return i + 1;
  }
  return std::nullopt;
}

std::vector<std::string> csv_raw_cells(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (char c : line) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == ',' && !in_quotes) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

void CsvPadding::append(std::string& out, std::string_view piece) {
  for (char c : piece) {
    if (c == '"') in_quotes_ = !in_quotes_;
    if (c == '\n' && !in_quotes_) out += commas_;
    finish(out);
    if (c == '\r' && !in_quotes_) {
      holds_return_ = true;  // only what follows tells whether it belongs to a line end
    } else {
      out += c;
    }
  }
}

void CsvPadding::finish(std::string& out) {
  if (holds_return_) out += '\r';
  holds_return_ = false;
}

}  // namespace tensortap::format
