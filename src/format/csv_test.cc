// CSV: quotes, formulas, nulls, batches.
#include "format/csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tensortap::format {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  append_csv_text(out, text);
  return out;
}

class FixedTable : public TableCursor {
 public:
  FixedTable(std::vector<ColumnHead> heads, std::vector<TableBatch> batches)
      : heads_(std::move(heads)), batches_(std::move(batches)) {}
  const std::vector<ColumnHead>& heads() const override { return heads_; }
  Result<std::optional<TableBatch>> next() override {
    if (next_ == batches_.size()) return std::optional<TableBatch>();
    return std::optional(batches_[next_++]);
  }

 private:
  std::vector<ColumnHead> heads_;
  std::vector<TableBatch> batches_;
  std::size_t next_ = 0;
};

std::vector<std::string> pieces_of(std::vector<ColumnHead> heads, std::vector<TableBatch> batches) {
  CsvWriter csv(std::make_unique<FixedTable>(std::move(heads), std::move(batches)));
  std::vector<std::string> pieces;
  while (auto piece = csv.next().value()) pieces.push_back(*piece);
  return pieces;
}

TEST(Csv, LeavesPlainTextAlone) {
  EXPECT_EQ(cell("train/loss"), "train/loss");
  EXPECT_EQ(cell("gr\xC3\xB6\xC3\x9F"
                 "e"),
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

TEST(Csv, QuotesWhatWouldBreakARow) {
  EXPECT_EQ(cell("a,b"), "\"a,b\"");
  EXPECT_EQ(cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(cell(" spaced "), "\" spaced \"");
  EXPECT_EQ(cell(""), "\"\"");
}

TEST(Csv, ProtectsTextThatASpreadsheetWouldCalculate) {
  for (const char* formula : {"=1+1", "+1", "-1", "@x", "\tx", "\rx"}) {
    EXPECT_EQ(cell(formula), "\"'" + std::string(formula) + "\"") << formula;
  }
  EXPECT_EQ(cell("a=b"), "a=b");
}

TEST(Csv, HandsOutHeadsAndThenABatchAtATime) {
  const auto words = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"a", "=b"});
  std::vector<ColumnHead> heads = {{"run", ColumnType::kWord, false},
                                   {"step", ColumnType::kInt64, false},
                                   {"value", ColumnType::kFloat64, true},
                                   {"list", ColumnType::kFloat64List, false}};
  TableBatch first{2,
                   {WordColumn{{0, 1}, words}, std::vector<std::int64_t>{-1, 2}, std::vector<double>{0.1, 0},
                    ListColumn{{0, 2, 2}, {1, 2.5}}},
                   {{}, {}, {1, 0}, {}}};
  TableBatch second{1,
                    {WordColumn{{0}, words}, std::vector<std::int64_t>{3},
                     std::vector<double>{-std::numeric_limits<double>::infinity()}, ListColumn{{0, 1}, {std::nan("")}}},
                    {{}, {}, {}, {}}};
  EXPECT_EQ(pieces_of(heads, {first, second}),
            (std::vector<std::string>{"run,step,value,list\r\n", "a,-1,0.1,\"[1,2.5]\"\r\n\"'=b\",2,,\"[]\"\r\n",
                                      "a,3,-Infinity,\"[NaN]\"\r\n"}));
}

TEST(Csv, SaysThatBytesHaveNoPlaceInIt) {
  CsvWriter csv(std::make_unique<FixedTable>(std::vector<ColumnHead>{{"data", ColumnType::kBinary, false}},
                                             std::vector<TableBatch>{}));
  const auto piece = csv.next();
  EXPECT_EQ(piece.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(piece.status().message().find("'data'"), std::string::npos);
}

}  // namespace
}  // namespace tensortap::format
