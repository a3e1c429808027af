// Tests of compute_stats() against its definition, on every instruction set of the machine.
#include "stats/compute_stats.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "stats/random_tensor_testutil.h"
#include "stats/reference.h"
#include "stats/workspace.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tensortap {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr float kNanFloat = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfFloat = std::numeric_limits<float>::infinity();

// Makes all kernels use one instruction set.
class ForcedTarget {
 public:
  explicit ForcedTarget(std::int64_t target) { choose(target); }
  ~ForcedTarget() { choose(0); }

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

void expect_near(double value, double expected, double tolerance, const char* what) {
  if (value == expected) return;
  // On the way to beyond 1e308 either may be the first to become Inf.
  if (std::fabs(expected) > 1e307 && std::fabs(value) > 1e307) return;
  EXPECT_NEAR(value, expected, tolerance) << what;
}

void expect_same_counts(const TensorStats& stats, const TensorStats& expected) {
  EXPECT_EQ(stats.count, expected.count);
  EXPECT_EQ(stats.zeros, expected.zeros);
  EXPECT_EQ(stats.nan, expected.nan);
  EXPECT_EQ(stats.positive_inf, expected.positive_inf);
  EXPECT_EQ(stats.negative_inf, expected.negative_inf);
  EXPECT_EQ(stats.negatives, expected.negatives);
  EXPECT_EQ(stats.subnormals, expected.subnormals);
}

void expect_same_histogram(const Histogram& histogram, const Histogram& expected) {
  EXPECT_EQ(histogram.grid, expected.grid);
  EXPECT_EQ(histogram.linear_exponent, expected.linear_exponent);
  EXPECT_EQ(histogram.linear_base, expected.linear_base);
  EXPECT_EQ(histogram.keys, expected.keys);
  EXPECT_EQ(histogram.counts, expected.counts);
}

// n additions err by no more than n * 2^-53 of what they add up.
void expect_same_sums(const TensorStats& stats, const TensorStats& expected) {
  const double n = static_cast<double>(expected.finite_count());
  const double rounding = (n + 16) * 0x1p-53;
  const double underflow = n * 0x1p-1070;
  EXPECT_EQ(stats.min, expected.min);
  EXPECT_EQ(stats.max, expected.max);
  expect_near(stats.sum, expected.sum, rounding * expected.l1, "sum");
  expect_near(stats.l1, expected.l1, rounding * expected.l1, "l1");
  expect_near(stats.sum_squares, expected.sum_squares, rounding * expected.sum_squares + underflow, "sum_squares");
  const bool centred = expected.histogram.grid == Histogram::Grid::kLinear;
  const double scale = centred ? expected.squared_deviations : 3 * expected.sum_squares;
  expect_near(stats.squared_deviations, expected.squared_deviations, 4 * rounding * scale + underflow,
              "squared_deviations");
}

void expect_same_stats(const TensorStats& stats, const TensorStats& expected) {
  expect_same_counts(stats, expected);
  expect_same_sums(stats, expected);
  expect_same_histogram(stats.histogram, expected.histogram);
}

TensorStats stats_of(const TensorView& view) { return compute_stats(view).value(); }

// What a tensor leaves behind would be counted with the next one.
bool table_is_zero() {
  for (const auto& pairs : stats::thread_workspace().table.pairs) {
    if (std::any_of(pairs.begin(), pairs.end(), [](std::uint32_t count) { return count != 0; })) return false;
  }
  return true;
}

TEST(ComputeStats, EqualsTheReferenceOnEveryInstructionSet) {
  std::mt19937_64 random(2024);
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  for (int round = 0; round < 500; ++round) {
    for (const DType dtype : stats::numeric_dtypes()) {
      const stats::RandomTensor tensor = stats::random_tensor(random, dtype);
      const TensorStats expected = stats::compute_reference_stats(tensor.view);
      for (const std::int64_t target : targets) {
        const ForcedTarget forced(target);
        SCOPED_TRACE(tensor.description + " on " + hwy::TargetName(target));
        expect_same_stats(stats_of(tensor.view), expected);
        if (testing::Test::HasFailure()) return;
      }
      ASSERT_TRUE(table_is_zero()) << tensor.description;
    }
  }
}

TEST(ComputeStats, NaNAndInfAmongManyZerosAreCountedApart) {
  std::vector<float> values(5000, 0.0F);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = static_cast<float>(i) - 2000.5F;
  values[100] = kNanFloat;
  values[4000] = kInfFloat;
  values[4999] = -kInfFloat;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const ForcedTarget forced(target);
    SCOPED_TRACE(hwy::TargetName(target));
    expect_same_stats(stats_of(view(values)), stats::compute_reference_stats(view(values)));
    EXPECT_TRUE(table_is_zero());
  }
}

