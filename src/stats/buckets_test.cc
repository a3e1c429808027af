// Tests of TensorStats::buckets().
#include <gtest/gtest.h>

#include <cmath>

#include "stats/random_tensor_testutil.h"
#include "tensortap/tensor_stats.h"

namespace tensortap {

// For GoogleTest's comparisons and messages.
static bool operator==(const HistogramBucket& a, const HistogramBucket& b) {
  return a.left == b.left && a.right == b.right && a.count == b.count;
}

static void PrintTo(const HistogramBucket& row, std::ostream* out) {
  *out << "[" << row.left << ", " << row.right << "] " << row.count;
}

namespace {

using Rows = std::vector<HistogramBucket>;

template <typename T>
Rows buckets_of(const std::vector<T>& elements, std::size_t max_buckets = 100) {
  return compute_stats(view(elements)).value().buckets(max_buckets);
}

void expect_sound(const TensorStats& stats, std::size_t max_buckets) {
  const Rows rows = stats.buckets(max_buckets);
  if (stats.finite_count() == 0) {
    EXPECT_TRUE(rows.empty());
    return;
  }
  ASSERT_FALSE(rows.empty());
  EXPECT_LE(rows.size(), max_buckets);
  EXPECT_EQ(rows.front().left, stats.min);
  EXPECT_EQ(rows.back().right, stats.max);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    total += rows[i].count;
    if (stats.min < stats.max) {
      EXPECT_LT(rows[i].left, rows[i].right);
    }
    if (i > 0) {
      EXPECT_EQ(rows[i - 1].right, rows[i].left);
    }
  }
  EXPECT_EQ(total, stats.finite_count());
}

TEST(Buckets, AreContiguousAndCompleteForAnyTensor) {
  std::mt19937_64 random(77);
  for (int round = 0; round < 150; ++round) {
    for (const DType dtype : stats::numeric_dtypes()) {
      const stats::RandomTensor tensor = stats::random_tensor(random, dtype);
      SCOPED_TRACE(tensor.description);
      const TensorStats stats = compute_stats(tensor.view).value();
      for (const std::size_t max_buckets : {8u, 30u, 64u, 5000u}) expect_sound(stats, max_buckets);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Buckets, OfEqualValuesAreOneRowWithoutWidth) {
  EXPECT_EQ(buckets_of(std::vector<float>(7, 0.25f)), (Rows{{0.25, 0.25, 7}}));
  EXPECT_EQ(buckets_of(std::vector<float>(7, 0.0f)), (Rows{{0, 0, 7}}));
}

TEST(Buckets, OfNothingFiniteAreNone) { EXPECT_TRUE(buckets_of(std::vector<float>{NAN}).empty()); }

TEST(Buckets, TellZerosAndOnesApart) {
  EXPECT_EQ(buckets_of(std::vector<float>{0, 1, 0, 0}), (Rows{{0, 0.9375, 3}, {0.9375, 1, 1}}));
  EXPECT_EQ(buckets_of(std::vector<float>{0, -1, 0, 0}), (Rows{{-1, -0.9375, 1}, {-0.9375, 0, 3}}));
}

TEST(Buckets, GiveZerosTheGapBetweenTheSigns) {
  EXPECT_EQ(buckets_of(std::vector<float>{-1.1f, 0, 0, 1.1f}),
            (Rows{{static_cast<double>(-1.1f), -1, 1}, {-1, 1, 2}, {1, static_cast<double>(1.1f), 1}}));
}

TEST(Buckets, ShowGapsAsOneEmptyRow) {
  EXPECT_EQ(buckets_of(std::vector<double>{1.05, 8.25}), (Rows{{1.05, 1.125, 1}, {1.125, 8, 0}, {8, 8.25, 1}}));
}

TEST(Buckets, HalveTheResolutionWhenThereAreTooMany) {
  std::vector<float> elements;
  for (int i = 0; i < 16; ++i) elements.push_back(std::ldexp(1.03f + 0.125f * static_cast<float>(i % 8), i / 8));
  elements.push_back(100.0f);
  EXPECT_EQ(buckets_of(elements, 100).size(), 18u);
  const Rows halved = buckets_of(elements, 12);
  ASSERT_EQ(halved.size(), 10u);
  EXPECT_EQ(halved[1].left, 1.25);
  EXPECT_EQ(halved[1].right, 1.5);
  EXPECT_EQ(halved[1].count, 2u);
}

TEST(Buckets, CoverDoublesThatRoundIntoTheNextBucket) {
  const double below = 0.9999999999;
  EXPECT_EQ(buckets_of(std::vector<double>{0.1, below}),
            (Rows{{0.1, 0.1015625, 1}, {0.1015625, 0.9375, 0}, {0.9375, below, 1}}));
}

TEST(Buckets, CoverTheWholeRangeOfDoubles) {
  const Rows rows = buckets_of(std::vector<double>{1e-300, 1.0, 1e300});
  EXPECT_EQ(rows.front().left, 1e-300);
  EXPECT_EQ(rows.back().right, 1e300);
  EXPECT_EQ(rows.front().count, 1u);
  EXPECT_EQ(rows.back().count, 1u);
}

}  // namespace
}  // namespace tensortap
