// Tests of PR curves; the expected numbers come from tensorboard.plugins.pr_curve.summary.pb.
#include "stats/pr_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "tensor/half.h"

namespace tensortap::stats {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

const std::vector<float> kScores = {0.9f, 0.1f, 0.4f, 0.75f, 0.75f, 0.0f, 1.0f};
const std::vector<std::uint8_t> kLabels = {1, 0, 1, 1, 0, 0, 1};

const std::vector<float> kExpected = {
    4,
    4,
    3,
    3,
    1,  // true positives
    3,
    1,
    1,
    1,
    0,  // false positives
    0,
    2,
    2,
    2,
    3,  // true negatives
    0,
    0,
    1,
    1,
    3,  // false negatives
    0.5714285969734192f,
    0.800000011920929f,
    0.75f,
    0.75f,
    1,  // precision
    1,
    1,
    0.75f,
    0.75f,
    0.25f,  // recall
};

TEST(PrCurve, IsThatOfTensorBoard) {
  const PrCurve curve = compute_pr_curve(view(kLabels), view(kScores), 5).value();
  EXPECT_EQ(curve.num_thresholds, 5);
  EXPECT_THAT(curve.rows, ElementsAreArray(kExpected));
}

TEST(PrCurve, WithoutPositivesIsZeroAndNotNan) {
  const std::vector<float> scores = {0.2f, 0.3f};
  const std::vector<std::uint8_t> labels = {0, 0};
  const PrCurve curve = compute_pr_curve(view(labels), view(scores), 3).value();
  EXPECT_THAT(curve.rows, ElementsAre(0, 0, 0, 2, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(PrCurve, OfNothingIsAllZeros) {
  const PrCurve curve = compute_pr_curve({nullptr, DType::kBool, {0}, {}}, {nullptr, DType::kFloat32, {0}, {}}).value();
  EXPECT_EQ(curve.num_thresholds, kDefaultThresholds);
  EXPECT_EQ(curve.rows, std::vector<float>(6 * 201, 0.0f));
}

TEST(PrCurve, TakesLabelsOfAnyTypeAndLayout) {
  std::vector<double> reversed;
  for (std::size_t i = 0; i < kLabels.size(); ++i) reversed.insert(reversed.begin(), kLabels[i] * 0.5);
  const TensorView view_from_the_end{&reversed[6], DType::kFloat64, {7, 1}, {-8, 8}};
  EXPECT_THAT(compute_pr_curve(view_from_the_end, view(kScores), 5).value().rows, ElementsAreArray(kExpected));
}

TEST(PrCurve, TakesNarrowAndWideScores) {
  std::vector<double> doubles;
  std::vector<std::uint16_t> halves;
  for (const float score : kScores) {
    doubles.push_back(static_cast<double>(score));
    halves.push_back(tensor::float16_from_float(score));
  }
  EXPECT_THAT(compute_pr_curve(view(kLabels), view(doubles), 5).value().rows, ElementsAreArray(kExpected));
  const TensorView narrow{halves.data(), DType::kFloat16, {7}, {}};
  EXPECT_THAT(compute_pr_curve(view(kLabels), narrow, 5).value().rows, ElementsAreArray(kExpected));
}

void expect_refused(const TensorView& labels, const TensorView& scores, int num_thresholds,
                    const std::string& part_of_message) {
  const Result<PrCurve> result = compute_pr_curve(labels, scores, num_thresholds);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(result.status().message(), HasSubstr(part_of_message));
}

TEST(PrCurve, NamesTheFirstScoreOutOfRange) {
  std::vector<float> scores(3000, 0.5f);
  const std::vector<std::uint8_t> labels(3000, 1);
  scores[2500] = -0.25f;
  expect_refused(view(labels), view(scores), 5, "element 2500 is -0.25");
  scores[7] = 1.5f;
  expect_refused(view(labels), view(scores), 5, "element 7 is 1.5");
  scores[3] = NAN;
  expect_refused(view(labels), view(scores), 5, "element 3 is nan");
}

TEST(PrCurve, RefusesWhatMakesNoCurve) {
  const std::vector<int> integers = {0, 1, 0, 0, 0, 0, 1};
  const std::vector<std::complex<float>> complex(7);
  expect_refused(view(kLabels), view(integers), 5, "int32");
  expect_refused(view(complex), view(kScores), 5, "complex");
  expect_refused(view(kLabels.data(), {3}), view(kScores), 5, "[3]");
  expect_refused(view(kLabels), view(kScores), 1, "num_thresholds is 1");
  expect_refused(view(kLabels), view(kScores), kMaxThresholds + 1, "num_thresholds");
}

}  // namespace
}  // namespace tensortap::stats
