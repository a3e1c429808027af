// How many histograms thinning leaves.
#include "recorder/histogram_thinning.h"

#include <gtest/gtest.h>

namespace tensortap::recorder {
namespace {

std::uint64_t kept_of(std::uint64_t total) {
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < total; ++i) kept += keeps_histogram(i) ? 1 : 0;
  return kept;
}

TEST(HistogramThinning, KeepsTheFirstFifty) { EXPECT_EQ(kept_of(50), 50U); }

TEST(HistogramThinning, KeepsTwentyFiveMoreWithEveryDoubling) {
  EXPECT_EQ(kept_of(100), 75U);
  EXPECT_EQ(kept_of(200), 100U);
  EXPECT_EQ(kept_of(50 << 10), 300U);
}

}  // namespace
}  // namespace tensortap::recorder
