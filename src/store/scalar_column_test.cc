// Every point comes back as it went in, whatever the steps and values are.
#include "store/scalar_column.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace tensortap::store {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Filled {
  Arena arena;
  ScalarColumn column;
  std::vector<ScalarPoint> points;

  void add(std::int64_t step, double wall_secs, double value) {
    points.push_back({step, wall_secs, value});
    column.append(points.back(), arena);
  }
  void expect_same() const {
    ASSERT_EQ(column.size(), points.size());
    std::vector<std::int64_t> steps(points.size());
    std::vector<double> walls(points.size()), values(points.size());
    column.copy(0, points.size(), steps.data(), walls.data(), values.data());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ScalarPoint point = column.at(i);
      ASSERT_EQ(point.step, points[i].step) << i;
      ASSERT_EQ(steps[i], points[i].step) << i;
      ASSERT_EQ(walls[i], points[i].wall_secs) << i;
      const bool both_nan = std::isnan(values[i]) && std::isnan(points[i].value);
      ASSERT_TRUE(both_nan || std::bit_cast<std::uint64_t>(values[i]) == std::bit_cast<std::uint64_t>(points[i].value));
      ASSERT_TRUE(both_nan || point.value == points[i].value);
    }
  }
};

TEST(ScalarColumn, KeepsEvenStepsAndFloatsInTwelveBytesAPoint) {
  Filled filled;
  for (int i = 0; i < 1000; ++i) filled.add(10 * i, 1e9 + i, static_cast<float>(std::sin(i)));
  filled.expect_same();
  EXPECT_TRUE(filled.column.ascending());
  for (const ScalarColumn::Block& block : filled.column.blocks()) {
    EXPECT_EQ(ScalarColumn::block_bytes(block.layout), 12 * ScalarColumn::kBlockPoints);
  }
}

TEST(ScalarColumn, KeepsDoublesAndUnevenSteps) {
  Filled filled;
  std::mt19937_64 random(1);
  for (int i = 0; i < 777; ++i) filled.add(static_cast<std::int64_t>(random() % 100000), 1.5 * i, 1.0 / (i + 3));
  filled.expect_same();
  EXPECT_FALSE(filled.column.ascending());
}

TEST(ScalarColumn, KeepsStepsFromOneEndOfInt64ToTheOther) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  Filled filled;
  for (int i = 0; i < 200; ++i) filled.add(i % 2 == 0 ? kLeast + i : kMost - i, 0, i);
  filled.expect_same();
  Filled ascending;
  for (std::uint64_t i = 0; i < 128; ++i) {
    ascending.add(static_cast<std::int64_t>(static_cast<std::uint64_t>(kLeast) + i * (~std::uint64_t{0} / 130)), 0, 1);
  }
  ascending.expect_same();
  EXPECT_TRUE(ascending.column.ascending());
}

TEST(ScalarColumn, KeepsNanInfAndNegativeZero) {
  Filled filled;
  for (int i = 0; i < 256; ++i) {
    const double odd[] = {kNan, kInf, -kInf, -0.0, 5e-324, 1e300};
    filled.add(i, 0, odd[i % 6]);
  }
  filled.expect_same();
}

TEST(ScalarColumn, EqualOrFallingStepsAreNotAscending) {
  for (std::int64_t second : {5, 4}) {
    Filled filled;
    filled.add(5, 0, 0);
    EXPECT_TRUE(filled.column.ascending());
    filled.add(second, 0, 0);
    EXPECT_FALSE(filled.column.ascending());
  }
}

TEST(ScalarColumn, FindsTheFirstPointAtOrAfterAStep) {
  for (int stride : {1, 3}) {
    Filled filled;
    for (int i = 0; i < 500; ++i) filled.add(stride * i + (i > 300 ? 7 : 0), 0, i);
    for (std::int64_t step = -2; step < 500 * stride + 20; ++step) {
      std::size_t expected = 0;
      while (expected < filled.points.size() && filled.points[expected].step < step) ++expected;
      ASSERT_EQ(filled.column.lower_bound(step), expected) << step;
    }
  }
}

TEST(ScalarColumn, ExtremesOfEveryRangeAreThoseOfItsPoints) {
  Filled filled;
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 64 * 16 * 3 + 17; ++i) filled.add(i, 0, i % 97 == 0 ? kNan : normal(random));
  for (int trial = 0; trial < 3000; ++trial) {
    std::size_t from = random() % filled.points.size(), to = random() % (filled.points.size() + 1);
    if (from > to) std::swap(from, to);
    Extremes expected;
    for (std::size_t i = from; i < to; ++i) expected.add(filled.points[i].value);
    const Extremes found = filled.column.extremes(from, to);
    ASSERT_EQ(found.min, expected.min);
    ASSERT_EQ(found.max, expected.max);
    ASSERT_EQ(found.non_finite, expected.non_finite);
    if (expected.min > expected.max) continue;
    const std::size_t where = filled.column.find(expected.max, from, to);
    ASSERT_LT(where, to);
    ASSERT_EQ(filled.points[where].value, expected.max);
  }
}

TEST(ScalarColumn, RestoredBlocksGoOnWhereTheyEnded) {
  Filled filled;
  for (int i = 0; i < 64 * 40; ++i) filled.add(i, i, 0.5 * i);
  Filled again;
  for (const ScalarColumn::Block& block : filled.column.blocks()) again.column.restore(block);
  again.points = filled.points;
  again.expect_same();
  again.add(64 * 40, 1, 2);
  again.expect_same();
  EXPECT_TRUE(again.column.ascending());
  again.add(3, 1, 2);
  EXPECT_FALSE(again.column.ascending());
  EXPECT_EQ(again.column.extremes(0, again.column.size()).max, 0.5 * (64 * 40 - 1));
}

}  // namespace
}  // namespace tensortap::store
