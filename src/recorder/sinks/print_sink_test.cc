// Tests of the print sink: its lines, and a pipe that nobody reads.
#include "recorder/sinks/print_sink.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <numeric>

#include "recorder/sink_makers.h"
#include "recorder/sinks/prediction_lines.h"
#include "recorder/sinks/sink_testutil.h"

namespace tensortap::recorder {
namespace {

using testing::HasSubstr;

class PrintSinkTest : public testing::Test {
 protected:
  void SetUp() override {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end_ = ends[0];
    write_end_ = ends[1];
    ::fcntl(read_end_, F_SETFL, O_NONBLOCK);
    sink_ = std::make_unique<PrintSink>(write_end_, 2);
    ASSERT_TRUE(sink_->begin({"/run", 1000}).ok());
  }
  void TearDown() override {
    if (read_end_ >= 0) ::close(read_end_);
    ::close(write_end_);
  }
  std::string printed() {
    std::string text;
    char piece[4096];
    for (ssize_t size; (size = ::read(read_end_, piece, sizeof piece)) > 0;)
      text.append(piece, static_cast<std::size_t>(size));
    return text;
  }

  int read_end_ = -1;
  int write_end_ = -1;
  std::unique_ptr<PrintSink> sink_;
};

TEST_F(PrintSinkTest, PrintsOneLineAnEpochNamedAsInTheTable) {
  ASSERT_TRUE(sink_->scalar(capture_of("loss", 0, 0, "train"), 5).ok());
  ASSERT_TRUE(is_passed_over(sink_->scalar(capture_of("step_seconds", 0, 0, "train"), 5)));
  ASSERT_TRUE(sink_->scalar(capture_of("loss", 2, 0, "val"), 0.25).ok());
  ASSERT_TRUE(sink_->scalar(capture_of("epoch_loss", 2, 0, "train"), 0.123456).ok());
  ASSERT_TRUE(sink_->flush().ok());
  EXPECT_EQ(printed(), "");
  ASSERT_TRUE(sink_->scalar(capture_of("loss", 3, 1, "train"), 1).ok());
  EXPECT_EQ(printed(), "epoch 0  step 2  loss 0.1235  val_loss 0.25  (2.0 s)\n");
  ASSERT_TRUE(sink_->close(0, {}).ok());
  EXPECT_EQ(printed(), "epoch 1  step 3  loss 1  (1.0 s)\n");
}

TEST_F(PrintSinkTest, PrintsTheLatestAtMostOnceASecondWithoutEpochs) {
  for (std::int64_t step = 0; step < 50; ++step) {
    ASSERT_TRUE(sink_->scalar(capture_of("loss", step), static_cast<double>(step)).ok());
    ASSERT_TRUE(sink_->flush().ok());
  }
  ASSERT_TRUE(sink_->close(0, {}).ok());
  EXPECT_EQ(printed(), "step 0  loss 0\nstep 49  loss 49\n");
}

TEST_F(PrintSinkTest, PrintsSomePredictionsBelowTheirEpoch) {
  const std::vector<float> outputs{0.97F, 0.03F, 0.4F, 0.6F, 0.2F, 0.8F};
  const std::vector<std::int64_t> labels{0, 0, 1};
  ASSERT_TRUE(sink_
                  ->predictions(capture_of("predictions/val", 4, 3),
                                captured_predictions(view(outputs, {3, 2}), view(labels), {"a", "b\x1b[2J", "c"}))
                  .ok());
  ASSERT_TRUE(sink_->scalar(capture_of("epoch_loss", 4, 3, "train"), 0.5).ok());
  ASSERT_TRUE(sink_->close(0, {}).ok());
  EXPECT_EQ(printed(),
            "epoch 3  step 4  loss 0.5  (4.0 s)\n"
            "  val id a  label 0  predicted 0 (0.97)\n"
            "  val id b?[2J  label 0  predicted 1 (0.6)\n"
            "  ... and 1 more\n"
            "  val: 2 of 3 right (66.7 %)\n");
}

TEST_F(PrintSinkTest, LeavesOutWhatRecordingItselfTook) {
  (void)sink_->scalar(capture_of("tensortap/predictions_seconds", 3, 1), 0.25);  // passed over
  ASSERT_TRUE(sink_->scalar(capture_of("epoch_loss", 3, 1, "train"), 1).ok());
  ASSERT_TRUE(sink_->close(0, {}).ok());
  EXPECT_EQ(printed(), "epoch 1  step 3  loss 1  (3.0 s)\n");
}

TEST_F(PrintSinkTest, NeverWaitsLongForAPipeThatNobodyReads) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<float> outputs(2);
  std::uint64_t offered = 0;
  for (; offered < 5000; ++offered) {
    ASSERT_TRUE(sink_
                    ->predictions(capture_of("predictions/v", static_cast<std::int64_t>(offered)),
                                  captured_predictions(view(outputs)))
                    .ok());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_GT(sink_->lost_captures(), 1000U);
  EXPECT_LT(sink_->lost_captures(), offered);
  (void)printed();
  ASSERT_TRUE(sink_->predictions(capture_of("predictions/v", 5000), captured_predictions(view(outputs))).ok());
  EXPECT_THAT(printed(), HasSubstr(" lines were not printed: nobody read them)\n  v id 0  output 0\n"));
}

TEST_F(PrintSinkTest, OutlivesItsReader) {
  ::signal(SIGPIPE, SIG_IGN);  // as Python does, and as the recorder's worker blocks it
  ::close(std::exchange(read_end_, -1));
  ASSERT_TRUE(sink_->scalar(capture_of("loss", 0), 1).ok());
  ASSERT_TRUE(sink_->close(0, {}).ok());
  EXPECT_EQ(sink_->lost_captures(), 1U);
}

std::string lines_of(const format::PredictionTensors& tensors) { return prediction_lines("val", tensors, 1); }

TEST(PredictionLines, TakesOneHotLabelsForClasses) {
  const std::vector<float> outputs{0.1F, 0.9F}, labels{0, 1};
  EXPECT_EQ(lines_of({view(outputs, {1, 2}), view(labels, {1, 2}), {}}),
            "  val id 0  label 1  predicted 1 (0.9)\n  val: 1 of 1 right (100.0 %)\n");
}

TEST(PredictionLines, ShowsNumbersWhereLabelsAreNoClasses) {
  const std::vector<float> outputs{1.5F, 2}, labels{1.25F, 2.5F};
  EXPECT_EQ(lines_of({view(outputs, {1, 2}), view(labels, {1, 2}), {}}),
            "  val id 0  label [1.25, 2.5]  output [1.5, 2]\n");
  EXPECT_EQ(lines_of({view(outputs, {2, 1}), view(labels), {}}),
            "  val id 0  label 1.25  output 1.5\n  ... and 1 more\n");
}

TEST(PredictionLines, SaysNothingOfTheRestWhereNoSampleIsWanted) {
  const std::vector<float> outputs{0.1F, 0.9F}, labels{1};
  EXPECT_EQ(prediction_lines("val", {view(outputs, {1, 2}), view(labels), {}}, 0), "  val: 1 of 1 right (100.0 %)\n");
}

TEST(PredictionLines, SumsUpMaps) {
  std::vector<float> map(16);
  std::iota(map.begin(), map.end(), 0.0F);
  EXPECT_EQ(lines_of({view(map, {1, 4, 4}), {}, {}}), "  val id 0  output [4,4]: 0 .. 7.5 .. 15\n");
}

TEST(MakePrintSink, RefusesSamplesThatAreNoNumber) {
  EXPECT_TRUE(make_print_sink({"print", "", {{"samples", "3"}}}).ok());
  EXPECT_THAT(make_print_sink({"print", "", {{"samples", "-3"}}}).status().message(), HasSubstr("'-3'"));
}

}  // namespace
}  // namespace tensortap::recorder
