// Tests of ElementRows: any rank, any dtype, and more rows than one piece holds.
#include "format/element_rows.h"

#include <gtest/gtest.h>

#include <complex>

namespace tensortap::format {
namespace {

std::string all(ElementRows rows) {
  std::string text;
  while (std::optional<std::string> piece = rows.next()) text += *piece;
  return text;
}

TEST(ElementRows, GivesEachElementItsIndexAndItsExactValue) {
  const std::vector<float> values{0.1F, -2, 3, 1e-30F};
  EXPECT_EQ(all({view(values, {2, 1, 2}), "x,"}),
            "x,\"0,0,0\",0.1\r\nx,\"0,0,1\",-2\r\nx,\"1,0,0\",3\r\nx,\"1,0,1\",1e-30\r\n");
  EXPECT_EQ(all({view(values), ""}), "0,0.1\r\n1,-2\r\n2,3\r\n3,1e-30\r\n");
}

TEST(ElementRows, LeavesTheIndexOfAScalarEmpty) {
  const std::int64_t value = 9007199254740993;
  EXPECT_EQ(all({view(&value, Shape{}), "a,"}), "a,,9007199254740993\r\n");
}

TEST(ElementRows, WritesComplexElementsAsPythonReadsThem) {
  const std::vector<std::complex<float>> values{{1, -2}, {-0.5F, 0.25F}};
  EXPECT_EQ(all({view(values), ""}), "0,(1-2j)\r\n1,(-0.5+0.25j)\r\n");
}

TEST(ElementRows, HasNoRowsForAnEmptyTensor) {
  const std::vector<float> none;
  EXPECT_EQ(all({view(none.data(), {0, 3}), "x,"}), "");
}

TEST(ElementRows, GivesManyRowsInSeveralPieces) {
  const std::vector<std::int8_t> values(40'000, 1);
  ElementRows rows(view(values), "");
  std::size_t pieces = 0, lines = 0;
  while (std::optional<std::string> piece = rows.next()) {
    ++pieces;
    lines += static_cast<std::size_t>(std::count(piece->begin(), piece->end(), '\n'));
  }
  EXPECT_EQ(lines, values.size());
  EXPECT_GT(pieces, 1U);
}

}  // namespace
}  // namespace tensortap::format
