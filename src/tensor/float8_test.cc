// Tests of the byte tables; the numbers come from ml_dtypes 0.6.
#include "tensor/float8.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tensortap::tensor {
namespace {

struct Summary {
  int nan = 0;
  int inf = 0;
  double largest = 0;
  double smallest = 1e300;
  double sum_magnitudes = 0;
  double sum_by_byte = 0;  // each value times its byte: tells orders apart
};

Summary summarize(DType dtype) {
  Summary summary;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const auto value = static_cast<double>(byte_values(dtype)[byte]);
    if (std::isnan(value)) ++summary.nan;
    if (std::isinf(value)) ++summary.inf;
    if (!std::isfinite(value)) continue;
    summary.largest = std::max(summary.largest, value);
    if (value > 0) summary.smallest = std::min(summary.smallest, value);
    summary.sum_magnitudes += std::fabs(value);
    summary.sum_by_byte += value * static_cast<double>(byte);
  }
  return summary;
}

void expect_summary(DType dtype, const Summary& expected) {
  const Summary summary = summarize(dtype);
  EXPECT_EQ(summary.nan, expected.nan) << dtype_name(dtype);
  EXPECT_EQ(summary.inf, expected.inf) << dtype_name(dtype);
  EXPECT_EQ(summary.largest, expected.largest) << dtype_name(dtype);
  EXPECT_EQ(summary.smallest, expected.smallest) << dtype_name(dtype);
  EXPECT_EQ(summary.sum_magnitudes, expected.sum_magnitudes) << dtype_name(dtype);
  EXPECT_EQ(summary.sum_by_byte, expected.sum_by_byte) << dtype_name(dtype);
}

TEST(ByteValues, Float8FormatsAreThoseOfMlDtypes) {
  expect_summary(DType::kFloat8E5m2, {6, 2, 0x1.cp15, 0x1p-16, 0x1.5ffffffcp19, -0x1.5ffffffcp25});
  expect_summary(DType::kFloat8E4m3fn, {2, 0, 0x1.cp8, 0x1p-9, 0x1.51fep13, -0x1.51fep19});
  expect_summary(DType::kFloat8E4m3fnuz, {1, 0, 0x1.ep7, 0x1p-10, 0x1.6ffep12, -0x1.6ffep18});
  expect_summary(DType::kFloat8E4m3b11fnuz, {1, 0, 0x1.ep4, 0x1p-13, 0x1.6ffep9, -0x1.6ffep15});
  expect_summary(DType::kFloat8E5m2fnuz, {1, 0, 0x1.cp15, 0x1p-17, 0x1.5ffffffep19, -0x1.5ffffffep25});
}

TEST(ByteValues, NanAndInfStandWhereTheFormatsSay) {
  EXPECT_TRUE(std::isinf(byte_values(DType::kFloat8E5m2)[0x7c]));
  EXPECT_TRUE(std::isnan(byte_values(DType::kFloat8E5m2)[0x7d]));
  EXPECT_TRUE(std::isnan(byte_values(DType::kFloat8E4m3fn)[0x7f]));
  EXPECT_EQ(byte_values(DType::kFloat8E4m3fn)[0x7e], 448.0f);
  EXPECT_TRUE(std::isnan(byte_values(DType::kFloat8E4m3fnuz)[0x80]));
  EXPECT_TRUE(std::signbit(byte_values(DType::kFloat8E5m2)[0x80]));
}

TEST(ByteValues, IntegersAreThemselves) {
  EXPECT_EQ(byte_values(DType::kUint8)[200], 200.0f);
  EXPECT_EQ(byte_values(DType::kInt8)[200], -56.0f);
  EXPECT_EQ(byte_values(DType::kBool)[0], 0.0f);
  EXPECT_EQ(byte_values(DType::kBool)[3], 1.0f);
}

TEST(ByteValues, FourBitIntegersUseTheLowBits) {
  EXPECT_EQ(byte_values(DType::kInt4)[7], 7.0f);
  EXPECT_EQ(byte_values(DType::kInt4)[8], -8.0f);
  EXPECT_EQ(byte_values(DType::kInt4)[0xff], -1.0f);
  EXPECT_EQ(byte_values(DType::kInt4)[0x10], 0.0f);
  EXPECT_EQ(byte_values(DType::kUint4)[0xff], 15.0f);
}

TEST(ByteValues, WiderTypesHaveNone) { EXPECT_TRUE(std::isnan(byte_values(DType::kFloat32)[1])); }

TEST(SmallestNormal, ExceedsTheLargestSubnormalByOneStep) {
  EXPECT_EQ(smallest_normal(DType::kFloat8E4m3fn), static_cast<double>(byte_values(DType::kFloat8E4m3fn)[8]));
  EXPECT_EQ(smallest_normal(DType::kFloat8E5m2), static_cast<double>(byte_values(DType::kFloat8E5m2)[4]));
  EXPECT_EQ(smallest_normal(DType::kFloat8E4m3fnuz), static_cast<double>(byte_values(DType::kFloat8E4m3fnuz)[8]));
  EXPECT_EQ(smallest_normal(DType::kFloat8E4m3b11fnuz), static_cast<double>(byte_values(DType::kFloat8E4m3b11fnuz)[8]));
  EXPECT_EQ(smallest_normal(DType::kFloat8E5m2fnuz), static_cast<double>(byte_values(DType::kFloat8E5m2fnuz)[4]));
  EXPECT_EQ(smallest_normal(DType::kFloat16), 0x1p-14);
  EXPECT_EQ(smallest_normal(DType::kFloat32), 0x1p-126);
  EXPECT_EQ(smallest_normal(DType::kInt32), 0);
}

}  // namespace
}  // namespace tensortap::tensor
