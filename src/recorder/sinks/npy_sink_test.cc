// Tests of the npy sink: names, bytes, and what is there already.
#include "recorder/sinks/npy_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failing_file.h"
#include "base/memory_file.h"
#include "format/npy.h"
#include "recorder/sinks/sink_testutil.h"

namespace tensortap::recorder {
namespace {

using testing::ElementsAre;

class NpySinkTest : public testing::Test {
 protected:
  std::unique_ptr<NpySink> open(sinks::Options options = {}) {
    auto sink = NpySink::make(disk_, {"npy", "/out", std::move(options)}).value();
    EXPECT_TRUE(sink->begin({"/run", 0}).ok());
    return sink;
  }
  void put(const std::string& path) { ASSERT_TRUE(memory_.create(path).ok()); }

  const std::vector<float> values_{1, 2, 3, 4};
  const event::CapturedTensor tensor_ = captured_of(view(values_, {2, 2}));
  MemoryFileSystem memory_;
  FailingFileSystem disk_{memory_};
};

TEST_F(NpySinkTest, WritesOneFileATensorWithItsDtypeAndShape) {
  auto sink = open();
  ASSERT_TRUE(sink->tensor(capture_of("activations/conv1", 7, 3), tensor_).ok());
  ASSERT_TRUE(sink->tensor(capture_of("x", 7, kNoEpoch, "val"), tensor_).ok());
  EXPECT_THAT(memory_.paths(), ElementsAre("/out/epoch_3_activations_conv1.npy", "/out/step_7_val_x.npy"));
  EXPECT_EQ(memory_.contents("/out/step_7_val_x.npy"), format::encode_npy(view(values_, {2, 2})).value());
}

TEST_F(NpySinkTest, WidensWhatNumpyDoesNotKnow) {
  auto sink = open();
  const std::vector<std::uint16_t> bits{0x3f80, 0x4000};
  const TensorView bfloat{bits.data(), DType::kBfloat16, {2}, {}};
  ASSERT_TRUE(sink->tensor(capture_of("b", 0), captured_of(bfloat)).ok());
  EXPECT_EQ(memory_.contents("/out/step_0_b.npy"), format::encode_npy(bfloat).value());
}

TEST_F(NpySinkTest, NamesTheUsualPredictionsShortly) {
  auto sink = open();
  const std::vector<std::int32_t> labels{1, 0};
  ASSERT_TRUE(sink->predictions(capture_of("predictions/val", 9, 0),
                                captured_predictions(view(values_, {2, 2}), view(labels), {"a", "bc"}))
                  .ok());
  ASSERT_TRUE(sink->predictions(capture_of("predictions/test", 9, 0), captured_predictions(view(values_))).ok());
  EXPECT_THAT(memory_.paths(), ElementsAre("/out/epoch_0_ids.npy", "/out/epoch_0_labels.npy",
                                           "/out/epoch_0_predictions.npy", "/out/epoch_0_test_predictions.npy"));
  EXPECT_EQ(memory_.contents("/out/epoch_0_labels.npy"), format::encode_npy(view(labels)).value());
  EXPECT_THAT(memory_.contents("/out/epoch_0_ids.npy"), testing::HasSubstr("|S2"));
}

TEST_F(NpySinkTest, NeverWritesAFileTwice) {
  auto sink = open({{"pattern", "epoch_{epoch}.npy"}});
  for (std::uint64_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(sink->tensor(capture_of("x", 5, 0, "", i), tensor_).ok());
    ASSERT_TRUE(sink->tensor(capture_of("y", 5, 0, "", i), tensor_).ok());
  }
  EXPECT_THAT(memory_.paths(), ElementsAre("/out/epoch_0.npy", "/out/epoch_0_step_5.npy", "/out/epoch_0_step_5_1.npy",
                                           "/out/epoch_0_step_5_1_2.npy"));
}

TEST_F(NpySinkTest, MakesDirectoriesAsThePatternSays) {
  auto sink = open({{"pattern", "{epoch}/{tag}"}});
  ASSERT_TRUE(sink->tensor(capture_of("a/../b", 5, 2), tensor_).ok());
  EXPECT_THAT(memory_.paths(), ElementsAre("/out/2/a/_./b.npy"));
}

TEST_F(NpySinkTest, LeavesNothingOfAFileThatDidNotFit) {
  auto sink = open();
  disk_.faults().room_bytes = 130;
  EXPECT_EQ(sink->tensor(capture_of("x", 0), tensor_).code(), StatusCode::kIo);
  EXPECT_TRUE(memory_.paths().empty());
  disk_.faults().room_bytes = 1000;
  EXPECT_TRUE(sink->tensor(capture_of("x", 1), tensor_).ok());
}

TEST_F(NpySinkTest, ShowsAFileOnlyWhenItIsWhole) {
  auto sink = open();
  for (int call = 1; call <= 4; ++call) {
    disk_.faults().fail_call = disk_.faults().calls.load() + call;
    EXPECT_FALSE(sink->tensor(capture_of("x", 0), tensor_).ok()) << call;
    EXPECT_TRUE(memory_.paths().empty()) << call;
  }
}

TEST_F(NpySinkTest, TakesANumberedSiblingOrAppendsOrOverwrites) {
  put("/out/epoch_0_x.npy");
  put("/out/mine.npy");
  put("/out/metrics.csv");
  ASSERT_TRUE(open()->tensor(capture_of("x", 0, 0), tensor_).ok());
  EXPECT_NE(memory_.contents("/out-2/epoch_0_x.npy"), "");
  ASSERT_TRUE(open({{"mode", "append"}})->tensor(capture_of("x", 4, 0), tensor_).ok());
  EXPECT_NE(memory_.contents("/out/epoch_0_x_step_4.npy"), "");
  ASSERT_TRUE(open({{"mode", "overwrite"}})->tensor(capture_of("x", 0, 0), tensor_).ok());
  EXPECT_THAT(memory_.paths(),
              ElementsAre("/out-2/epoch_0_x.npy", "/out/epoch_0_x.npy", "/out/metrics.csv", "/out/mine.npy"));
}

TEST_F(NpySinkTest, SyncsWhatItWrote) {
  auto sink = open();
  ASSERT_TRUE(sink->tensor(capture_of("x", 0), tensor_).ok());
  disk_.faults().fail_call = disk_.faults().calls.load() + 2;  // open, then sync
  EXPECT_FALSE(sink->sync().ok());
}

}  // namespace
}  // namespace tensortap::recorder
