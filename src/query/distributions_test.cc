// Statistics and histograms, out of captures and out of event files.
#include "query/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using Doubles = std::vector<double>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// A histogram as tf.summary.histogram writes it.
std::string histogram_record(std::int64_t step, const Doubles& rows, bool derived) {
  const event::Metadata metadata{event::plugin::kHistograms, "", event::DataClass::kTensor, "", derived};
  const auto count = static_cast<std::int64_t>(rows.size() / 3);
  return event::encode_tensor({200 + static_cast<double>(step), step}, "w", view(rows, {count, 3}), &metadata);
}

// tf.compat.v1.summary.histogram("w", [0., 1., 1., 3.]) at step 4.
std::string histogram_v1_record() {
  return event::from_hex(
      "09000000000000f83f10042aa1010a9e010a01772a9801"
      "1100000000000008401900000000000010402100000000000014402900000000000026403238000000000000000011ea2d819997713d"
      "08996919155aed3f2b14facdbe24f03f68bc10359a0707400d9cc5a029550940ffffffffffffef7f3a38000000000000000000000000"
      "0000f03f000000000000000000000000000000400000000000000000000000000000f03f0000000000000000");
}

class DistributionsTest : public LogTest {
 protected:
  query::Run run() { return open()->find("a").value(); }
};

TEST_F(DistributionsTest, StatisticsAreColumns) {
  write_captures("a", {stats_record(1, "w", {1, 2, 3, 6}, 0), stats_record(1, "w", {0, -4}, 1, Phase::kVal),
                       stats_record(2, "w", {5}, 2)});
  const StatsColumns columns = stats(run(), "w", {}, false).value();
  EXPECT_EQ(columns.step, (std::vector<std::int64_t>{1, 1, 2}));
  EXPECT_EQ(columns.wall_secs, (Doubles{101, 101, 102}));
  EXPECT_EQ(columns.phase, (std::vector<Phase>{Phase::kTrain, Phase::kVal, Phase::kTrain}));
  EXPECT_EQ(columns.sequence, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(columns.count, (std::vector<std::uint64_t>{4, 2, 1}));
  EXPECT_EQ(columns.zeros, (std::vector<std::uint64_t>{0, 1, 0}));
  EXPECT_EQ(columns.negatives, (std::vector<std::uint64_t>{0, 1, 0}));
  EXPECT_EQ(columns.min, (Doubles{1, -4, 5}));
  EXPECT_EQ(columns.max, (Doubles{6, 0, 5}));
  EXPECT_EQ(columns.mean, (Doubles{3, -2, 5}));
  EXPECT_EQ(columns.l1, (Doubles{12, 4, 5}));
  EXPECT_DOUBLE_EQ(columns.std[1], 2);
  EXPECT_DOUBLE_EQ(columns.l2[0], std::sqrt(50.0));
  EXPECT_TRUE(columns.percentiles.empty());
}

TEST_F(DistributionsTest, WhereNothingIsFiniteNumbersAreNaN) {
  write_captures("a", {stats_record(1, "w", {kNan, kInf, -kInf, -kInf}), stats_record(2, "w", {}, 1)});
  const StatsColumns columns = stats(run(), "w", {}, true).value();
  EXPECT_EQ(columns.nan, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(columns.positive_inf, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(columns.negative_inf, (std::vector<std::uint64_t>{2, 0}));
  for (const Doubles* column :
       {&columns.min, &columns.max, &columns.mean, &columns.std, &columns.l1, &columns.l2, &columns.percentiles[3]}) {
    EXPECT_TRUE(std::isnan(column->at(0)));
    EXPECT_TRUE(std::isnan(column->at(1)));
  }
}

TEST_F(DistributionsTest, PercentilesAreReadWhenAskedFor) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 1.0F);
  write_captures("a", {stats_record(1, "w", values)});
  const StatsColumns columns = stats(run(), "w", {}, true).value();
  ASSERT_EQ(columns.percentiles.size(), std::size(kPercentiles));
  for (std::size_t i = 0; i < std::size(kPercentiles); ++i) {
    // Within a bucket's width, an eighth of the value.
    EXPECT_NEAR(columns.percentiles[i].at(0), kPercentiles[i] * 10.0, kPercentiles[i] * 10.0 / 8 + 1);
  }
}

TEST_F(DistributionsTest, AMissingTagIsNamed) {
  write_captures("a", {stats_record(1, "weights/w", {1})});
  const Status status = stats(run(), "weights/v", {}, false).status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_NE(status.message().find("weights/w"), std::string::npos) << status.message();
}

TEST_F(DistributionsTest, HistogramsComeFromCapturesAndNotTwice) {
  write_captures("a", {stats_record(1, "w", {1, 2, 2, 3}), stats_record(2, "w", {0, 0}, 1)});
  write_events("a", {histogram_record(1, {1, 3, 4}, true)});
  const std::vector<HistogramAt> found = histograms(run(), "w", {}).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].wall_secs, 101);
  EXPECT_EQ(found[0].left.front(), 1);
  EXPECT_EQ(found[0].right.back(), 3);
  EXPECT_EQ(std::accumulate(found[0].count.begin(), found[0].count.end(), 0.0), 4);
  EXPECT_EQ(found[1].count, Doubles{2});
}

