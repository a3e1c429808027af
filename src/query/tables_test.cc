// Tables have every row, in order, whatever the batches are.
#include "query/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "event/plugins.h"
#include "query/table_testutil.h"

namespace tensortap::query {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// `count` points of one tag: value = step / 4.
std::vector<std::string> points(const std::string& tag, std::int64_t count, double wall_secs = 100) {
  std::vector<std::string> records;
  for (std::int64_t step = 0; step < count; ++step) {
    const auto number = static_cast<double>(step);
    records.push_back(event::encode_scalar({wall_secs + number, step}, tag, number / 4, nullptr));
  }
  return records;
}

class TablesTest : public TableTest {};

TEST_F(TablesTest, AllAreNamed) {
  EXPECT_THAT(table_names(), ElementsAre("scalars", "stats", "histograms", "tensors", "predictions", "images", "audio",
                                         "text", "hparams", "runs", "tags"));
  for (const std::string& name : table_names()) {
    EXPECT_THAT(read({.table = name}).rows, IsEmpty()) << name;
  }
}

TEST_F(TablesTest, AnUnknownOneIsRefusedWithThoseThereAre) {
  const Status status = open_table(open(), {.table = "scalar"}).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("scalars, stats"));
}

TEST_F(TablesTest, ScalarsComeByRunTagAndStep) {
  write_events("b", points("z", 1));
  write_events("a/train", points("loss", 2));
  write_events("a", points("acc", 1));
  const Rows table = read({});
  EXPECT_THAT(table.heads, ElementsAre("run", "tag", "step", "wall_time", "value"));
  EXPECT_THAT(table.rows,
              ElementsAre("a|acc|0|100|0", "a|train/loss|0|100|0", "a|train/loss|1|101|0.25", "b|z|0|100|0"));
}

