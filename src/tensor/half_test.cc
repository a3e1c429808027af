// Tests of the 16-bit float conversions.
#include "tensor/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tensortap::tensor {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Half, KnownPatternsHaveTheirValues) {
  EXPECT_EQ(float_from_float16(0x3c00), 1.0f);
  EXPECT_EQ(float_from_float16(0xc000), -2.0f);
  EXPECT_EQ(float_from_float16(0x7bff), 65504.0f);
  EXPECT_EQ(float_from_float16(0x0001), 0x1p-24f);
  EXPECT_EQ(float_from_float16(0x83ff), -0x1.ff8p-15f);
  EXPECT_EQ(float_from_float16(0x7c00), kInf);
  EXPECT_EQ(float_from_float16(0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(float_from_float16(0x7c01)));
  EXPECT_TRUE(std::signbit(float_from_float16(0x8000)));
  EXPECT_EQ(float_from_bfloat16(0x3f80), 1.0f);
  EXPECT_EQ(float_from_bfloat16(0xff80), -kInf);
}

template <typename ToFloat, typename FromFloat>
void expect_every_pattern_comes_back(ToFloat to_float, FromFloat from_float) {
  for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
    const auto bits = static_cast<std::uint16_t>(pattern);
    const float value = to_float(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(from_float(value))));
    } else {
      EXPECT_EQ(from_float(value), bits);
    }
  }
}

TEST(Half, EveryPatternComesBack) {
  expect_every_pattern_comes_back(float_from_float16, float16_from_float);
  expect_every_pattern_comes_back(float_from_bfloat16, bfloat16_from_float);
}

// The neighbours of the result are no nearer, and at equal distance the even pattern wins.
template <typename ToFloat>
void expect_nearest(float value, std::uint16_t bits, ToFloat to_float) {
  const auto distance = [&](std::uint16_t pattern) {
    return std::fabs(static_cast<double>(to_float(pattern)) - static_cast<double>(value));
  };
  for (const int step : {-1, 1}) {
    const auto neighbour = static_cast<std::uint16_t>(bits + step);
    if ((neighbour & 0x8000) != (bits & 0x8000) || !std::isfinite(to_float(neighbour))) continue;
    EXPECT_LE(distance(bits), distance(neighbour)) << value;
    if (distance(bits) == distance(neighbour)) {
      EXPECT_EQ(bits & 1, 0) << value;
    }
  }
}

TEST(Half, RoundsToNearestEven) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const float value = std::ldexp(static_cast<float>(random() % 16777216u), static_cast<int>(random() % 40) - 50);
    const float signed_value = random() % 2 == 0 ? value : -value;
    const std::uint16_t half = float16_from_float(signed_value);
    if (std::isfinite(float_from_float16(half))) expect_nearest(signed_value, half, float_from_float16);
    expect_nearest(signed_value, bfloat16_from_float(signed_value), float_from_bfloat16);
  }
  EXPECT_EQ(float16_from_float(0x1.002p0f), 0x3c00);
  EXPECT_EQ(float16_from_float(0x1.006p0f), 0x3c02);
}

TEST(Half, TooLargeBecomesInfinite) {
  EXPECT_EQ(float16_from_float(65519.0f), 0x7bff);
  EXPECT_EQ(float16_from_float(65520.0f), 0x7c00);
  EXPECT_EQ(float16_from_float(-1e30f), 0xfc00);
  EXPECT_EQ(bfloat16_from_float(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace tensortap::tensor
