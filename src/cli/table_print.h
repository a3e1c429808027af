// TablePrint: rows of text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace tensortap::cli {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kLeft;
};

// Prints to stdout. Cells are visible text (visible_text.h). Nothing is cut off: names are to be copied.
void print_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);

}  // namespace tensortap::cli