TEST_F(DistributionsTest, BucketsOfCapturesAreLimited) {
  std::vector<float> values;
  for (int i = 1; i < 3000; ++i) values.push_back(std::pow(1.01F, static_cast<float>(i)));
  write_captures("a", {stats_record(1, "w", values)});
  const HistogramAt whole = histograms(run(), "w", {}, 0, 4096).value().at(0);
  const HistogramAt few = histograms(run(), "w", {}, 0, 16).value().at(0);
  EXPECT_GT(whole.left.size(), 64U);
  EXPECT_LE(few.left.size(), 16U);
  for (std::size_t i = 0; i + 1 < few.left.size(); ++i) EXPECT_EQ(few.right[i], few.left[i + 1]);
}

TEST_F(DistributionsTest, HistogramsOfEventFilesAreGivenAsTheyAre) {
  write_events(
      "a", {histogram_record(1, {0, 1, 4, 1, 2, 0.5}, false), histogram_record(2, {}, false), histogram_v1_record()});
  const std::vector<HistogramAt> found = histograms(run(), "w", {.first_step = 1, .last_step = 4}, 0, 8).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].left, (Doubles{0, 1}));
  EXPECT_EQ(found[0].right, (Doubles{1, 2}));
  EXPECT_EQ(found[0].count, (Doubles{4, 0.5}));
  EXPECT_TRUE(found[1].left.empty());
  EXPECT_EQ(found[2].step, 4);
  EXPECT_EQ(found[2].count, (Doubles{1, 0, 2, 0, 1}));
}

TEST_F(DistributionsTest, DerivedHistogramsCountWhereTheCapturesAreGone) {
  write_events("a", {histogram_record(1, {1, 3, 4}, true)});
  EXPECT_EQ(histograms(run(), "w", {}).value().size(), 1U);
}

TEST_F(DistributionsTest, FewHistogramsAreSpreadOverTheSelection) {
  std::vector<std::string> records;
  for (int step = 0; step < 11; ++step) {
    records.push_back(stats_record(step, "w", {1}, static_cast<std::uint64_t>(step)));
  }
  write_captures("a", records);
  const auto steps = [&](const Selection& selection, std::size_t most) {
    std::vector<std::int64_t> found;
    const std::vector<HistogramAt> all = histograms(run(), "w", selection, most).value();
    for (const HistogramAt& each : all) found.push_back(each.step);
    return found;
  };
  EXPECT_EQ(steps({}, 3), (std::vector<std::int64_t>{0, 5, 10}));
  EXPECT_EQ(steps({}, 1), (std::vector<std::int64_t>{10}));
  EXPECT_EQ(steps({.first_step = 4, .last_step = 7}, 2), (std::vector<std::int64_t>{4, 7}));
  EXPECT_EQ(steps({.first_step = 4, .last_step = 7}, 100), (std::vector<std::int64_t>{4, 5, 6, 7}));
}

