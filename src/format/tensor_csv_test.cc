// Tensors as rows: indices, exact numbers of every dtype, strings.
#include "format/tensor_csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "format/element_text.h"

namespace tensortap::format {
namespace {

std::string all_of(TensorCsv csv) {
  std::string text;
  while (auto piece = csv.next()) text += *piece;
  return text;
}

template <typename T>
std::string element(T value) {
  std::string out;
  append_element(out, view(&value, Shape{}), 0);
  return out;
}

TEST(ElementText, IsExactInEveryDtype) {
  EXPECT_EQ(element(0.1f), "0.1");
  EXPECT_EQ(element(0.1), "0.1");
  EXPECT_EQ(element(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(element(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(element(std::int8_t{-5}), "-5");
  EXPECT_EQ(element(std::numeric_limits<std::uint32_t>::max()), "4294967295");
  EXPECT_EQ(element(true), "1");
  EXPECT_EQ(element(std::nanf("")), "NaN");
  EXPECT_EQ(element(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(ElementText, WidensSmallFloats) {
  const std::uint16_t half = 0x2e66, brain = 0x3dcd;  // nearest to 0.1
  std::string out;
  append_element(out, {&half, DType::kFloat16, {}, {}}, 0);
  EXPECT_EQ(std::stof(out), 0.0999755859375f);
  out.clear();
  append_element(out, {&brain, DType::kBfloat16, {}, {}}, 0);
  EXPECT_EQ(std::stof(out), 0.10009765625f);
}

TEST(TensorCsv, HasTheIndicesOfEachElement) {
  const std::vector<std::int32_t> numbers = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(all_of(TensorCsv(view(numbers, {2, 3}))),
            "axis_0,axis_1,value\r\n0,0,1\r\n0,1,2\r\n0,2,3\r\n1,0,4\r\n1,1,5\r\n1,2,6\r\n");
}

TEST(TensorCsv, WritesScalarsComplexNumbersAndNothing) {
  const double one = 1.5;
  EXPECT_EQ(all_of(TensorCsv(view(&one, Shape{}))), "value\r\n1.5\r\n");
  const std::vector<std::complex<float>> complex = {{1, -2}};
  EXPECT_EQ(all_of(TensorCsv(view(complex))), "axis_0,real,imag\r\n0,1,-2\r\n");
  EXPECT_EQ(all_of(TensorCsv(view(std::vector<float>{}, {0, 2}))), "axis_0,axis_1,value\r\n");
}

TEST(TensorCsv, ProtectsStrings) {
  const std::vector<std::string> strings = {"a,b", "=1"};
  EXPECT_EQ(all_of(TensorCsv(strings, {2})), "axis_0,value\r\n0,\"a,b\"\r\n1,\"'=1\"\r\n");
}

TEST(TensorCsv, ComesInPieces) {
  const std::vector<float> many(40'000, 1.0f);
  TensorCsv csv(view(many));
  std::size_t pieces = 0;
  while (csv.next()) ++pieces;
  EXPECT_EQ(pieces, 4U);
}

}  // namespace
}  // namespace tensortap::format
