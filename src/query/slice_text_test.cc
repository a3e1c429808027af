// Slices as people type them.
#include "query/slice_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace tensortap::query {
namespace {

Shape shape_after(std::string_view text, const Shape& whole) {
  return plan_slices(parse_slices(text).value(), whole).value().shape;
}

TEST(SliceText, FollowsPython) {
  const Shape whole = {2, 5, 10};
  EXPECT_EQ(shape_after("", whole), whole);
  EXPECT_EQ(shape_after("0", whole), (Shape{5, 10}));
  EXPECT_EQ(shape_after("-1,:,3:9", whole), (Shape{5, 6}));
  EXPECT_EQ(shape_after(" : , ::2 , -3: ", whole), (Shape{2, 3, 3}));
  EXPECT_EQ(shape_after(":,4:2,:100", whole), (Shape{2, 0, 10}));
  EXPECT_EQ(shape_after("...,0", whole), (Shape{2, 5}));
  EXPECT_EQ(shape_after("1,...", whole), (Shape{5, 10}));
  EXPECT_EQ(shape_after("1,2,...,3", whole), Shape{});
  EXPECT_EQ(shape_after("...", Shape{}), Shape{});
}

TEST(SliceText, GivesSlicesThatTensorAtTakes) {
  const SlicePlan plan = plan_slices(parse_slices("-1,1:4:2").value(), {3, 5, 7}).value();
  ASSERT_EQ(plan.slices.size(), 3U);
  EXPECT_EQ(plan.slices[0].from, 2);
  EXPECT_EQ(plan.slices[0].to, 3);
  EXPECT_EQ(plan.slices[1].stride, 2);
  EXPECT_EQ(plan.slices[2].from, 0);
  EXPECT_FALSE(plan.slices[2].to.has_value());
}

TEST(SliceText, RefusesWhatIsNoSlice) {
  for (const char* text : {"a", "1,", ",1", "1,,2", "1:2:3:4", "1:2:0", "::-1", "1.5", "0x1", "99999999999999999999",
                           "[0]", "--1", "1 2", "....", ":a", "+1"}) {
    const auto slices = parse_slices(text);
    EXPECT_EQ(slices.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_FALSE(slices.status().message().empty());
  }
  EXPECT_FALSE(parse_slices(std::string(200, ',')).ok());
}

TEST(SliceText, RefusesWhatDoesNotFitTheTensor) {
  for (const char* text : {"3", "-4", "0,0,0,0", "...,...", "0,0,0,...,0"}) {
    EXPECT_EQ(plan_slices(parse_slices(text).value(), {3, 3, 3}).status().code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(plan_slices(parse_slices("0").value(), {}).ok());
  EXPECT_FALSE(plan_slices(parse_slices("0").value(), {0}).ok());
}

TEST(SliceText, StandsTheLargestNumbers) {
  const std::string most = std::to_string(std::numeric_limits<std::int64_t>::max());
  const std::string least = std::to_string(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(shape_after(least + ":" + most + ":" + most, {4}), Shape{1});
  EXPECT_FALSE(plan_slices(parse_slices(least).value(), {4}).ok());
}

}  // namespace
}  // namespace tensortap::query
