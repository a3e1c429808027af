// The grid of layers and steps.
#include "query/network.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::size_t kManyCells = 1 << 20;
constexpr std::uint8_t kNothing = 0, kValue = 1, kNanSeen = 2, kInfSeen = 3;

class NetworkTest : public LogTest {
 protected:
  Network grid(const NetworkRequest& request) {
    const auto runs = open();
    return network(runs->all(), request, kManyCells).value();
  }
};

TEST_F(NetworkTest, ShowsEachCaptureInAColumnOfItsOwnWhereThereIsRoom) {
  std::vector<std::string> records;
  for (int step = 0; step < 50; step += 10) {
    records.push_back(stats_record(step, "activations/a", {static_cast<float>(step), 0}));
    records.push_back(stats_record(step, "activations/b", {-3, 4}));
  }
  write_captures("run", records);
  const Network found = grid({LayerTensor::kActivations, Statistic::kAbsMax, 100, {}});
  EXPECT_EQ(found.first_step, 0);
  EXPECT_EQ(found.last_step, 40);
  EXPECT_EQ(found.columns, 5U);
  EXPECT_EQ(found.column_steps, 10);
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_EQ(found.layers[0].path, "a");
  EXPECT_THAT(found.runs[0].value, ElementsAre(0, 10, 20, 30, 40, 4, 4, 4, 4, 4));
  EXPECT_THAT(found.runs[0].mark, testing::Each(kValue));
  EXPECT_EQ(found.runs[0].last_step, 40);
}

TEST_F(NetworkTest, GathersStepsAndKeepsTheGreatestMagnitude) {
  write_captures("run", {stats_record(0, "activations/a", {1}), stats_record(1, "activations/a", {-5}),
                         stats_record(2, "activations/a", {2}), stats_record(3, "activations/a", {3})});
  const Network found = grid({LayerTensor::kActivations, Statistic::kMean, 2, {}});
  EXPECT_EQ(found.columns, 2U);
  EXPECT_EQ(found.column_steps, 2);
  EXPECT_THAT(found.runs[0].value, ElementsAre(-5, 3));
}

TEST_F(NetworkTest, MarksNanBeforeInfBeforeValues) {
  write_captures("run", {stats_record(0, "activations/a", {1}), stats_record(1, "activations/a", {kInf, 2}),
                         stats_record(2, "activations/a", {kNan, 3}), stats_record(3, "activations/a", {-kInf, 4}),
                         stats_record(5, "activations/a", {kNan})});
  const Network each = grid({LayerTensor::kActivations, Statistic::kMax, 6, {}});
  EXPECT_THAT(each.runs[0].mark, ElementsAre(kValue, kInfSeen, kNanSeen, kInfSeen, kNothing, kNanSeen));
  EXPECT_EQ(each.runs[0].value[3], 4);
  EXPECT_TRUE(std::isnan(each.runs[0].value[4]));
  EXPECT_TRUE(std::isnan(each.runs[0].value[5]));
  const Network two = grid({LayerTensor::kActivations, Statistic::kMax, 2, {}});
  EXPECT_THAT(two.runs[0].mark, ElementsAre(kNanSeen, kNanSeen));
  EXPECT_THAT(two.runs[0].value, ElementsAre(3, 4));
  const Network three = grid({LayerTensor::kActivations, Statistic::kMax, 3, {}});
  EXPECT_THAT(three.runs[0].mark, ElementsAre(kInfSeen, kNanSeen, kNanSeen));
}

