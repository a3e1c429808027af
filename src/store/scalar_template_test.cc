// A template recognises exactly the events that differ in time, step and number.
#include "store/scalar_template.h"

#include <gtest/gtest.h>

#include "event/damage_testutil.h"
#include "event/event.h"
#include "event/tensor_proto.h"

namespace tensortap::store {
namespace {

// With the bytes behind it that a template may read.
std::string with_slack(std::string_view record) { return std::string(record) + std::string(8, '\x55'); }

bool read(const ScalarTemplate& common, std::string_view record, ScalarPoint& point) {
  const std::string padded = with_slack(record);
  return common.read(std::string_view(padded).substr(0, record.size()), point);
}

ScalarTemplate made_of(const std::string& record) {
  event::PlainScalar scalar;
  EXPECT_TRUE(event::scan_plain_scalar(record, scalar));
  ScalarTemplate common;
  common.make(record, scalar);
  return common;
}

TEST(ScalarTemplate, ReadsTimeStepAndNumber) {
  for (double value : {0.5, 0.1}) {  // a float, and one that needs its double
    const ScalarTemplate common = made_of(event::encode_scalar({1, 5}, "train/loss", value, nullptr));
    ASSERT_TRUE(common.is_made());
    for (std::int64_t step : {std::int64_t{0}, std::int64_t{1}, std::int64_t{300}, std::int64_t{1} << 40}) {
      ScalarPoint point;
      const std::string record = event::encode_scalar({2.5, step}, "train/loss", value * 3, nullptr);
      ASSERT_TRUE(read(common, record, point)) << step;
      EXPECT_EQ(point.step, step);
      EXPECT_EQ(point.wall_secs, 2.5);
      EXPECT_EQ(point.value, value * 3);
    }
  }
}

TEST(ScalarTemplate, RefusesOtherTagsAndForms) {
  const ScalarTemplate common = made_of(event::encode_scalar({1, 5}, "loss", 0.5, nullptr));
  ScalarPoint point;
  EXPECT_FALSE(read(common, event::encode_scalar({1, 5}, "los", 0.5, nullptr), point));
  EXPECT_FALSE(read(common, event::encode_scalar({1, 5}, "losS", 0.5, nullptr), point));
  EXPECT_FALSE(read(common, event::encode_scalar({1, 5}, "loss", 0.1, nullptr), point));
  EXPECT_FALSE(read(common, event::encode_scalar({1, -5}, "loss", 0.5, nullptr), point));
  EXPECT_FALSE(read(common, event::encode_file_version(1), point));
}

TEST(ScalarTemplate, WhateverItReadsTheLongWayReadsAlike) {
  const std::string whole = event::encode_scalar({1.5, 77}, "loss", 0.25, nullptr);
  const ScalarTemplate common = made_of(whole);
  std::size_t recognised = 0;
  event::decode_damaged(whole, [&](std::string_view record) {
    ScalarPoint point;
    if (!read(common, record, point)) return;
    ++recognised;
    event::PlainScalar scalar;
    ASSERT_TRUE(event::scan_plain_scalar(record, scalar));
    EXPECT_EQ(scalar.tag, "loss");
    EXPECT_EQ(scalar.time.step, point.step);
    EXPECT_EQ(std::memcmp(&scalar.time.wall_secs, &point.wall_secs, sizeof(double)), 0);
    const double number = event::scalar_of_tensor(scalar.tensor).value();
    EXPECT_EQ(std::memcmp(&number, &point.value, sizeof number), 0);
  });
  EXPECT_GT(recognised, 100U);
}

TEST(ScalarTemplate, IsNotMadeWhereTheNumberHasNoFixedPlace) {
  // A double that stands in tensor_content: eight bytes, the last four are only half of it.
  const std::string record =
      event::from_hex("09000000000000f03f10022a180a160a0178421108021200220b00000000000000000000000000");
  event::PlainScalar scalar;
  ScalarTemplate common;
  if (event::scan_plain_scalar(record, scalar)) common.make(record, scalar);
  EXPECT_FALSE(common.is_made());
}

}  // namespace
}  // namespace tensortap::store
