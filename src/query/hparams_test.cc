// The hyperparameters of a run are those of its newest session.
#include <gtest/gtest.h>

#include "event/damage_testutil.h"
#include "event/plugins.h"
#include "query/log_testutil.h"
#include "query/media.h"

namespace tensortap::query {
namespace {

// An hparams value as our recorder and TensorBoard's own API write it: all of it in the metadata.
std::string hparams_record(double wall_secs, std::string_view tag, const std::string& content) {
  const event::Metadata metadata{event::plugin::kHParams, content, event::DataClass::kTensor, "", false};
  return event::encode_tensor({wall_secs, 0}, tag, view<float>(nullptr, {0}), &metadata);
}
std::string start_record(double wall_secs, const HParams& hparams) {
  return hparams_record(wall_secs, event::kHParamsStartTag, event::hparams_start_content(hparams, "g", wall_secs));
}
std::string end_record(double wall_secs, bool success) {
  return hparams_record(wall_secs, event::kHParamsEndTag, event::hparams_end_content(success, wall_secs));
}

class HParamsTest : public LogTest {
 protected:
  std::optional<RunHParams> of_run() { return hparams(open()->find("a").value()).value(); }
};

TEST_F(HParamsTest, ARunWithoutThemHasNone) {
  write_captures("a", {stats_record(1, "w", {1})});
  EXPECT_FALSE(of_run().has_value());
}

TEST_F(HParamsTest, ValuesComeWithGroupAndTimes) {
  write_events("a", {start_record(10, {{"lr", 0.5}, {"opt", "sgd"}, {"bn", true}}), end_record(20, false)});
  const RunHParams found = of_run().value();
  EXPECT_EQ(found.values, (HParams{{"lr", 0.5}, {"opt", "sgd"}, {"bn", true}}));
  EXPECT_EQ(found.group, "g");
  EXPECT_EQ(found.start_secs, 10);
  EXPECT_EQ(found.end_secs, 20);
  EXPECT_EQ(found.success, std::optional(false));
}

TEST_F(HParamsTest, TheNewestSessionCountsAndMayBeOpen) {
  write_events("a", {start_record(10, {{"lr", 0.5}}), end_record(20, true)});
  write_events("a", {start_record(30, {{"lr", 0.25}})});
  const RunHParams found = of_run().value();
  EXPECT_EQ(found.values, (HParams{{"lr", 0.25}}));
  EXPECT_FALSE(found.success.has_value());
}

TEST_F(HParamsTest, ThoseOfASubRunCount) {
  write_events("a/train", {start_record(10, {{"lr", 0.5}}), end_record(20, true)});
  EXPECT_EQ(of_run().value().success, std::optional(true));
}

TEST_F(HParamsTest, ThoseOfTensorboardXAreRead) {
  // add_hparams({"lr": 0.1, "opt": "sgd", "bn": True}, {"m": 1.0})
  write_events("a", {event::from_hex("09000000000000f83f2a5a0a580a1c5f68706172616d735f2f73657373696f6e5f73746172745f69"
                                     "6e666f4a380a360a0768706172616d73122b1a290a080a02626e120220010a0f0a026c721209119a"
                                     "9999999999b93f0a0c0a036f707412051a03736764"),
                     event::from_hex("09000000000000f83f2a310a2f0a1a5f68706172616d735f2f73657373696f6e5f656e645f696e66"
                                     "6f4a110a0f0a0768706172616d73120422020801")});
  const RunHParams found = of_run().value();
  EXPECT_EQ(found.values, (HParams{{"lr", 0.1}, {"opt", "sgd"}, {"bn", true}}));
  EXPECT_EQ(found.success, std::optional(true));
}

TEST_F(HParamsTest, DamagedOnesAreNamedWithTheirPlace) {
  write_events("a", {hparams_record(10, event::kHParamsStartTag, "nonsense")});
  const Status status = hparams(open()->find("a").value()).status();
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_NE(status.message().find("at offset"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace tensortap::query
