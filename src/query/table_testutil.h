// Tables for tests: rows as text, with every batch checked on the way.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "query/log_testutil.h"
#include "query/tables.h"

namespace tensortap::query {

struct Rows {
  std::vector<std::string> heads;
  std::vector<std::string> rows;  // "a|loss|3|[1,2]|null"
};

inline std::size_t size_of(const ColumnValues& column) {
  if (const auto* words = std::get_if<WordColumn>(&column)) return words->index.size();
  if (const auto* lists = std::get_if<ListColumn>(&column)) return lists->offsets.size() - 1;
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (requires { values.size(); }) return values.size();
        return 0;
      },
      column);
}

struct CellText {
  std::size_t row;
  std::string operator()(const WordColumn& words) const {
    return words.words->at(static_cast<std::size_t>(words.index.at(row)));
  }
  std::string operator()(const ListColumn& lists) const {
    std::string text = "[";
    for (auto i = static_cast<std::size_t>(lists.offsets[row]); i < static_cast<std::size_t>(lists.offsets[row + 1]);
         ++i) {
      text += (text.size() > 1 ? "," : "") + written(lists.values.at(i));
    }
    return text + "]";
  }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    return written(values.at(row));
  }
  template <typename T>
  static std::string written(const T& value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }
};

class TableTest : public LogTest {
 protected:
  // Every row of a table. Fails the test where a batch contradicts itself or its heads.
  Rows read(TableRequest request) {
    auto cursor = open_table(open(), std::move(request)).value();
    Rows table;
    for (const ColumnHead& head : cursor->heads()) table.heads.push_back(head.name);
    while (auto batch = cursor->next().value()) {
      EXPECT_GT(batch->rows, 0U);
      EXPECT_EQ(batch->columns.size(), cursor->heads().size());
      EXPECT_EQ(batch->valid.size(), batch->columns.size());
      for (std::size_t column = 0; column < batch->columns.size(); ++column) {
        EXPECT_EQ(size_of(batch->columns[column]), batch->rows);
        const std::size_t valid = batch->valid[column].size();
        EXPECT_TRUE(valid == 0 || (valid == batch->rows && cursor->heads()[column].nullable));
      }
      for (std::size_t row = 0; row < batch->rows; ++row) table.rows.push_back(row_text(*batch, row));
    }
    return table;
  }

 private:
  static std::string row_text(const TableBatch& batch, std::size_t row) {
    std::string text;
    for (std::size_t column = 0; column < batch.columns.size(); ++column) {
      const bool is_null = !batch.valid[column].empty() && batch.valid[column][row] == 0;
      text += (column == 0 ? "" : "|") + (is_null ? "null" : std::visit(CellText{row}, batch.columns[column]));
    }
    return text;
  }
};

}  // namespace tensortap::query