TEST_F(DistributionsTest, ATensorThatIsNoHistogramIsNamedWithItsPlace) {
  const std::vector<double> rows = {1, 2};
  const event::Metadata metadata{event::plugin::kHistograms, "", event::DataClass::kTensor, "", false};
  write_events("a", {event::encode_tensor({1, 1}, "w", view(rows), &metadata)});
  const Status status = histograms(run(), "w", {}).status();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("at offset"), std::string::npos) << status.message();
}

TEST_F(DistributionsTest, FewerCapturesAreSpreadEvenlyAndKeepWhatIsNotFinite) {
  std::vector<std::string> records;
  for (int step = 0; step < 100; ++step) {
    records.push_back(stats_record(step, "w", {step == 37 ? kNan : 1, step == 38 ? kInf : 2}));
  }
  write_captures("a", records);
  const StatsColumns few = stats(run(), "w", {}, true, 5).value();
  EXPECT_EQ(few.total, 100U);
  EXPECT_EQ(few.step, (std::vector<std::int64_t>{0, 24, 37, 38, 49, 74, 99}));
  EXPECT_EQ(few.percentiles[3].size(), 7U);
  EXPECT_EQ(stats(run(), "w", {}, false, 1).value().step, (std::vector<std::int64_t>{37, 38, 99}));
  EXPECT_EQ(stats(run(), "w", {}, false, 100).value().step.size(), 100U);
}

TEST_F(DistributionsTest, ASeriesOfHistogramsSaysWhatElseIsKnown) {
  write_captures("a", {stats_record(0, "w", {0, 0, 1, 2, kNan, kInf, -kInf}), stats_record(9, "w", {4, 4})});
  const HistogramSeries found = histogram_series(run(), "w", {}, 0, 8).value();
  EXPECT_EQ(found.total_steps, 2U);
  ASSERT_EQ(found.at.size(), 2U);
  EXPECT_EQ(std::accumulate(found.at[0].count.begin(), found.at[0].count.end(), 0.0), 4);
  EXPECT_EQ(found.zeros, (Doubles{2, 0}));
  EXPECT_EQ(found.nan, (Doubles{1, 0}));
  EXPECT_EQ(found.positive_inf, (Doubles{1, 0}));
  EXPECT_EQ(found.negative_inf, (Doubles{1, 0}));
  EXPECT_EQ(found.total, (Doubles{7, 2}));
  EXPECT_EQ(found.min, (Doubles{0, 4}));
  EXPECT_EQ(found.max, (Doubles{2, 4}));
  EXPECT_EQ(found.p50[1], 4);
  EXPECT_EQ(histogram_series(run(), "w", {}, 1, 8).value().at[0].step, 9);
}

TEST_F(DistributionsTest, HistogramsOfEventFilesTellWhatTheirBucketsTell) {
  write_events("a", {histogram_record(3, {0, 1, 10, 1, 2, 0, 2, 4, 30}, false)});
  const HistogramSeries found = histogram_series(run(), "w", {}).value();
  EXPECT_TRUE(std::isnan(found.zeros.at(0)));
  EXPECT_TRUE(std::isnan(found.nan.at(0)));
  EXPECT_EQ(found.total, Doubles{40});
  EXPECT_EQ(found.min, Doubles{0});
  EXPECT_EQ(found.max, Doubles{4});
  EXPECT_EQ(found.p5, Doubles{0.2});
  EXPECT_EQ(found.p25, Doubles{1});
  EXPECT_NEAR(found.p50.at(0), 2 + 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace tensortap::query
