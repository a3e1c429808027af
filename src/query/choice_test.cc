// Choice: names that are there, globs, and what is said when nothing is.
#include "query/choice.h"

#include <gmock/gmock.h>

#include "query/log_testutil.h"

namespace tensortap::query {
namespace {

using store::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Kind kScalars[] = {Kind::kScalars};

class ChoiceTest : public LogTest {
 protected:
  void run(const std::string& name, const std::vector<std::string>& tags) {
    std::vector<std::string> records;
    for (const std::string& tag : tags) records.push_back(event::encode_scalar({1, 0}, tag, 1.0, nullptr));
    write_events(name, records);
  }
  std::vector<std::string> runs(const std::vector<std::string>& names) {
    std::vector<std::string> found;
    const std::vector<query::Run> chosen = choose_runs(*open(), names).value();
    for (const query::Run& run : chosen) found.push_back(run.name);
    return found;
  }
  std::vector<std::string> series(const std::vector<std::string>& tags, std::span<const Kind> kinds = kScalars) {
    const auto all = open();
    std::vector<std::string> found;
    const std::vector<ChosenSeries> chosen = choose_series(all->all(), tags, kinds).value();
    for (const ChosenSeries& each : chosen) {
      found.push_back(all->all()[each.run].name + " " + each.tag);
    }
    return found;
  }
};

TEST_F(ChoiceTest, TakesRunsInTheOrderAskedForAndEachOnce) {
  run("a", {"x"});
  run("b", {"x"});
  EXPECT_THAT(runs({}), ElementsAre("a", "b"));
  EXPECT_THAT(runs({"b", "a", "b"}), ElementsAre("b", "a"));
  EXPECT_THAT(runs({"b", "*"}), ElementsAre("b", "a"));
}

TEST_F(ChoiceTest, TakesANameWithAWildcardForItselfWhereItIsThere) {
  run("a*", {"x"});
  run("ab", {"x"});
  EXPECT_THAT(runs({"a*"}), ElementsAre("a*"));
  EXPECT_THAT(runs({"a?"}), ElementsAre("a*", "ab"));
}

TEST_F(ChoiceTest, LeavesOutRunsThatAreNotThereUnlessNoneIsLeft) {
  run("train-1", {"x"});
  EXPECT_THAT(runs({"gone", "train-1"}), ElementsAre("train-1"));
  const auto none = choose_runs(*open(), std::vector<std::string>{"tarin-1"});
  EXPECT_EQ(none.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(none.status().message(), HasSubstr("train-1"));
}

TEST_F(ChoiceTest, TakesTheSeriesOfRunsThatHaveTheTag) {
  run("a", {"loss", "lr"});
  run("b", {"lr"});
  EXPECT_THAT(series({"loss"}), ElementsAre("a loss"));
  EXPECT_THAT(series({"lr", "l*"}), ElementsAre("a lr", "a loss", "b lr"));
  EXPECT_THAT(series({}), IsEmpty());
}

TEST_F(ChoiceTest, TakesTheFirstKindThatATagHas) {
  run("a", {"w"});
  write_captures("a", {stats_record(0, "w", {1, 2})});
  constexpr Kind kKinds[] = {Kind::kStats, Kind::kScalars};
  const auto all = open();
  EXPECT_EQ(choose_series(all->all(), std::vector<std::string>{"w"}, kKinds).value().front().kind, Kind::kStats);
}

TEST_F(ChoiceTest, SaysWhatIsNearWhenNoRunHasTheTag) {
  run("a", {"loss"});
  run("b", {"loss"});
  const auto all = open();
  const auto none = choose_series(all->all(), std::vector<std::string>{"lsos"}, kScalars);
  EXPECT_EQ(none.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(none.status().message(), HasSubstr("none of 2 runs has scalars under 'lsos'. Did you mean 'loss'?"));
}

}  // namespace
}  // namespace tensortap::query
