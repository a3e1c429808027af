// Tests of the histogram's grids.
#include "stats/histogram.h"

#include <gtest/gtest.h>

#include "stats/linear_grid.h"

namespace tensortap::stats {
namespace {

Histogram log_histogram(std::vector<std::uint16_t> keys) {
  Histogram histogram;
  histogram.counts.assign(keys.size(), 1);
  histogram.keys = std::move(keys);
  return histogram;
}

TEST(Histogram, KeysLieBetweenTheirEdges) {
  for (const double value : {1.0, 1.124, 0.3, 65504.0, 1e-40, 3e38, 1e-38}) {
    for (const double sign : {1.0, -1.0}) {
      const Histogram histogram = log_histogram({log_key(sign * value)});
      const double left = histogram.left_edge(0);
      const double right = histogram.right_edge(0);
      EXPECT_LE(left, sign * value);
      EXPECT_GE(right, sign * value);
      if (value > 1e-37) {
        EXPECT_LE((right - left) / value, 0.1251);
      }
    }
  }
}

TEST(Histogram, NeighbouringKeysShareAnEdge) {
  std::vector<std::uint16_t> keys;
  for (std::uint16_t key = 8; key <= 4087; ++key) keys.push_back(key);
  const Histogram histogram = log_histogram(keys);
  EXPECT_EQ(histogram.left_edge(0), -0x1p128);
  for (std::size_t i = 1; i < keys.size(); ++i) {
    EXPECT_EQ(histogram.right_edge(i - 1), histogram.left_edge(i));
    EXPECT_LT(histogram.left_edge(i), histogram.right_edge(i));
  }
  EXPECT_EQ(histogram.right_edge(keys.size() - 1), 0x1p128);
  EXPECT_EQ(histogram.total(), keys.size());
}

TEST(Histogram, TheMiddleKeysMeetAtZero) {
  const Histogram histogram = log_histogram({2047, 2048});
  EXPECT_EQ(histogram.right_edge(0), 0);
  EXPECT_EQ(histogram.left_edge(1), 0);
}

TEST(Histogram, LinearEdgesAreMultiplesOfTheWidth) {
  Histogram histogram = log_histogram({0, 3});
  histogram.grid = Histogram::Grid::kLinear;
  histogram.linear_exponent = -2;
  histogram.linear_base = -10;
  EXPECT_EQ(histogram.left_edge(0), -2.5);
  EXPECT_EQ(histogram.right_edge(0), -2.25);
  EXPECT_EQ(histogram.left_edge(1), -1.75);
}

TEST(LinearGrid, IsChosenForOneSignAndLessThanTwoOctaves) {
  EXPECT_TRUE(choose_linear_grid(1.0, 3.999));
  EXPECT_TRUE(choose_linear_grid(-3.999, -1.0));
  EXPECT_FALSE(choose_linear_grid(1.0, 4.0));
  EXPECT_FALSE(choose_linear_grid(0.0, 1.0));
  EXPECT_FALSE(choose_linear_grid(-1.0, 1.0));
  EXPECT_FALSE(choose_linear_grid(1.0, 1.0));
  EXPECT_FALSE(choose_linear_grid(INFINITY, -INFINITY));
}

TEST(LinearGrid, HasThirtyTwoToSixtyFiveCells) {
  for (const double scale : {1.0, 1e-300, 1e300, -1.0, 1e-38, -5e200}) {
    for (const double width : {0.5, 0.01, 1e-6, 1.7}) {
      const double a = scale;
      const double b = scale * (1 + width);
      const auto grid = choose_linear_grid(std::min(a, b), std::max(a, b));
      ASSERT_TRUE(grid);
      EXPECT_EQ(grid->cell(std::min(a, b)), 0);
      EXPECT_LE(grid->cell(std::max(a, b)), 64);
      EXPECT_GE(grid->cell(std::max(a, b)), 31);
    }
  }
}

TEST(LinearGrid, NeighbouringDoublesHaveACellEach) {
  const auto grid = choose_linear_grid(1.0, std::nextafter(1.0, 2.0));
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->exponent, -52);
  EXPECT_EQ(grid->cell(std::nextafter(1.0, 2.0)), 1);
  EXPECT_TRUE(choose_linear_grid(5e-324, 1e-323));
}

}  // namespace
}  // namespace tensortap::stats
