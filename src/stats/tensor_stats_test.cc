// Tests of the moments and percentiles of TensorStats.
#include "tensortap/tensor_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/random_tensor_testutil.h"

namespace tensortap {
namespace {

template <typename T>
TensorStats stats_of(const std::vector<T>& elements) {
  return compute_stats(view(elements)).value();
}

TEST(TensorStats, MomentsAreThoseOfTheFiniteValues) {
  const TensorStats stats = stats_of(std::vector<float>{1, 2, 3, 4, NAN, INFINITY});
  EXPECT_DOUBLE_EQ(stats.mean(), 2.5);
  EXPECT_DOUBLE_EQ(stats.std(), std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(stats.l2(), std::sqrt(30.0));
}

TEST(TensorStats, MomentsOfNothingAreNan) {
  const TensorStats stats = stats_of(std::vector<float>{NAN});
  EXPECT_TRUE(std::isnan(stats.mean()));
  EXPECT_TRUE(std::isnan(stats.std()));
  EXPECT_TRUE(std::isnan(stats.l2()));
  EXPECT_TRUE(std::isnan(stats.percentile(0.5)));
}

TEST(Percentile, EndsAtMinAndMax) {
  const TensorStats stats = stats_of(std::vector<float>{-3, 5, 0, 1});
  EXPECT_EQ(stats.percentile(0), -3);
  EXPECT_EQ(stats.percentile(1), 5);
  EXPECT_EQ(stats.percentile(-1), -3);
  EXPECT_EQ(stats.percentile(2), 5);
  EXPECT_TRUE(std::isnan(stats.percentile(NAN)));
}

TEST(Percentile, PlacesZerosBetweenTheSigns) {
  const TensorStats stats = stats_of(std::vector<float>{-1, -1, 0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_LT(stats.percentile(0.15), 0);
  EXPECT_EQ(stats.percentile(0.4), 0);
  EXPECT_EQ(stats.percentile(0.6), 0);
  EXPECT_GT(stats.percentile(0.65), 0);
  EXPECT_EQ(stats_of(std::vector<float>{0, 0, 0, 7}).percentile(0.5), 0);
  EXPECT_EQ(stats_of(std::vector<float>{0, 0, 0, -7}).percentile(0.9), 0);
}

TEST(Percentile, NeverDescendsNorLeavesTheRange) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    for (const DType dtype : stats::numeric_dtypes()) {
      const stats::RandomTensor tensor = stats::random_tensor(random, dtype);
      SCOPED_TRACE(tensor.description);
      const TensorStats stats = compute_stats(tensor.view).value();
      if (stats.finite_count() == 0) continue;
      double last = stats.min;
      for (int i = 0; i <= 100; ++i) {
        const double value = stats.percentile(i / 100.0);
        // Interpolation rounds: neighbouring results may cross by the last bits.
        ASSERT_GE(value, last - std::fabs(last) * 1e-14);
        ASSERT_LE(value, stats.max);
        last = value;
      }
    }
  }
}

TEST(Percentile, LiesWithinABucketOfTheTruth) {
  std::mt19937_64 random(6);
  std::normal_distribution<float> normal;
  std::vector<float> elements(100001);
  for (float& element : elements) element = normal(random);
  const TensorStats stats = stats_of(elements);
  std::sort(elements.begin(), elements.end());
  for (const double fraction : {0.01, 0.1, 0.25, 0.75, 0.9, 0.99}) {
    const double truth = static_cast<double>(elements[static_cast<std::size_t>(fraction * 100000)]);
    EXPECT_NEAR(stats.percentile(fraction), truth, std::fabs(truth) * 0.125);
  }
}

TEST(Percentile, ReachesDoublesBeyondFloat32) {
  const TensorStats stats = stats_of(std::vector<double>{-1e300, 1, 2, 1e300});
  EXPECT_LT(stats.percentile(0.1), -1e299);
  EXPECT_GT(stats.percentile(0.9), 1e299);
}

}  // namespace
}  // namespace tensortap
