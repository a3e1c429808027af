// TablePrint: two passes, widths first.
#include "cli/table_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/visible_text.h"

namespace tensortap::cli {
namespace {

void append_row(std::string& out, const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string padding(widths[i] - display_width(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += columns[i].align == Align::kRight ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
}

}  // namespace

void print_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    titles.push_back(columns[i].title);
    widths.push_back(display_width(columns[i].title));
    for (const auto& row : rows) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string out;
  append_row(out, columns, widths, titles);
  for (const auto& row : rows) append_row(out, columns, widths, row);
  fmt::print("{}", out);
}

}  // namespace tensortap::cli