TEST(ComputeStats, DrainingTheTableInBetweenChangesNothing) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 40; ++round) {
    for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16}) {
      const stats::RandomTensor tensor = stats::random_tensor(random, dtype);
      SCOPED_TRACE(tensor.description);
      const TensorStats drained = stats::compute_stats(tensor.view, 1).value();
      expect_same_stats(drained, stats_of(tensor.view));
    }
  }
}

TEST(ComputeStats, HistogramsOfPartsAddUpToThatOfTheWhole) {
  std::mt19937_64 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> whole(10000);
  for (float& value : whole) value = normal(random) * 10;
  std::vector<std::uint64_t> sum(Histogram::kKeys);
  for (const auto& [first, size] : {std::pair<int, int>{0, 37}, {37, 4963}, {5000, 5000}}) {
    const Histogram part = stats_of(view(whole.data() + first, {size})).histogram;
    for (std::size_t i = 0; i < part.keys.size(); ++i) sum[part.keys[i]] += part.counts[i];
  }
  const Histogram all = stats_of(view(whole)).histogram;
  for (std::size_t i = 0; i < all.keys.size(); ++i) EXPECT_EQ(sum[all.keys[i]], all.counts[i]);
  EXPECT_EQ(all.total(), 10000u);
}

TEST(ComputeStats, AnEmptyTensorHasMinAboveMax) {
  const TensorStats stats = stats_of({nullptr, DType::kFloat32, {3, 0}, {}});
  EXPECT_EQ(stats.count, 0u);
  EXPECT_EQ(stats.min, kInf);
  EXPECT_EQ(stats.max, -kInf);
  EXPECT_EQ(stats.sum, 0);
  EXPECT_TRUE(std::isnan(stats.mean()));
  EXPECT_TRUE(std::isnan(stats.std()));
  EXPECT_TRUE(stats.histogram.keys.empty());
}

TEST(ComputeStats, AScalarIsOneElement) {
  const double element = -2.5;
  const TensorStats stats = stats_of(view(&element, {}));
  EXPECT_EQ(stats.count, 1u);
  EXPECT_EQ(stats.min, -2.5);
  EXPECT_EQ(stats.max, -2.5);
  EXPECT_EQ(stats.negatives, 1u);
  EXPECT_EQ(stats.std(), 0);
}

TEST(ComputeStats, NothingFiniteLeavesTheSumsZero) {
  const std::vector<float> elements = {kNanFloat, kInfFloat, -kInfFloat, kNanFloat};
  const TensorStats stats = stats_of(view(elements));
  EXPECT_EQ(stats.nan, 2u);
  EXPECT_EQ(stats.positive_inf, 1u);
  EXPECT_EQ(stats.negative_inf, 1u);
  EXPECT_EQ(stats.negatives, 1u);
  EXPECT_EQ(stats.finite_count(), 0u);
  EXPECT_EQ(stats.sum, 0);
  EXPECT_EQ(stats.min, kInf);
}

TEST(ComputeStats, ConstantDataHasNoDeviationWhateverTheValue) {
  for (const float value : {0.0f, 0.1f, -3.3333f, 1e-40f, 3e38f}) {
    const std::vector<float> elements(100003, value);
    const TensorStats stats = stats_of(view(elements));
    EXPECT_EQ(stats.std(), 0.0) << value;
    EXPECT_EQ(stats.min, stats.max);
  }
}

TEST(ComputeStats, TheDeviationOfOffsetDataIsRightToAMillionth) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<float> elements(200000);
  for (float& element : elements) element = static_cast<float>(1e4 + 1e-2 * normal(random));
  const double expected = stats::compute_reference_stats(view(elements)).std();
  EXPECT_NEAR(stats_of(view(elements)).std() / expected, 1.0, 1e-6);
  const std::vector<double> doubles(elements.begin(), elements.end());
  EXPECT_NEAR(stats_of(view(doubles)).std() / expected, 1.0, 1e-6);
}

TEST(ComputeStats, NegativeDoublesNextToACellsEdgeStayOnTheirSide) {
  std::vector<double> elements = {-63.0};
  for (int edge = 16; edge < 32; ++edge) {
    elements.push_back(-edge);
    elements.push_back(std::nextafter(-edge, -100.0));
    elements.push_back(std::nextafter(-edge, 0.0));
  }
  elements[3] = -16.0;  // keeps max/min below 4
  const TensorStats expected = stats::compute_reference_stats(view(elements));
  EXPECT_EQ(expected.histogram.grid, Histogram::Grid::kLinear);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const ForcedTarget forced(target);
    expect_same_histogram(stats_of(view(elements)).histogram, expected.histogram);
  }
}

