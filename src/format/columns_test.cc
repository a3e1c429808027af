// Columns: what they hold is what was put in, and in how few bytes.
#include "format/columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace tensortap::format {
namespace {

struct Answer {
  std::string header;
  std::string data;
};

Answer parse(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), "TTCOLS1\n");
  std::uint32_t length = 0, zero = 1;
  std::memcpy(&length, bytes.data() + 8, 4);
  std::memcpy(&zero, bytes.data() + 12, 4);
  EXPECT_EQ(zero, 0U);
  EXPECT_EQ(length % 8, 0U);
  std::string header = bytes.substr(16, length);
  header.erase(header.find_last_not_of(' ') + 1);
  return {header, bytes.substr(16 + length)};
}

template <typename T>
T at(const Answer& answer, std::size_t offset, std::size_t index) {
  T value;
  std::memcpy(&value, answer.data.data() + offset + index * sizeof(T), sizeof(T));
  return value;
}

Answer one_column(const std::vector<double>& values) {
  ColumnsWriter columns(ColumnsForm::kBinary);
  columns.column("x", values);
  return parse(std::move(columns).finish());
}

TEST(Columns, HoldsFloat32WhereThatIsExact) {
  const Answer exact = one_column({0.5, 0.25, -3, std::nan(""), std::numeric_limits<double>::infinity()});
  EXPECT_EQ(exact.header, R"({"meta":{"x":0},"columns":[{"type":"f32","offset":0,"length":5}]})");
  EXPECT_EQ(at<float>(exact, 0, 2), -3.0f);
  EXPECT_TRUE(std::isnan(at<float>(exact, 0, 3)));
  EXPECT_TRUE(std::isinf(at<float>(exact, 0, 4)));
}

TEST(Columns, HoldsFloat64WhereFloat32WouldLoseABit) {
  for (double value : {0.1, 1e300, 5e-324, 16777217.0}) {
    const Answer answer = one_column({0.5, value});
    EXPECT_NE(answer.header.find("f64"), std::string::npos) << value;
    EXPECT_EQ(at<double>(answer, 0, 1), value);
  }
}

TEST(Columns, DescribesRangesInsteadOfHoldingThem) {
  EXPECT_EQ(one_column({5, 15, 25, 35}).header,
            R"({"meta":{"x":0},"columns":[{"type":"range","first":5,"stride":10,"length":4}]})");
  EXPECT_EQ(one_column({0.1, 0.1, 0.1, 0.1}).header,
            R"({"meta":{"x":0},"columns":[{"type":"range","first":0.1,"stride":0,"length":4}]})");
  EXPECT_TRUE(one_column({5, 15, 25, 35}).data.empty());
}

TEST(Columns, TakesNothingForARangeThatIsNone) {
  for (const std::vector<double>& values : std::vector<std::vector<double>>{
           {0, 1, 2, 4}, {0.1, 0.2, 0.3, 0.4}, {0, 0, 0, -0.0}, {std::nan(""), 1, 2, 3}, {1, 1, 1, std::nan("")}}) {
    EXPECT_EQ(one_column(values).header.find("range"), std::string::npos);
  }
}

TEST(Columns, SendsEqualColumnsOnce) {
  ColumnsWriter columns(ColumnsForm::kBinary);
  columns.column("a", std::vector<double>{1, 3, 4});
  columns.column("b", std::vector<std::int64_t>{1, 3, 4});
  columns.column("c", std::vector<double>{1, 3, 5});
  columns.column("d", std::vector<double>{});
  columns.column("e", std::vector<std::int64_t>{});
  const Answer answer = parse(std::move(columns).finish());
  EXPECT_EQ(answer.header.substr(0, 41), R"({"meta":{"a":0,"b":0,"c":1,"d":2,"e":2},")");
  EXPECT_EQ(answer.data.size(), 16U + 12U);
}

TEST(Columns, AlignsEveryColumnToEightBytes) {
  ColumnsWriter columns(ColumnsForm::kBinary);
  columns.column("a", std::vector<std::uint8_t>{1, 2, 3});
  columns.column("b", std::vector<double>{0.1, 0.2});
  const Answer answer = parse(std::move(columns).finish());
  EXPECT_NE(answer.header.find(R"({"type":"u8","offset":0,"length":3},{"type":"f64","offset":8,"length":2})"),
            std::string::npos);
  EXPECT_EQ(at<double>(answer, 8, 1), 0.2);
}

TEST(Columns, StandAsListsInJson) {
  ColumnsWriter columns(ColumnsForm::kJson);
  columns.meta().member("run", "a");
  columns.column("step", std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::max()});
  columns.column("value", std::vector<double>{std::nan("")});
  columns.column("mark", std::vector<std::uint8_t>{2});
  EXPECT_EQ(std::move(columns).finish(), R"({"run":"a","step":[9223372036854775807],"value":["NaN"],"mark":[2]})");
}

}  // namespace
}  // namespace tensortap::format
