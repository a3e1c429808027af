// The last values of many series, and their extremes.
#include "query/latest.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class LatestTest : public LogTest {
 protected:
  static std::string point(std::int64_t step, double value, const std::string& tag = "loss", double wall = -1) {
    return event::encode_scalar({wall < 0 ? 100 + static_cast<double>(step) : wall, step}, tag, value, nullptr);
  }
  std::vector<LatestScalar> all(const std::vector<std::string>& tags = {}) {
    const auto runs = open();
    return latest(runs->all(), tags);
  }
  std::vector<std::string> tags_of(const std::vector<LatestScalar>& rows) {
    std::vector<std::string> tags;
    for (const LatestScalar& row : rows) tags.push_back(row.tag);
    return tags;
  }
};

TEST_F(LatestTest, HasLastValueAndExtremesWithTheirSteps) {
  write_events("a", {point(0, 3), point(1, 1), point(2, 7), point(3, 1), point(4, 5)});
  const LatestScalar row = all().at(0);
  EXPECT_EQ(row.count, 5U);
  EXPECT_EQ(row.last_step, 4);
  EXPECT_EQ(row.last_value, 5);
  EXPECT_EQ(row.last_wall_secs, 104);
  EXPECT_EQ(row.min, 1);
  EXPECT_EQ(row.min_step, 1);
  EXPECT_EQ(row.max, 7);
  EXPECT_EQ(row.max_step, 2);
  EXPECT_EQ(row.non_finite, 0U);
}

TEST_F(LatestTest, CountsWhatIsNotFiniteAndLeavesItOutOfExtremes) {
  write_events("a", {point(0, kNan), point(1, 2), point(2, kInf), point(3, -kInf), point(0, kNan, "bad")});
  const auto rows = all();
  EXPECT_TRUE(std::isnan(rows.at(0).min));
  EXPECT_EQ(rows.at(0).non_finite, 1U);
  EXPECT_EQ(rows.at(1).non_finite, 3U);
  EXPECT_EQ(rows.at(1).min, 2);
  EXPECT_EQ(rows.at(1).max, 2);
  EXPECT_EQ(rows.at(1).last_value, -kInf);
}

TEST_F(LatestTest, SeesThatALaterAttemptReplacedPoints) {
  write_events("a", {point(0, 1), point(1, 100), point(2, -100)});
  write_events("a", {point(1, 2, "loss", 200), point(2, 3, "loss", 201)});
  const LatestScalar row = all().at(0);
  EXPECT_EQ(row.count, 3U);
  EXPECT_EQ(row.max, 3);
  EXPECT_EQ(row.min, 1);
  EXPECT_EQ(row.last_value, 3);
}

TEST_F(LatestTest, SeesThatASessionStartReplacedPoints) {
  write_events("a", {point(0, 1), point(1, 50), event::encode_session_start({150, 1}), point(1, 2, "loss", 151)});
  EXPECT_EQ(all().at(0).max, 2);
}

TEST_F(LatestTest, HasTheTagsOfSubRunsUnderTheirNames) {
  write_events("a/train", {point(0, 1)});
  write_events("a/val", {point(0, 2)});
  EXPECT_THAT(tags_of(all()), testing::ElementsAre("train/loss", "val/loss"));
}

TEST_F(LatestTest, TakesNamesAndGlobs) {
  write_events("a", {point(0, 1, "x/loss"), point(0, 1, "x/acc"), point(0, 1, "lr"), point(0, 1, "*")});
  EXPECT_THAT(tags_of(all({"x/*"})), testing::ElementsAre("x/acc", "x/loss"));
  EXPECT_THAT(tags_of(all({"*"})), testing::ElementsAre("*"));  // a tag has this name
  EXPECT_THAT(tags_of(all({"l?", "x/acc"})), testing::ElementsAre("lr", "x/acc"));
  EXPECT_THAT(all({"nothing"}), testing::IsEmpty());
}

TEST_F(LatestTest, IsRightForLongSeries) {
  std::vector<std::string> records;
  for (int i = 0; i < 5000; ++i) records.push_back(point(i, i == 3333 ? -9 : std::cos(i * 0.01)));
  write_events("a", records);
  const LatestScalar row = all().at(0);
  EXPECT_EQ(row.min_step, 3333);
  EXPECT_EQ(row.max_step, 0);
  EXPECT_EQ(row.count, 5000U);
}

}  // namespace
}  // namespace tensortap::query
