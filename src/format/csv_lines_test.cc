// Tests of CsvLines: quotes, line ends of both kinds, and pieces cut anywhere.
#include "format/csv_lines.h"

#include <gtest/gtest.h>

namespace tensortap::format {
namespace {

TEST(CsvLines, FindsTheEndOfTheFirstLine) {
  EXPECT_EQ(csv_first_line("a,b\r\n1,2\r\n"), 5U);
  EXPECT_EQ(csv_first_line("a\n1\n"), 2U);
  EXPECT_EQ(csv_first_line("a,\"x\r\ny\"\r\n1"), 10U);
  EXPECT_EQ(csv_first_line("a,b"), std::nullopt);
  EXPECT_EQ(csv_first_line("\"a\n"), std::nullopt);
  EXPECT_EQ(csv_first_line(""), std::nullopt);
}

TEST(CsvLines, SplitsALineIntoItsCellsAsTheyStand) {
  EXPECT_EQ(csv_raw_cells("a,\"b,c\",\"d\"\"\",\r\n"), (std::vector<std::string>{"a", "\"b,c\"", "\"d\"\"\"", ""}));
  EXPECT_EQ(csv_raw_cells("a\n"), std::vector<std::string>{"a"});
}

TEST(CsvPadding, AddsEmptyCellsToEachLineWhereverThePiecesAreCut) {
  const std::string text = "1,2\r\n\"a\r\nb\",\"\"\"\"\r\n3,4\n";
  const std::string wanted = "1,2,,\r\n\"a\r\nb\",\"\"\"\",,\r\n3,4,,\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    CsvPadding padding(2);
    std::string out;
    padding.append(out, text.substr(0, cut));
    padding.append(out, text.substr(cut));
    padding.finish(out);
    EXPECT_EQ(out, wanted) << cut;
  }
}

TEST(CsvPadding, KeepsACarriageReturnThatEndsNoLine) {
  CsvPadding padding(1);
  std::string out;
  padding.append(out, "a\rb\r");
  padding.finish(out);
  EXPECT_EQ(out, "a\rb\r");
}

}  // namespace
}  // namespace tensortap::format
