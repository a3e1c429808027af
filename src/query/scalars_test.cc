// Curves with every point, and thinned ones that still show every spike.
#include "query/scalars.h"

#include <cmath>
#include <ctime>
#include <limits>
#include <set>

#include "query/health.h"
#include "query/runs.h"
#include "store/temp_logs_testutil.h"

namespace tensortap::query {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class ScalarsTest : public store::TempLogs {
 protected:
  query::Run run(const std::string& name = "a") {
    logs_ = load();
    return Runs(logs_->snapshot()).find(name).value();
  }
  static std::string file(int number) { return "a/events.out.tfevents.170000000" + std::to_string(number) + ".h.1.0"; }

  std::unique_ptr<store::LogDirectory> logs_;
};

TEST_F(ScalarsTest, EveryPointIsThere) {
  std::string bytes = version();
  for (int i = 0; i < 3000; ++i) bytes += scalar(i, i / 7.0, "loss", i);
  write(file(0), bytes);
  ScalarSeries series = scalars(run(), "loss", {}).value();
  ASSERT_EQ(series.points.size(), 3000U);
  EXPECT_EQ(series.total_points, 3000U);
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(series.points.value[static_cast<std::size_t>(i)], i / 7.0);
}

TEST_F(ScalarsTest, ARangeIncludesBothItsEnds) {
  std::string bytes = version();
  for (int i = 0; i < 100; ++i) bytes += scalar(10 * i, i, "loss", i);
  write(file(0), bytes);
  ScalarSeries series = scalars(run(), "loss", {{.first_step = 95, .last_step = 200, .raw = false}, 0}).value();
  EXPECT_EQ(series.points.step.front(), 100);
  EXPECT_EQ(series.points.step.back(), 200);
  EXPECT_EQ(series.total_points, 11U);
}

TEST_F(ScalarsTest, AThinnedCurveKeepsEndsSpikesAndWhatIsNotFinite) {
  std::string bytes = version();
  for (int i = 0; i < 20000; ++i) {
    double value = std::sin(i * 0.001);
    if (i == 7777) value = 1000;
    if (i == 12345) value = kNan;
    if (i == 15000) value = std::numeric_limits<double>::infinity();
    bytes += scalar(i, value, "loss", i);
  }
  write(file(0), bytes);
  for (std::uint64_t most : {8U, 50U, 400U, 1000U}) {
    ScalarSeries series = scalars(run(), "loss", {{}, most}).value();
    EXPECT_LE(series.points.size(), most);
    EXPECT_EQ(series.total_points, 20000U);
    EXPECT_EQ(series.points.step.front(), 0);
    EXPECT_EQ(series.points.step.back(), 19999);
    EXPECT_TRUE(std::is_sorted(series.points.step.begin(), series.points.step.end()));
    EXPECT_NE(std::find(series.points.value.begin(), series.points.value.end(), 1000.0), series.points.value.end());
    EXPECT_EQ(series.non_finite.step, (std::vector<std::int64_t>{12345, 15000}));
    EXPECT_EQ(series.total_non_finite, 2U);
  }
}

TEST_F(ScalarsTest, ARestartIsShownOnceAndRawTwice) {
  std::string first = version(), second = version();
  for (int i = 0; i < 10; ++i) first += scalar(i, 1, "loss", i);
  for (int i = 6; i < 12; ++i) second += scalar(i, 2, "loss", 100 + i);
  write(file(0), first);
  write(file(1), second);
  ScalarSeries shown = scalars(run(), "loss", {}).value();
  EXPECT_EQ(shown.points.size(), 12U);
  EXPECT_EQ(shown.points.value[5], 1);
  EXPECT_EQ(shown.points.value[6], 2);
  EXPECT_EQ(shown.replaced_points, 4U);
  ScalarSeries raw = scalars(run(), "loss", {{.raw = true}, 0}).value();
  EXPECT_EQ(raw.points.size(), 16U);
}

TEST_F(ScalarsTest, SubRunsAreJoinedUnderTheirName) {
  write("a/train/x.tfevents", version() + scalar(0, 1, "loss"));
  write("a/validation/x.tfevents", version() + scalar(0, 2, "loss"));
  write("a/x.tfevents", version() + scalar(0, 3, "lr"));
  write("a/other/x.tfevents", version() + scalar(0, 4, "loss"));
  const query::Run joined = run();
  EXPECT_EQ(list_tags(joined), (std::vector<std::string>{"lr", "train/loss", "validation/loss"}));
  EXPECT_EQ(scalars(joined, "validation/loss", {}).value().points.value, std::vector<double>{2});
  EXPECT_EQ(list_tags(run("a/train")), std::vector<std::string>{"loss"});
  std::vector<std::string> names;
  const Runs runs(logs_->snapshot());
  for (const query::Run& each : runs.all()) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "a/other"}));
}

TEST_F(ScalarsTest, WhatIsNotThereIsAnsweredWithWhatIs) {
  write("a/x.tfevents", version() + scalar(0, 1, "train/loss"));
  Status tag = scalars(run(), "los", {}).status();
  EXPECT_EQ(tag.code(), StatusCode::kNotFound);
  EXPECT_NE(tag.message().find("train/loss"), std::string::npos) << tag.message();
  Status name = Runs(logs_->snapshot()).find("b").status();
  EXPECT_EQ(name.code(), StatusCode::kNotFound);
}

TEST_F(ScalarsTest, ARunTellsItsSizeAndState) {
  const auto now = static_cast<double>(::time(nullptr));
  write("a/x.tfevents", version() + scalar(0, 1) + scalar(7, 1) + std::string(30, 'x') + scalar(8, 1, "loss", now));
  RunInfo info = run_info(run());
  EXPECT_EQ(info.points, 3U);
  EXPECT_EQ(info.last_step, 8);
  EXPECT_EQ(info.damaged_places, 1U);
  EXPECT_EQ(info.state, RunState::kLive);
  settle("a/x.tfevents");
  EXPECT_EQ(run_info(run()).state, RunState::kUnknown);
  HealthReport report = health(*logs_->snapshot());
  EXPECT_EQ(report.damaged_files, 1U);
  EXPECT_EQ(report.files.at(0).damage.at(0).size_bytes, 30U);
}

}  // namespace
}  // namespace tensortap::query
