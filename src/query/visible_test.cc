// Which values are shown after restarts, and which are not.
#include "query/visible.h"

#include <gtest/gtest.h>

namespace tensortap::query {
namespace {

struct Value {
  std::int64_t step;
  double wall_secs;
  bool operator==(const Value&) const = default;
};
std::int64_t step_of(const Value& value) { return value.step; }
double wall_of(const Value& value) { return value.wall_secs; }

std::vector<std::int64_t> steps(std::vector<FileValues<Value>> files, bool steps_repeat = false) {
  std::vector<std::int64_t> shown;
  for (const Value& value : visible(std::move(files), steps_repeat)) shown.push_back(value.step);
  return shown;
}

using Steps = std::vector<std::int64_t>;

TEST(Visible, StepsThatAscendAreAllShown) { EXPECT_EQ(steps({{{{0, 1}, {5, 2}, {6, 3}}, {}}}), (Steps{0, 5, 6})); }

TEST(Visible, AStepThatFallsBackReplacesWhatCameAfterIt) {
  EXPECT_EQ(steps({{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 5}, {2, 6}}, {}}}), (Steps{0, 1, 2}));
}

TEST(Visible, OfARepeatedStepTheLastIsShownUnlessStepsRepeat) {
  const std::vector<FileValues<Value>> files = {{{{0, 1}, {1, 2}, {1, 3}}, {}}};
  EXPECT_EQ(visible(files, false), (std::vector<Value>{{0, 1}, {1, 3}}));
  EXPECT_EQ(visible(files, true), (std::vector<Value>{{0, 1}, {1, 2}, {1, 3}}));
}

TEST(Visible, ASessionStartReplacesWhatItsStepHides) {
  EXPECT_EQ(steps({{{{0, 1}, {1, 2}, {2, 3}, {9, 9}}, {{3, 1, 4}}}}), (Steps{0, 9}));
  EXPECT_EQ(steps({{{{0, 1}, {1, 2}, {2, 3}}, {{3, 1, 4}}}}), (Steps{0}));
  EXPECT_EQ(steps({{{{0, 1}, {1, 2}}, {{0, 0, 0}}}}), (Steps{0, 1}));
}

TEST(Visible, ALaterFileReplacesFromItsFirstStepOn) {
  EXPECT_EQ(steps({{{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {}}, {{{2, 10}, {3, 11}}, {}}}), (Steps{0, 1, 2, 3}));
  EXPECT_EQ(steps({{{{0, 1}, {5, 2}, {9, 3}}, {}}, {{{5, 10}, {6, 11}}, {}}}), (Steps{0, 5, 6}));
}

TEST(Visible, ALaterFileWithOnlyASessionStartReplacesToo) {
  EXPECT_EQ(steps({{{{0, 1}, {5, 2}, {9, 3}}, {}}, {{}, {{0, 5, 10}}}}), (Steps{0}));
}

TEST(Visible, FilesOfTheSameTimeAreMergedByStep) {
  EXPECT_EQ(steps({{{{0, 1}, {2, 3}, {4, 5}}, {}}, {{{1, 2}, {3, 4}, {5, 6}}, {}}}), (Steps{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(visible<Value>({{{{0, 1}, {1, 9}}, {}}, {{{0, 2}, {1, 3}}, {}}}, false),
            (std::vector<Value>{{0, 2}, {1, 9}}));
}

TEST(Visible, TheLastStepOfAllIsNoSpecialCase) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(steps({{{{0, 1}, {kMost, 2}, {kMost, 3}}, {}}}, true), (Steps{0, kMost, kMost}));
}

}  // namespace
}  // namespace tensortap::query
