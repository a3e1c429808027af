// Tests of Values: every dtype and every layout reads as the same doubles.
#include "format/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace tensortap::format {
namespace {

using testing::ElementsAre;

std::vector<double> read(const TensorView& view) {
  std::vector<double> all;
  for_each_block(view, [&](std::uint64_t first, std::span<const double> values) {
    EXPECT_EQ(first, all.size());
    all.insert(all.end(), values.begin(), values.end());
  });
  return all;
}

TensorView raw_view(const void* data, DType dtype, std::int64_t count) { return {data, dtype, {count}, {}}; }

template <typename T>
class NumberValues : public testing::Test {};
using Numbers = testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(NumberValues, Numbers);

TYPED_TEST(NumberValues, AreReadUpToTheirLimits) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> elements{TypeParam{0}, TypeParam{1}, Limits::lowest(), Limits::max()};
  EXPECT_THAT(read(view(elements)),
              ElementsAre(0, 1, static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max())));
}

TEST(Values, AreReadFromSixteenBitFloats) {
  const std::uint16_t half[] = {0x0000, 0x3c00, 0xc000, 0x0001, 0x7c00};
  EXPECT_THAT(read(raw_view(half, DType::kFloat16, 5)), ElementsAre(0, 1, -2, 0x1p-24, INFINITY));
  const std::uint16_t brain[] = {0x0000, 0x3f80, 0xc000, 0xff80};
  EXPECT_THAT(read(raw_view(brain, DType::kBfloat16, 4)), ElementsAre(0, 1, -2, -INFINITY));
}

TEST(Values, AreReadFromOneByteKinds) {
  const std::uint8_t one[] = {0x38, 0x3c, 0x40, 0x58, 0x40};  // 1.0 in each of the float8 kinds
  const DType kinds[] = {DType::kFloat8E4m3fn, DType::kFloat8E5m2, DType::kFloat8E4m3fnuz, DType::kFloat8E4m3b11fnuz,
                         DType::kFloat8E5m2fnuz};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_THAT(read(raw_view(&one[i], kinds[i], 1)), ElementsAre(1)) << i;
  const std::uint8_t bytes[] = {0, 1, 7, 8, 15};
  EXPECT_THAT(read(raw_view(bytes, DType::kBool, 5)), ElementsAre(0, 1, 1, 1, 1));
  EXPECT_THAT(read(raw_view(bytes, DType::kInt4, 5)), ElementsAre(0, 1, 7, -8, -1));
  EXPECT_THAT(read(raw_view(bytes, DType::kUint4, 5)), ElementsAre(0, 1, 7, 8, 15));
}

TEST(Values, AreReadAcrossBlocksAndStrides) {
  std::vector<std::int32_t> elements(5000);
  std::iota(elements.begin(), elements.end(), 0);
  EXPECT_EQ(read(view(elements)), std::vector<double>(elements.begin(), elements.end()));
  // The columns of a 50 x 100 matrix, from the last to the first.
  const TensorView turned{&elements[99], DType::kInt32, {100, 50}, {-4, 400}};
  const std::vector<double> values = read(turned);
  ASSERT_EQ(values.size(), 5000u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<double>(99 - i / 50 + 100 * (i % 50))) << i;
  }
}

TEST(Values, AreNoneInAnEmptyTensor) { EXPECT_TRUE(read(view<float>(nullptr, {0, 3})).empty()); }

TEST(Values, AreRefusedForComplexAndForInvalidViews) {
  const std::complex<float> number;
  const Status status = check_values(view(&number, {1}));
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), testing::HasSubstr("complex64"));
  EXPECT_EQ(check_values(view<float>(nullptr, {2})).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(check_values({&number, DType::kString, {1}, {}}).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(check_values(view<float>(nullptr, {0})).ok());
}

}  // namespace
}  // namespace tensortap::format
