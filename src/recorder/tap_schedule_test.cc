// When taps record.
#include "recorder/tap_schedule.h"

#include <gtest/gtest.h>

namespace tensortap::recorder {
namespace {

TEST(TapSchedule, CountsBatchesFromTheFirst) {
  TapSchedule schedule{.every = 3};
  EXPECT_TRUE(schedule.opens({.batch = 0}));
  EXPECT_FALSE(schedule.opens({.batch = 1}));
  EXPECT_FALSE(schedule.opens({.batch = 2}));
  EXPECT_TRUE(schedule.opens({.batch = 3, .step = 7}));
}

TEST(TapSchedule, NeverOpensWhenEveryIsZero) {
  EXPECT_FALSE(TapSchedule{.every = 0}.opens({.batch = 0, .first_of_epoch = true}));
}

TEST(TapSchedule, OpensAtGivenStepsAlone) {
  TapSchedule schedule{.every = 1, .steps = {0, 5, 9}};
  EXPECT_TRUE(schedule.opens({.batch = 12, .step = 5}));
  EXPECT_FALSE(schedule.opens({.batch = 5, .step = 6}));
}

TEST(TapSchedule, OpensAtTheFirstBatchOfEverySoManiethEpoch) {
  TapSchedule schedule{.every = 1, .epochs = 2};
  EXPECT_TRUE(schedule.opens({.batch = 0, .epoch = 0, .first_of_epoch = true}));
  EXPECT_FALSE(schedule.opens({.batch = 1, .epoch = 0}));
  EXPECT_FALSE(schedule.opens({.batch = 9, .epoch = 1, .first_of_epoch = true}));
  EXPECT_TRUE(schedule.opens({.batch = 18, .epoch = 2, .first_of_epoch = true}));
}

}  // namespace
}  // namespace tensortap::recorder