TEST(ComputeStats, DoublesBeyondFloat32StayFiniteAndApartFromZero) {
  const std::vector<double> elements = {1e-300, 1e300, -1e-300, -1e300, 0.0, 1.0};
  const TensorStats stats = stats_of(view(elements));
  EXPECT_EQ(stats.zeros, 1u);
  EXPECT_EQ(stats.positive_inf, 0u);
  EXPECT_EQ(stats.negatives, 2u);
  EXPECT_EQ(stats.max, 1e300);
  EXPECT_EQ(stats.histogram.keys, (std::vector<std::uint16_t>{8, 2047, 2048, 3064, 4087}));
  EXPECT_EQ(stats.sum, 1.0);
}

TEST(ComputeStats, SumsThatOverflowInBetweenComeBack) {
  std::vector<double> elements(5000, 1.7e308);
  elements.resize(10000, -1.7e308);
  const TensorStats stats = stats_of(view(elements));
  EXPECT_EQ(stats.sum, 0);
  EXPECT_EQ(stats.sum_squares, kInf);
  EXPECT_EQ(stats.std(), kInf);
}

TEST(ComputeStats, SubnormalsAreThoseOfTheTensorsOwnType) {
  const std::vector<std::uint16_t> halves = {0x0001, 0x83ff, 0x0400, 0x0000, 0x8000, 0x7c00};
  EXPECT_EQ(stats_of({halves.data(), DType::kFloat16, {6}, {}}).subnormals, 2u);
  EXPECT_EQ(stats_of({halves.data(), DType::kBfloat16, {6}, {}}).subnormals, 1u);
  const std::vector<float> floats = {1e-40f, -1e-45f, 1.2e-38f, 0.0f};
  EXPECT_EQ(stats_of(view(floats)).subnormals, 2u);
  const std::vector<double> doubles = {1e-40, 1e-310, -5e-324, 0.0};
  EXPECT_EQ(stats_of(view(doubles)).subnormals, 2u);
  const std::vector<int> integers = {0, 1, -1};
  EXPECT_EQ(stats_of(view(integers)).subnormals, 0u);
}

TEST(ComputeStats, ComplexNumbersCountByMagnitude) {
  const std::vector<std::complex<float>> elements = {
      {3, 4}, {0, 0}, {-kInfFloat, 1}, {kInfFloat, kNanFloat}, {3e38f, 3e38f}};
  const TensorStats stats = stats_of(view(elements));
  EXPECT_EQ(stats.zeros, 1u);
  EXPECT_EQ(stats.nan, 1u);
  EXPECT_EQ(stats.positive_inf, 1u);
  EXPECT_EQ(stats.negatives, 0u);
  EXPECT_EQ(stats.max, static_cast<double>(std::numeric_limits<float>::max()));
}

TEST(ComputeStats, ABroadcastTensorCountsEveryIndex) {
  const float element = 0.5f;
  const TensorStats stats = stats_of({&element, DType::kFloat32, {1000, 1000}, {0, 0}});
  EXPECT_EQ(stats.count, 1000000u);
  EXPECT_EQ(stats.sum, 500000.0);
}

TEST(ComputeStats, BadViewsAreRefused) {
  EXPECT_EQ(compute_stats({nullptr, DType::kFloat32, {2}, {}}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(compute_stats({"", DType::kString, {1}, {}}).status().code(), StatusCode::kInvalidArgument);
}

TEST(ComputeStats, ThreadsDoNotDisturbEachOther) {
  std::vector<float> elements(50000);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = std::sin(static_cast<float>(i));
  const TensorStats expected = stats_of(view(elements));
  std::vector<std::thread> threads;
  std::vector<TensorStats> results(4);
  for (TensorStats& result : results) {
    threads.emplace_back([&result, &elements] {
      for (int i = 0; i < 20; ++i) result = stats_of(view(elements));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const TensorStats& result : results) expect_same_stats(result, expected);
}

#if defined(__x86_64__)
TEST(ComputeStats, SubnormalsCountThoughTheThreadFlushesThem) {
  const std::vector<float> elements(100, 1e-40f);
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040u);
  const TensorStats stats = stats_of(view(elements));
  const unsigned after = _mm_getcsr();
  _mm_setcsr(saved);
  EXPECT_EQ(after & 0x8040u, 0x8040u);
  EXPECT_EQ(stats.subnormals, 100u);
  EXPECT_EQ(stats.zeros, 0u);
  EXPECT_GT(stats.min, 0.0);
}
#endif

}  // namespace
}  // namespace tensortap