TEST_F(NetworkTest, HasEveryStatistic) {
  write_captures("run", {stats_record(0, "activations/a", {0, 0, 3, -5, kNan, kInf, 1, 1})});
  const auto one = [&](Statistic statistic) {
    return grid({LayerTensor::kActivations, statistic, 1, {}}).runs[0].value[0];
  };
  EXPECT_DOUBLE_EQ(one(Statistic::kRms), std::sqrt(36.0 / 6));
  EXPECT_DOUBLE_EQ(one(Statistic::kL2), 6);
  EXPECT_DOUBLE_EQ(one(Statistic::kMean), 0);
  EXPECT_DOUBLE_EQ(one(Statistic::kStd), std::sqrt(6));
  EXPECT_DOUBLE_EQ(one(Statistic::kAbsMax), 5);
  EXPECT_DOUBLE_EQ(one(Statistic::kMin), -5);
  EXPECT_DOUBLE_EQ(one(Statistic::kMax), 3);
  EXPECT_DOUBLE_EQ(one(Statistic::kZeros), 0.25);
  EXPECT_DOUBLE_EQ(one(Statistic::kNan), 0.25);
}

TEST_F(NetworkTest, JoinsTheLayersOfSeveralRunsInTheirOrder) {
  write_captures("a", {stats_record(0, "activations/in", {1}), stats_record(0, "activations/out", {1})});
  write_captures("b", {stats_record(0, "activations/in", {1}), stats_record(0, "activations/extra", {2}),
                       stats_record(7, "activations/out", {1})});
  const Network found = grid({LayerTensor::kActivations, Statistic::kMax, 10, {}});
  std::vector<std::string> paths;
  for (const auto& layer : found.layers) paths.push_back(layer.path);
  EXPECT_THAT(paths, ElementsAre("in", "extra", "out"));
  EXPECT_THAT(found.runs[0].tag, ElementsAre("activations/in", std::nullopt, "activations/out"));
  EXPECT_EQ(found.last_step, 7);
  EXPECT_EQ(found.runs[0].last_step, 0);
  EXPECT_EQ(found.runs[1].last_step, 7);
}

TEST_F(NetworkTest, ShowsTheFirstVariableOfALayer) {
  write_captures("run", {stats_record(0, "gradients/d/kernel", {1, 2}), stats_record(0, "gradients/d/bias", {9})});
  const Network found = grid({LayerTensor::kGradients, Statistic::kMax, 10, {}});
  ASSERT_EQ(found.layers.size(), 1U);
  EXPECT_EQ(found.layers[0].shape, Shape{2});
  EXPECT_EQ(found.runs[0].tag[0], "gradients/d/kernel");
  EXPECT_EQ(found.runs[0].value[0], 2);
}

TEST_F(NetworkTest, KeepsToTheSelection) {
  std::vector<std::string> records;
  for (int step = 0; step < 10; ++step)
    records.push_back(stats_record(step, "activations/a", {static_cast<float>(step)}));
  write_captures("run", records);
  const Network found = grid({LayerTensor::kActivations, Statistic::kMax, 10, {3, 5, false}});
  EXPECT_EQ(found.first_step, 3);
  EXPECT_THAT(found.runs[0].value, ElementsAre(3, 4, 5));
  EXPECT_EQ(grid({LayerTensor::kActivations, Statistic::kMax, 10, {100, 200, false}}).columns, 0U);
}

TEST_F(NetworkTest, LeavesOutWhatALaterAttemptReplaced) {
  write_captures("run", {stats_record(0, "activations/a", {1}), stats_record(1, "activations/a", {100}),
                         stats_record(2, "activations/a", {100}), stats_record(1, "activations/a", {2}, 3)});
  EXPECT_THAT(grid({LayerTensor::kActivations, Statistic::kMax, 10, {}}).runs[0].value, ElementsAre(1, 100));
}

TEST_F(NetworkTest, RefusesMoreCellsThanAllowed) {
  std::vector<std::string> records;
  for (int step = 0; step < 10; ++step) records.push_back(stats_record(step, "activations/a", {1}));
  write_captures("run", records);
  const auto runs = open();
  const auto found = network(runs->all(), {LayerTensor::kActivations, Statistic::kMax, 10, {}}, 9);
  EXPECT_EQ(found.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(found.status().message(), testing::HasSubstr("ask for fewer columns"));
}

}  // namespace
}  // namespace tensortap::query
