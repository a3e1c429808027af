// Taps as an op sees them: gates per batch, phase and replica; numbers; delivery.
#include "recorder/tap_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "recorder/channel.h"

namespace tensortap::recorder {
namespace {

class TapWatchTest : public testing::Test {
 protected:
  void SetUp() override {
    channel_ = Channel::open(root_ + "/a", options_).value();
    watch_ = TapWatch::open(channel_);
  }
  void TearDown() override {
    watch_->close();
    (void)channel_->close(true);
    std::filesystem::remove_all(root_);
  }

  std::shared_ptr<const Tap> tap(TapOptions options) {
    return find_tap(watch_->add_tap(channel_, std::move(options)).value());
  }

  std::string root_ = testing::TempDir() + "tensortap_tap_watch_test_" + std::to_string(::getpid());
  RunOptions options_;
  std::shared_ptr<Channel> channel_;
  std::shared_ptr<TapWatch> watch_;
};

TEST_F(TapWatchTest, GatesFollowTheScheduleOfEachPhaseAndReplica) {
  const std::size_t second = watch_->add_schedule({.every = 2});
  auto train = tap({.tag = "t", .phase = Phase::kTrain, .schedule = second});
  auto other = tap({.tag = "o", .phase = Phase::kTrain, .schedule = second, .replica = 1});
  auto val = tap({.tag = "v", .phase = Phase::kVal, .schedule = second});
  EXPECT_FALSE(train->is_open());
  EXPECT_TRUE(watch_->begin_batch(Phase::kTrain, 0, 0));
  EXPECT_TRUE(train->is_open());
  EXPECT_FALSE(other->is_open());
  EXPECT_FALSE(val->is_open());
  watch_->begin_batch(Phase::kTrain, 0, 1);
  EXPECT_FALSE(train->is_open());
  watch_->begin_batch(Phase::kVal, 0, 1);
  EXPECT_TRUE(val->is_open());
  watch_->begin_batch(Phase::kTrain, 1, 0);
  EXPECT_TRUE(other->is_open());
  EXPECT_EQ(watch_->batches(Phase::kTrain), 2U);
}

TEST_F(TapWatchTest, EpochsOpenTheFirstBatchAfterTheyBegin) {
  const std::size_t epochs = watch_->add_schedule({.epochs = 1});
  auto site = tap({.tag = "t", .phase = Phase::kTrain, .schedule = epochs});
  std::vector<bool> open;
  for (int epoch = 0; epoch < 2; ++epoch) {
    watch_->begin_epoch(Phase::kTrain);
    for (int batch = 0; batch < 3; ++batch) {
      watch_->begin_batch(Phase::kTrain, 0, 0);
      open.push_back(site->is_open());
    }
  }
  EXPECT_EQ(open, (std::vector<bool>{true, false, false, true, false, false}));
}

TEST_F(TapWatchTest, PublishesTheStepOfTrainingBatches) {
  watch_->begin_batch(Phase::kTrain, 0, 41);
  EXPECT_EQ(channel_->published_step(), 41);
  watch_->begin_batch(Phase::kVal, 0, 42);
  EXPECT_EQ(channel_->published_step(), 41);
}

TEST_F(TapWatchTest, TimesStepsButNotAcrossEpochs) {
  ASSERT_TRUE(watch_->time_steps(channel_->sub("train").value(), "step_seconds").ok());
  for (int epoch = 0; epoch < 2; ++epoch) {
    watch_->begin_epoch(Phase::kTrain);
    for (int batch = 0; batch < 4; ++batch) watch_->begin_batch(Phase::kTrain, 0, epoch * 4 + batch);
  }
  EXPECT_EQ(channel_->report().offered, 6U);
}

TEST_F(TapWatchTest, TimeBetweenTwoUnmutedStretchesIsNoStepsTime) {
  ASSERT_TRUE(watch_->time_steps(channel_->sub("train").value(), "step_seconds").ok());
  for (int stretch = 0; stretch < 3; ++stretch) {
    watch_->mute(false);
    for (int batch = 0; batch < 2; ++batch) watch_->begin_batch(Phase::kTrain, 0, batch);
    watch_->mute(true);
  }
  EXPECT_EQ(channel_->report().offered, 3U);
}

TEST_F(TapWatchTest, CloseShutsGatesAndForgetsNumbers) {
  const std::int64_t number = watch_->add_tap(channel_, {.tag = "t", .phase = Phase::kTrain}).value();
  auto site = find_tap(number);
  watch_->begin_batch(Phase::kTrain, 0, 0);
  EXPECT_TRUE(site->is_open());
  watch_->close();
  EXPECT_FALSE(site->is_open());
  EXPECT_FALSE(watch_->begin_batch(Phase::kTrain, 0, 1));
  EXPECT_FALSE(site->is_open());
  EXPECT_EQ(find_tap(number), nullptr);
  EXPECT_EQ(find_watch(watch_->number()), nullptr);
}

TEST_F(TapWatchTest, MutedBatchesNeitherRecordNorCount) {
  auto site = tap({.tag = "t", .phase = Phase::kPredict});
  watch_->mute(true);
  EXPECT_FALSE(watch_->begin_batch(Phase::kPredict, 0, 0));
  EXPECT_FALSE(site->is_open());
  watch_->mute(false);
  EXPECT_EQ(watch_->batches(Phase::kPredict), 0U);
  EXPECT_TRUE(watch_->begin_batch(Phase::kPredict, 0, 0));
}

TEST_F(TapWatchTest, UnknownNumbersFindNothing) {
  EXPECT_EQ(find_tap(0), nullptr);
  EXPECT_EQ(find_tap(-1), nullptr);
  EXPECT_EQ(find_watch(0), nullptr);
}

TEST_F(TapWatchTest, RefusesTagsSchedulesAndReplicasThatCannotBe) {
  EXPECT_FALSE(watch_->add_tap(channel_, {.tag = ""}).ok());
  EXPECT_FALSE(watch_->add_tap(channel_, {.tag = "a", .schedule = 9}).ok());
  EXPECT_FALSE(watch_->add_tap(channel_, {.tag = "a", .replica = TapWatch::kMaxReplicas}).ok());
  ASSERT_TRUE(watch_->add_tap(channel_, {.tag = "a", .kind = TapKind::kScalar}).ok());
  EXPECT_FALSE(watch_->add_tap(channel_, {.tag = "a"}).ok()) << "a histogram where TensorBoard has scalars";
}

TEST_F(TapWatchTest, HoldsTensorsUntilTheWorkerIsDone) {
  auto site = tap({.tag = "t", .phase = Phase::kTrain, .stats = true, .values = true});
  auto owner = std::make_shared<std::vector<float>>(10'000, 1.5F);
  std::vector<TapValue> values;
  values.push_back({site.get(), {view(owner->data(), {100, 100}), owner}, {}});
  record_taps(values, 3);
  values.clear();
  ASSERT_TRUE(channel_->flush().ok());
  EXPECT_EQ(owner.use_count(), 1);
  EXPECT_EQ(channel_->report().written, 2U);
}

TEST_F(TapWatchTest, CountsWhatCanNeverBeRecorded) {
  auto site = tap({.tag = "t", .kind = TapKind::kScalar, .phase = Phase::kTrain});
  std::vector<float> two = {1, 2};
  std::vector<TapValue> values;
  values.push_back({site.get(), view(two), {}});
  record_taps(values, 3);
  EXPECT_EQ(channel_->report().offered, 1U);
  EXPECT_EQ(channel_->report().dropped, 1U);
  EXPECT_NE(channel_->status().message().find("'t' at step 3"), std::string::npos) << channel_->status().message();
}

}  // namespace
}  // namespace tensortap::recorder
