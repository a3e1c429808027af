// Spots: which run, which step, which tag.
#include "recorder/spot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/memory_file.h"
#include "recorder/channel.h"
#include "recorder/open_runs.h"

namespace tensortap::recorder {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SpotTest : public ::testing::Test {
 protected:
  std::shared_ptr<Channel> open(const std::string& path) { return Channel::open(path, {}, files_).value(); }

  static Spot& spot(SpotOptions options) { return *Spot::find(Spot::number_of(options)); }
  static KeptTensor tensor() {
    static const std::vector<float> values = {1, 2, 3, 4};
    return {view(values.data(), {2, 2}), nullptr};
  }
  static std::uint64_t offered(const Channel& channel) { return channel.report().offered; }

  MemoryFileSystem files_;
};

TEST_F(SpotTest, TheSameOptionsAreTheSameSpotAndOthersAreNot) {
  const std::int64_t number = Spot::number_of({.tag = "same"});
  EXPECT_EQ(Spot::number_of({.tag = "same"}), number);
  EXPECT_NE(Spot::number_of({.tag = "same", .values = true}), number);
  EXPECT_NE(Spot::number_of({.tag = "other"}), number);
  EXPECT_EQ(Spot::find(0), nullptr);
  EXPECT_EQ(Spot::find(-1), nullptr);
  EXPECT_EQ(Spot::find(number + (1 << 20)), nullptr);
}

TEST_F(SpotTest, DoesNothingWhileNoRunIsOpenAndNothingIsShown) {
  if (any_run_open()) GTEST_SKIP() << "other tests of this process have left runs open";
  Spot& quiet = spot({.tag = "quiet"});
  EXPECT_FALSE(quiet.listens());
  EXPECT_EQ(quiet.see(tensor(), {}), std::nullopt);
  auto run = open("/runs/a");
  EXPECT_TRUE(quiet.listens());
  ASSERT_TRUE(run->close(true).ok());
  EXPECT_FALSE(quiet.listens());
}

TEST_F(SpotTest, RecordsToTheRunThatWasOpenedLast) {
  Spot& one = spot({.tag = "innermost"});
  auto outer = open("/runs/outer");
  one.see(tensor(), {});
  auto inner = open("/runs/inner");
  one.see(tensor(), {});
  one.see(tensor(), {});
  EXPECT_EQ(offered(*outer), 1U);
  EXPECT_EQ(offered(*inner), 2U);
  ASSERT_TRUE(inner->close(true).ok());
  one.see(tensor(), {});
  EXPECT_EQ(offered(*outer), 2U);
  ASSERT_TRUE(outer->close(true).ok());
}

TEST_F(SpotTest, OfOneRunRecordsToThatRunAlone) {
  auto run = open("/runs/a");
  auto val = run->sub("val").value();
  auto other = open("/runs/b");
  Spot& bound = spot({.tag = "bound", .run = val->number()});
  bound.see(tensor(), {});
  EXPECT_EQ(offered(*run), 1U);
  EXPECT_EQ(offered(*other), 0U);
  ASSERT_TRUE(run->close(true).ok());
  bound.see(tensor(), {});
  EXPECT_EQ(offered(*other), 0U);
  ASSERT_TRUE(other->close(true).ok());
}

TEST_F(SpotTest, AScheduleCountsBatchesNotExecutions) {
  auto run = open("/runs/a");
  Spot& third = spot({.tag = "third", .schedule = {.every = 3}, .numbers_calls = true});
  for (std::int64_t step = 0; step < 7; ++step) {
    run->begin_batch(step, Phase::kTrain);
    third.see(tensor(), {});
    third.see(tensor(), {});
  }
  EXPECT_EQ(offered(*run), 6U);  // steps 0, 3, 6, each twice
  ASSERT_TRUE(run->close(true).ok());
}

TEST_F(SpotTest, CountsAnewInANewRun) {
  Spot& second = spot({.tag = "second", .schedule = {.every = 2}});
  for (const char* path : {"/runs/a", "/runs/b"}) {
    auto run = open(path);
    for (int i = 0; i < 3; ++i) second.see(tensor(), {});
    EXPECT_EQ(offered(*run), 2U);
    ASSERT_TRUE(run->close(true).ok());
  }
}

TEST_F(SpotTest, AnEpochScheduleOpensAtTheFirstBatchOfAnEpoch) {
  auto run = open("/runs/a");
  Spot& epochs = spot({.tag = "epochs", .schedule = {.epochs = 1}});
  for (std::int64_t batch = 0; batch < 6; ++batch) {
    run->publish_epoch(batch / 3);
    run->begin_batch(batch, Phase::kTrain);
    epochs.see(tensor(), {});
  }
  EXPECT_EQ(offered(*run), 2U);
  ASSERT_TRUE(run->close(true).ok());
}

TEST_F(SpotTest, ShowsWhatItSeesWithTheNumberOfTheIteration) {
  Spot& shown = spot({.tag = "shown", .numbers_calls = true, .shows_per_second = 1000});
  const std::int64_t iterations[] = {2, 1};
  auto line = shown.see(tensor(), {.step = 7, .iterations = iterations});
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(*line, "shown#2.1  step 7  float32 [2,2]  min 1  mean 2.5  max 4  std 1.118  [1, 2, 3, 4]");
  const std::int64_t first[] = {0};
  EXPECT_THAT(*shown.see(tensor(), {.step = 8, .iterations = first}), HasSubstr("shown  step 8"));
}

TEST_F(SpotTest, TheSecondExecutionInABatchHasATagOfItsOwn) {
  auto run = open("/runs/a");
  Spot& twice = spot({.tag = "twice", .numbers_calls = true, .shows_per_second = 1000});
  run->begin_batch(4, Phase::kTrain);
  EXPECT_THAT(*twice.see(tensor(), {}), HasSubstr("twice  step 4"));
  EXPECT_THAT(*twice.see(tensor(), {}), HasSubstr("twice#1  step 4"));
  run->begin_batch(5, Phase::kTrain);
  EXPECT_THAT(*twice.see(tensor(), {}), HasSubstr("twice  step 5"));
  ASSERT_TRUE(run->close(true).ok());
}

TEST_F(SpotTest, WithoutAnybodyWhoCountsExecutionsAreStepsAndALoopIsOne) {
  Spot& counted = spot({.tag = "counted", .numbers_calls = true, .shows_per_second = 1000});
  EXPECT_THAT(*counted.see(tensor(), {}), HasSubstr("step 0"));
  const std::int64_t zero[] = {0};
  const std::int64_t one[] = {1};
  EXPECT_THAT(*counted.see(tensor(), {.iterations = zero}), HasSubstr("counted  step 1"));
  EXPECT_THAT(*counted.see(tensor(), {.iterations = one}), HasSubstr("counted#1  step 1"));
}

TEST_F(SpotTest, APhaseBesidesTrainingIsASubRun) {
  auto run = open("/runs/a");
  Spot& phases = spot({.tag = "phases"});
  run->begin_batch(0, Phase::kTrain);
  phases.see(tensor(), {});
  run->begin_batch(1, Phase::kVal);
  phases.see(tensor(), {});
  ASSERT_TRUE(run->close(true).ok());
  std::vector<std::string> directories;
  for (const auto& path : files_.paths()) {
    if (path.find(".tap") != std::string::npos) directories.push_back(path.substr(0, path.rfind('/')));
  }
  EXPECT_THAT(directories, ::testing::UnorderedElementsAre("/runs/a", "/runs/a/val"));
}

TEST_F(SpotTest, CountsWhatCanNotBeRecorded) {
  auto run = open("/runs/a");
  Spot& scalar = spot({.tag = "no scalar", .kind = SpotKind::kScalar});
  scalar.see(tensor(), {.step = 3});
  EXPECT_EQ(run->report().dropped, 1U);
  EXPECT_THAT(run->status().message(), HasSubstr("'no scalar' at step 3: a scalar has one element"));
  (void)run->close(true);
}

TEST(SpotDisplay, HoldsLinesBackAndSaysHowMany) {
  SpotDisplay display(1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(display.turn(1'000'000'000), 0U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(display.turn(1'100'000'000), std::nullopt);
  EXPECT_EQ(display.turn(2'000'000'001), 5U);
}

TEST(SpotDisplay, CountsNanAndInfinitiesApart) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {nan, 1, inf, -inf, 3};
  const std::string line = describe_tensor("x", std::nullopt, view(values.data(), {5}));
  EXPECT_THAT(line, HasSubstr("min 1  mean 2  max 3"));
  EXPECT_THAT(line, HasSubstr("nan 1  inf 2"));
  EXPECT_THAT(describe_tensor("x", 1, view(values.data(), {0})), Not(HasSubstr("min")));
}

}  // namespace
}  // namespace tensortap::recorder
