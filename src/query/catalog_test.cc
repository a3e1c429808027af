// The tags of many runs, each once.
#include "query/catalog.h"

#include <gtest/gtest.h>

#include "event/plugins.h"
#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

class CatalogTest : public LogTest {
 protected:
  static std::string point(std::int64_t step, const std::string& tag) {
    return event::encode_scalar({1, step}, tag, 1.0, nullptr);
  }
};

TEST_F(CatalogTest, JoinsRunsToRanges) {
  for (const char* run : {"a", "b", "d"}) write_events(run, {point(3, "loss"), point(5, "loss")});
  write_events("c", {point(1, "other")});
  write_events("e", {point(9, "loss"), point(0, "other")});
  const auto runs = open();
  const auto tags = catalog(runs->all());
  ASSERT_EQ(tags.size(), 2U);
  EXPECT_EQ(tags[0].tag, "loss");
  ASSERT_EQ(tags[0].runs.size(), 2U);
  EXPECT_EQ(tags[0].runs[0].first, 0U);
  EXPECT_EQ(tags[0].runs[0].last, 1U);
  EXPECT_EQ(tags[0].runs[1].first, 3U);
  EXPECT_EQ(tags[0].runs[1].last, 4U);
  EXPECT_EQ(tags[0].count, 7U);
  EXPECT_EQ(tags[0].first_step, 3);
  EXPECT_EQ(tags[0].last_step, 9);
  EXPECT_EQ(tags[1].runs.size(), 2U);
}

TEST_F(CatalogTest, KeepsKindsApartAndCanHaveOne) {
  write_events("a", {point(0, "w")});
  write_captures("a", {stats_record(0, "w", {1})});
  const auto runs = open();
  EXPECT_EQ(catalog(runs->all()).size(), 2U);
  const auto stats = catalog(runs->all(), store::Kind::kStats);
  ASSERT_EQ(stats.size(), 1U);
  EXPECT_EQ(stats[0].kind, store::Kind::kStats);
}

TEST_F(CatalogTest, CountsARunOnceWhoseTagStandsInSeveralFiles) {
  write_events("a", {point(0, "loss")});
  write_events("a", {point(1, "loss")});
  write_events("b/train", {point(2, "loss")});
  const auto runs = open();
  const auto tags = catalog(runs->all());
  ASSERT_EQ(tags.size(), 2U);
  EXPECT_EQ(tags[0].runs.size(), 1U);
  EXPECT_EQ(tags[0].runs[0].last, 0U);
  EXPECT_EQ(tags[0].count, 2U);
  EXPECT_EQ(tags[1].tag, "train/loss");
}

TEST_F(CatalogTest, LeavesOutHistogramsThatWereDerivedFromCaptures) {
  const event::Metadata derived{event::plugin::kHistograms, "", event::DataClass::kTensor, "", true};
  const std::vector<double> rows = {0, 1, 10};
  write_captures("a", {stats_record(0, "w", {1})});
  write_events("a", {event::encode_tensor({1, 0}, "w", view(rows, {1, 3}), &derived),
                     event::encode_tensor({1, 0}, "alone", view(rows, {1, 3}), &derived)});
  const auto runs = open();
  const auto tags = catalog(runs->all());
  ASSERT_EQ(tags.size(), 2U);
  EXPECT_EQ(tags[0].tag, "alone");
  EXPECT_EQ(tags[1].kind, store::Kind::kStats);
}

}  // namespace
}  // namespace tensortap::query
