// Tests of the CSV sink: which capture goes to which table, and what is there already.
#include "recorder/sinks/csv_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/failing_file.h"
#include "base/memory_file.h"
#include "recorder/sink_makers.h"
#include "recorder/sinks/sink_testutil.h"

namespace tensortap::recorder {
namespace {

class CsvSinkTest : public testing::Test {
 protected:
  std::unique_ptr<CsvSink> open(SinkMode mode = SinkMode::kNew) {
    auto sink = std::make_unique<CsvSink>(disk_, "/out", mode);
    EXPECT_TRUE(sink->begin({"/run", 0}).ok());
    return sink;
  }
  static void close(CsvSink& sink) { EXPECT_TRUE(sink.close(0, {}).ok()); }
  std::string text(const std::string& name) const { return memory_.contents("/out/" + name); }
  void put(const std::string& path, std::string_view contents) {
    auto file = memory_.create(path).value();
    Bytes piece = bytes_of(contents);
    ASSERT_TRUE(file->append({&piece, 1}).ok());
  }

  MemoryFileSystem memory_;
  FailingFileSystem disk_{memory_};
};

TEST_F(CsvSinkTest, WritesWhatAKerasTrainingRecords) {
  auto sink = open();
  std::int64_t step = 0;
  for (int epoch = 0; epoch < 2; ++epoch) {
    ASSERT_TRUE(is_passed_over(sink->scalar(capture_of("epoch", step, epoch, "train"), epoch)));
    for (int batch = 0; batch < 2; ++batch, ++step) {
      ASSERT_TRUE(sink->scalar(capture_of("loss", step, epoch, "train"), 10 - static_cast<double>(step)).ok());
      ASSERT_TRUE(sink->scalar(capture_of("step_seconds", step, epoch, "train"), 0.5).ok());
    }
    ASSERT_TRUE(sink->flush().ok());
    ASSERT_TRUE(sink->scalar(capture_of("loss", step, epoch, "val"), 7).ok());
    ASSERT_TRUE(sink->scalar(capture_of("epoch_loss", step, epoch, "train"), 9.5).ok());
  }
  close(*sink);
  EXPECT_EQ(text("metrics.csv"), "epoch,step,loss,val_loss\r\n0,2,9.5,7\r\n1,4,9.5,7\r\n");
  EXPECT_EQ(text("steps.csv"), "epoch,step,loss,step_seconds\r\n0,0,10,0.5\r\n0,1,9,0.5\r\n1,2,8,0.5\r\n1,3,7,0.5\r\n");
}

TEST_F(CsvSinkTest, WritesOneRowAStepWithoutEpochs) {
  auto sink = open();
  ASSERT_TRUE(sink->scalar(capture_of("loss", 0), 1).ok());
  ASSERT_TRUE(sink->scalar(capture_of("loss", 1), 2).ok());
  close(*sink);
  EXPECT_EQ(text("metrics.csv"), "epoch,step,loss\r\n,0,1\r\n,1,2\r\n");
  EXPECT_EQ(memory_.paths(), std::vector<std::string>{"/out/metrics.csv"});
}

TEST_F(CsvSinkTest, WritesStatisticsWithTheFullTag) {
  auto sink = open();
  const std::vector<float> values{1, -1, 0, NAN};
  const event::CapturedStats stats{DType::kFloat32, {4}, compute_stats(view(values)).value()};
  ASSERT_TRUE(sink->stats(capture_of("activations/=x", 5, 1, "val", 3), stats).ok());
  const std::vector<float> nothing{NAN};
  ASSERT_TRUE(sink->stats(capture_of("g", 6), {DType::kFloat32, {1}, compute_stats(view(nothing)).value()}).ok());
  const std::string table = text("stats.csv");
  EXPECT_THAT(table, testing::StartsWith("epoch,step,tag,phase,sequence,count,min,max,mean,std,l2,zeros,nan,positive_"
                                         "inf,negative_inf,p5,p25,p50,p75,p95\r\n1,5,val/activations/=x,,3,4,-1,1,0,"));
  EXPECT_THAT(table, testing::EndsWith("\r\n,6,g,,0,1,,,,,,0,1,0,0,,,,,\r\n"));
}

TEST_F(CsvSinkTest, WritesWeightsOfAnyRankByLayerAndParameter) {
  auto sink = open();
  const std::vector<float> kernel{0.1F, 2};
  const std::int32_t seed = 7;
  ASSERT_TRUE(
      sink->tensor(capture_of("weights/block/conv/kernel", 9, 2), captured_of(view(kernel, {1, 1, 2, 1}))).ok());
  ASSERT_TRUE(sink->tensor(capture_of("weights/seed", 9, 2), captured_of(view(&seed, Shape{}))).ok());
  ASSERT_TRUE(is_passed_over(sink->tensor(capture_of("activations/conv", 9, 2), captured_of(view(kernel)))));
  EXPECT_EQ(text("weights.csv"),
            "epoch,step,layer,parameter,index,value\r\n2,9,block/conv,kernel,\"0,0,0,0\",0.1\r\n"
            "2,9,block/conv,kernel,\"0,0,1,0\",2\r\n2,9,,seed,,7\r\n");
}

TEST_F(CsvSinkTest, WritesPredictionsAndNeverMixesWidths) {
  auto sink = open();
  const std::vector<float> outputs{0.25F, 0.75F, 1, 0, 0, 0};
  const std::vector<std::int64_t> labels{1, 0};
  const std::vector<std::int64_t> three{1, 0, 2};
  ASSERT_TRUE(sink->predictions(capture_of("predictions/val", 4, 0),
                                captured_predictions(view(outputs, {2, 2}), view(labels), {"a", "b"}))
                  .ok());
  ASSERT_TRUE(
      sink->predictions(capture_of("predictions/val", 8, 1), captured_predictions(view(outputs, {2, 3}), view(labels)))
          .ok());
  ASSERT_TRUE(
      sink->predictions(capture_of("predictions/val", 9, 2), captured_predictions(view(outputs, {3, 2}), view(three)))
          .ok());
  EXPECT_EQ(text("predictions.csv"),
            "epoch,step,id,label,class_0,class_1\r\n0,4,a,1,0.25,0.75\r\n0,4,b,0,1,0\r\n2,9,0,1,0.25,0.75\r\n"
            "2,9,1,0,1,0\r\n2,9,2,2,0,0\r\n");
  EXPECT_EQ(text("predictions-2.csv"),
            "epoch,step,id,label,class_0,class_1,class_2\r\n1,8,0,1,0.25,0.75,1\r\n1,8,1,0,0,0,0\r\n");
  EXPECT_THAT(sink->notes(), testing::ElementsAre(testing::HasSubstr("/out/predictions-2.csv")));
}

TEST_F(CsvSinkTest, KeepsOtherPredictionsInFilesOfTheirOwn) {
  auto sink = open();
  const std::vector<float> outputs(2);
  for (const char* tag : {"predictions/a/b", "predictions/a_b"}) {
    ASSERT_TRUE(sink->predictions(capture_of(tag, 0), captured_predictions(view(outputs))).ok());
  }
  EXPECT_EQ(text("predictions_a_b.csv"), text("predictions_a_b-2.csv"));
  EXPECT_EQ(text("predictions_a_b.csv"), "epoch,step,id,label,output\r\n,0,0,,0\r\n,0,1,,0\r\n");
}

TEST_F(CsvSinkTest, WritesSamplesOfManyNumbersOneRowANumber) {
  auto sink = open();
  const std::vector<float> outputs(2 * 40 * 40);
  ASSERT_TRUE(sink->predictions(capture_of("predictions/val", 0),
                                captured_predictions(view(outputs, {2, 40, 40}), view(outputs, {2, 40, 40})))
                  .ok());
  for (const char* name : {"predictions_values.csv", "predictions_labels.csv"}) {
    EXPECT_THAT(text(name), testing::StartsWith("epoch,step,id,index,value\r\n,0,0,\"0,0\",0\r\n"));
    const std::string table = text(name);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3201);
  }
  EXPECT_EQ(text("predictions.csv"), "");
}

TEST_F(CsvSinkTest, KeepsNothingOfACaptureThatDidNotFit) {
  auto sink = open();
  const std::vector<double> small{1}, large(100'000, 0.1);
  ASSERT_TRUE(sink->tensor(capture_of("weights/a/b", 0), captured_of(view(small))).ok());
  disk_.faults().room_bytes = 500'000;
  EXPECT_EQ(sink->tensor(capture_of("weights/a/c", 0), captured_of(view(large))).code(), StatusCode::kIo);
  ASSERT_TRUE(sink->tensor(capture_of("weights/a/d", 0), captured_of(view(small))).ok());
  EXPECT_EQ(text("weights.csv"), "epoch,step,layer,parameter,index,value\r\n,0,a,b,0,1\r\n,0,a,d,0,1\r\n");
}

TEST_F(CsvSinkTest, TakesANumberedSiblingOfADirectoryThatHasSuchFiles) {
  put("/out/weights.csv", "old");
  put("/out-2/predictions_x.csv", "old");
  put("/out-3/epoch_0_x.npy", "another sink's");
  auto sink = open();
  ASSERT_TRUE(sink->scalar(capture_of("loss", 0), 1).ok());
  close(*sink);
  EXPECT_EQ(memory_.contents("/out-3/metrics.csv"), "epoch,step,loss\r\n,0,1\r\n");
  EXPECT_THAT(sink->notes(), testing::ElementsAre("/out holds such files already; writing to /out-3"));
}

TEST_F(CsvSinkTest, AppendsWhenAsked) {
  const std::vector<float> two(2), three(3);
  for (std::int64_t run = 0; run < 2; ++run) {
    auto sink = open(SinkMode::kAppend);
    ASSERT_TRUE(sink->scalar(capture_of(run == 0 ? "a" : "b", run), 1).ok());
    ASSERT_TRUE(sink->predictions(capture_of("predictions/val", run), captured_predictions(view(two, {1, 2}))).ok());
    close(*sink);
  }
  auto sink = open(SinkMode::kAppend);
  ASSERT_TRUE(sink->predictions(capture_of("predictions/val", 2), captured_predictions(view(three, {1, 3}))).ok());
  EXPECT_EQ(text("metrics.csv"), "epoch,step,a,b\r\n,0,1,\r\n,1,,1\r\n");
  EXPECT_EQ(text("predictions.csv"), "epoch,step,id,label,class_0,class_1\r\n,0,0,,0,0\r\n,1,0,,0,0\r\n");
  EXPECT_EQ(text("predictions-2.csv"), "epoch,step,id,label,class_0,class_1,class_2\r\n,2,0,,0,0,0\r\n");
}

TEST_F(CsvSinkTest, DeletesOnlyItsOwnKindOfFilesToOverwrite) {
  put("/out/metrics.csv", "old");
  put("/out/predictions_x.csv", "old");
  put("/out/notes.csv", "mine");
  put("/out/epoch_0_x.npy", "another sink's");
  auto sink = open(SinkMode::kOverwrite);
  EXPECT_EQ(memory_.paths(), (std::vector<std::string>{"/out/epoch_0_x.npy", "/out/notes.csv"}));
}

TEST_F(CsvSinkTest, CountsEachScalarThatWasLostOnce) {
  auto sink = open();
  disk_.faults().room_bytes = 0;
  for (std::int64_t step = 0; step < 4; ++step) {
    ASSERT_TRUE(sink->scalar(capture_of("loss", step, 0, "train"), 1).ok());
    ASSERT_TRUE(sink->scalar(capture_of("loss", step, 0, "val"), 1).ok());
  }
  EXPECT_FALSE(sink->flush().ok());
  EXPECT_FALSE(sink->close(0, {}).ok());
  EXPECT_EQ(sink->lost_captures(), 8U);
}

TEST(MakeCsvSink, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(make_csv_sink({"csv", ""}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(make_csv_sink({"csv", "x", {{"mode", "add"}}}).status().message(), testing::HasSubstr("overwrite"));
  EXPECT_THAT(make_csv_sink({"csv", "x", {{"pattern", "a"}}}).status().message(), testing::HasSubstr("options: mode"));
}

TEST(MakeCsvSink, SaysAtOnceThatADirectoryCannotBeWritten) {
  auto sink = make_csv_sink({"csv", "/proc/nowhere/out"}).value();
  const Status status = sink->begin({"/run", 0});
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_THAT(status.message(), testing::HasSubstr("/proc/nowhere/out"));
}

}  // namespace
}  // namespace tensortap::recorder
