// Tests of PixelScale: the byte for each value, by scale and dtype.
#include "format/pixel_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tensortap::format {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

PixelScaler scaler(PixelScale scale, DType dtype, double low = 0, double high = 0) {
  ValueRange range;
  range.add(low);
  range.add(high);
  return PixelScaler(scale, dtype, range);
}

TEST(ValueRange, SkipsWhatIsNotFinite) {
  ValueRange range;
  EXPECT_TRUE(range.empty());
  for (const double value : {NAN, INFINITY, -INFINITY}) range.add(value);
  EXPECT_TRUE(range.empty());
  for (const double value : {3.0, -2.0, 1.0}) range.add(value);
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 3);
}

TEST(PixelScale, UnitTruncatesTheProductWith255AndAHalfAsTensorFlowDoes) {
  const PixelScaler unit = scaler(PixelScale::kUnit, DType::kFloat32);
  EXPECT_EQ(unit.byte(0), 0);
  EXPECT_EQ(unit.byte(0.25), 63);
  EXPECT_EQ(unit.byte(0.5), 127);
  EXPECT_EQ(unit.byte(0.75), 191);
  EXPECT_EQ(unit.byte(0.998), 254);
  EXPECT_EQ(unit.byte(1), 255);
  EXPECT_EQ(unit.byte(1.5), 255);
  EXPECT_EQ(unit.byte(-0.5), 0);
}

TEST(PixelScale, UnitRoundsProductsToTheDtypeOfTheImage) {
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kBfloat16).byte(0.5), 128);
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kBfloat16).byte(1), 255);
  // 222.9387..., which is 223 in float16.
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kFloat16).byte(0.87255859375), 223);
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kFloat64).byte(0.87255859375), 222);
  // 117.9999991..., which is 118 in float32.
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kFloat32).byte(0x1.d8ec76p-2), 118);
  EXPECT_EQ(scaler(PixelScale::kUnit, DType::kFloat64).byte(0x1.d8ec76p-2), 117);
}

TEST(PixelScale, AutoGoesByDtype) {
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kUint8).byte(77), 77);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kBool).byte(1), 255);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kBool).byte(0), 0);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kUint16).byte(65535), 255);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kUint16).byte(32768), 128);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kUint16).byte(255), 0);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kInt64).byte(-9e18), 0);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kInt64).byte(200), 200);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kInt64).byte(9e18), 255);
  EXPECT_EQ(scaler(PixelScale::kAuto, DType::kFloat64).byte(0.5), 127);
}

TEST(PixelScale, MinMaxStretchesAndRounds) {
  const PixelScaler stretch = scaler(PixelScale::kMinMax, DType::kFloat32, -1, 3);
  EXPECT_EQ(stretch.byte(-1), 0);
  EXPECT_EQ(stretch.byte(1), 128);  // 127.5
  EXPECT_EQ(stretch.byte(3), 255);
}

TEST(PixelScale, SymmetricHasZeroInTheMiddle) {
  const PixelScaler symmetric = scaler(PixelScale::kSymmetric, DType::kFloat32, -1, 4);
  EXPECT_EQ(symmetric.byte(0), 128);
  EXPECT_EQ(symmetric.byte(-4), 0);
  EXPECT_EQ(symmetric.byte(4), 255);
  EXPECT_EQ(symmetric.byte(-1), 96);  // 95.625
}

TEST(PixelScale, ConstantAndEmptyRangesAreMidGray) {
  EXPECT_EQ(scaler(PixelScale::kMinMax, DType::kFloat32, 5, 5).byte(5), 128);
  EXPECT_EQ(scaler(PixelScale::kSymmetric, DType::kFloat32, 0, 0).byte(0), 128);
  EXPECT_EQ(PixelScaler(PixelScale::kMinMax, DType::kFloat32, ValueRange{}).byte(0), 128);
}

TEST(PixelScale, InfinitiesAreWhiteAndBlackOnEveryScale) {
  for (const PixelScale scale : {PixelScale::kAuto, PixelScale::kUnit, PixelScale::kMinMax, PixelScale::kSymmetric}) {
    for (const double high : {0.0, 2.0}) {
      const PixelScaler scaled = scaler(scale, DType::kFloat32, 0, high);
      EXPECT_EQ(scaled.byte(INFINITY), 255);
      EXPECT_EQ(scaled.byte(-INFINITY), 0);
    }
  }
}

TEST(PixelScale, HoldsForTheLargestAndSmallestRanges) {
  const PixelScaler largest = scaler(PixelScale::kMinMax, DType::kFloat64, -kHuge, kHuge);
  EXPECT_EQ(largest.byte(-kHuge), 0);
  EXPECT_EQ(largest.byte(0), 128);
  EXPECT_EQ(largest.byte(kHuge), 255);
  const PixelScaler smallest = scaler(PixelScale::kMinMax, DType::kFloat64, 0, kTiny);
  EXPECT_EQ(smallest.byte(0), 0);
  EXPECT_EQ(smallest.byte(kTiny), 255);
}

TEST(PixelScale, MapsArraysAsItMapsValues) {
  std::vector<double> values;
  for (int i = -50; i < 1200; ++i) values.push_back(i / 1000.0);
  values.insert(values.end(), {NAN, INFINITY, -INFINITY, 1e300});
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBfloat16}) {
    const PixelScaler unit = scaler(PixelScale::kUnit, dtype);
    std::vector<std::uint8_t> bytes(values.size());
    unit.map(values, bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(bytes[i], unit.byte(values[i])) << values[i];
  }
}

}  // namespace
}  // namespace tensortap::format