TEST_F(TablesTest, ScalarsComeInBatchesOverTheBoundsOfSeries) {
  write_events("a", points("x", 100'000));
  write_events("b", points("x", 50'000));
  auto cursor = open_table(open(), {}).value();
  std::vector<std::size_t> sizes;
  double sum = 0;
  const std::vector<std::string>* words = nullptr;
  while (auto batch = cursor->next().value()) {
    sizes.push_back(batch->rows);
    const auto& runs = std::get<WordColumn>(batch->columns[0]);
    EXPECT_TRUE(words == nullptr || words == runs.words.get());
    words = runs.words.get();
    for (const ColumnValues& column : batch->columns) EXPECT_EQ(size_of(column), batch->rows);
    for (double value : std::get<std::vector<double>>(batch->columns[4])) sum += value;
  }
  EXPECT_THAT(sizes, ElementsAre(65'536, 65'536, 18'928));
  EXPECT_EQ(sum, (100'000.0 * 99'999 / 2 + 50'000.0 * 49'999 / 2) / 4);
  EXPECT_FALSE(cursor->next().value().has_value());
}

TEST_F(TablesTest, NonFiniteScalarsAreRows) {
  write_events("a", {event::encode_scalar({1, 0}, "x", std::nan(""), nullptr),
                     event::encode_scalar({1, 1}, "x", INFINITY, nullptr)});
  EXPECT_THAT(read({}).rows, ElementsAre("a|x|0|1|nan", "a|x|1|1|inf"));
}

TEST_F(TablesTest, GlobsAndStepsChoose) {
  write_events("a/1", points("loss", 4));
  write_events("a/2", points("loss", 4));
  write_events("b", points("acc", 4));
  EXPECT_THAT(read({.run_glob = "a/*", .selection = {.first_step = 3}}).rows,
              ElementsAre("a/1|loss|3|103|0.75", "a/2|loss|3|103|0.75"));
  EXPECT_THAT(read({.tag_glob = "a*", .selection = {.last_step = 0}}).rows, ElementsAre("b|acc|0|100|0"));
  EXPECT_THAT(read({.run_glob = "x*"}).rows, IsEmpty());
}

TEST_F(TablesTest, ANameMayBeASubRunsAndMustBeThere) {
  write_events("a/train", points("loss", 1));
  EXPECT_THAT(read({.run_glob = "a/train"}).rows, ElementsAre("a/train|loss|0|100|0"));
  const Status run = open_table(open(), {.run_glob = "a/trian"}).status();
  EXPECT_EQ(run.code(), StatusCode::kNotFound);
  const Status tag = open_table(open(), {.tag_glob = "loss"}).status();
  EXPECT_EQ(tag.code(), StatusCode::kNotFound);
  EXPECT_EQ(tag.message(), "no run has scalars under 'loss'. Did you mean 'train/loss'?");
}

TEST_F(TablesTest, ReplacedPointsAreRowsOnlyWhenAskedFor) {
  write_events("a", points("x", 3));
  write_events("a", points("x", 2, 1000));
  EXPECT_THAT(read({}).rows, ElementsAre("a|x|0|1000|0", "a|x|1|1001|0.25"));
  EXPECT_EQ(read({.selection = {.raw = true}}).rows.size(), 5U);
}

TEST_F(TablesTest, StatsHaveCountsMomentsAndPercentiles) {
  write_captures("a", {stats_record(1, "w", {2, 2, 2, 2}, 0), stats_record(1, "w", {}, 1, Phase::kVal)});
  const Rows table = read({.table = "stats"});
  EXPECT_THAT(table.heads, ElementsAre("run", "tag", "phase", "sequence", "step", "wall_time", "count", "zeros", "nan",
                                       "positive_inf", "negative_inf", "negatives", "subnormals", "min", "max", "mean",
                                       "std", "l1", "l2", "p1", "p5", "p25", "p50", "p75", "p95", "p99"));
  EXPECT_THAT(table.rows,
              ElementsAre("a|w|train|0|1|101|4|0|0|0|0|0|0|2|2|2|0|8|4|2|2|2|2|2|2|2",
                          "a|w|val|1|1|101|0|0|0|0|0|0|0|nan|nan|nan|nan|nan|nan|nan|nan|nan|nan|nan|nan|nan"));
}

TEST_F(TablesTest, HistogramsAreListsAndNeverThereTwice) {
  const std::vector<double> rows = {0, 1, 4, 1, 2, 8};
  const event::Metadata derived{event::plugin::kHistograms, "", event::DataClass::kTensor, "", true};
  const event::Metadata metadata{event::plugin::kHistograms, "", event::DataClass::kTensor, "", false};
  write_captures("a", {stats_record(1, "w", {2, 2})});
  write_events("a", {event::encode_tensor({1, 1}, "w", view(rows, {2, 3}), &derived),
                     event::encode_tensor({1, 1}, "v", view(rows, {2, 3}), &metadata)});
  // Another writer's histogram of the same tag: the captures count.
  write_events("a", {event::encode_tensor({1, 1}, "w", view(rows, {2, 3}), &metadata)});
  EXPECT_THAT(read({.table = "histograms"}).rows, ElementsAre("a|v|1|1|[0,1]|[1,2]|[4,8]", "a|w|1|101|[2]|[2]|[2]"));
}

TEST_F(TablesTest, TagsOfEveryKindAreListed) {
  write_captures("a", {stats_record(1, "w", {2, 2}), stats_record(5, "w", {2, 2}, 1)});
  write_events("a", points("x", 3));
  write_events("b", points("x", 1));
  EXPECT_THAT(read({.table = "tags"}).rows, ElementsAre("a|w|stats|2|1|5", "a|x|scalars|3|0|2", "b|x|scalars|1|0|0"));
  EXPECT_THAT(read({.table = "tags", .tag_glob = "w*"}).rows, ElementsAre("a|w|stats|2|1|5"));
}

TEST_F(TablesTest, RunsHaveStatesAndSizes) {
  write_captures(
      "a", {stats_record(7, "w", {2, 2}),
            event::encode_capture({{200, 0}, "", Phase::kNone, 0}, event::CaptureEnd{true, 9, 2, 0.25, 1.5}).joined()});
  const Rows table = read({.table = "runs"});
  EXPECT_THAT(table.heads, ElementsAre("run", "state", "first_wall_time", "last_wall_time", "last_step", "size_bytes",
                                       "records", "points", "tags", "dropped", "caller_seconds", "worker_seconds"));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0], testing::MatchesRegex("a\\|ended\\|1\\|200\\|7\\|[0-9]+\\|3\\|0\\|1\\|2\\|0.25\\|1.5"));
}

TEST_F(TablesTest, HparamsAreRowsWithTheirType) {
  const std::string content = event::hparams_start_content({{"bn", true}, {"lr", 0.5}, {"opt", "sgd"}}, "", 1);
  const event::Metadata metadata{event::plugin::kHParams, content, event::DataClass::kTensor, "", false};
  write_events("a", {event::encode_tensor({1, 0}, event::kHParamsStartTag, view<float>(nullptr, {0}), &metadata)});
  write_events("b", points("x", 1));
  EXPECT_THAT(read({.table = "hparams"}).rows,
              ElementsAre("a|bn|bool|1|null", "a|lr|number|0.5|null", "a|opt|text|null|sgd"));
}

}  // namespace
}  // namespace tensortap::query
