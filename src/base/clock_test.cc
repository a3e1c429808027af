// What recording relies on in WallClock.
#include "base/clock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

namespace tensortap {
namespace {

TEST(WallClock, StartsAtTheSystemTime) {
  EXPECT_NEAR(WallClock().now_secs(), static_cast<double>(std::time(nullptr)), 2.0);
}

TEST(WallClock, NeverRunsBackwards) {
  WallClock clock;
  double last = clock.now_secs();
  for (int i = 0; i < 10'000; ++i) {
    double now = clock.now_secs();
    ASSERT_GE(now, last);
    ASSERT_TRUE(std::isfinite(now));
    last = now;
  }
}

TEST(WallClock, CountsFromItsAnchor) {
  WallClock clock(1000.0);
  EXPECT_NEAR(clock.now_secs(), 1000.0, 1.0);
}

}  // namespace
}  // namespace tensortap
