// Tests of metrics: names of columns, rows of epochs and of steps, columns that come later, disks that fail.
#include "recorder/sinks/metric_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/failing_file.h"
#include "base/memory_file.h"

namespace tensortap::recorder {
namespace {

std::string name_of(std::string_view sub_run, std::string_view tag) {
  const std::optional<MetricColumn> column = metric_column(sub_run, tag);
  return column ? column->name : "-";
}

TEST(MetricColumns, NamesColumnsBySubRunAndTag) {
  EXPECT_EQ(name_of("train", "loss"), "loss");
  EXPECT_EQ(name_of("train", "epoch_loss"), "loss");
  EXPECT_EQ(name_of("val", "loss"), "val_loss");
  EXPECT_EQ(name_of("test", "loss"), "test_loss");
  EXPECT_EQ(name_of("", "loss"), "loss");
  EXPECT_EQ(name_of("train", "epoch"), "-");
  EXPECT_EQ(name_of("", "epoch"), "-");
  EXPECT_EQ(name_of("", "step"), "step_value");
  EXPECT_EQ(name_of("", "epoch_loss"), "epoch_loss");
  EXPECT_EQ(name_of("train", "epoch_"), "epoch_");
  EXPECT_EQ(name_of("", "tensortap/predictions_seconds"), "-");
}

TEST(MetricColumns, TellsMeansAndStepsApart) {
  EXPECT_TRUE(metric_column("train", "epoch_loss")->is_mean);
  EXPECT_FALSE(metric_column("train", "epoch_loss")->of_steps);
  EXPECT_FALSE(metric_column("train", "step_seconds")->of_epochs);
  EXPECT_FALSE(metric_column("val", "loss")->of_steps);
  EXPECT_TRUE(metric_column("gan", "loss")->of_steps);
}

class MetricTableTest : public testing::Test {
 protected:
  void set(std::int64_t epoch, std::int64_t step, const std::string& name, double value, bool is_mean = false) {
    table_.set(epoch, step, {name, true, true, is_mean}, value, true);
  }
  std::string text() const { return memory_.contents("/metrics.csv"); }

  MemoryFileSystem memory_;
  FailingFileSystem disk_{memory_};
  MetricTable table_{disk_, "/metrics.csv"};
};

TEST_F(MetricTableTest, HasOneRowAnEpochWithTheLastValues) {
  for (int step = 0; step < 3; ++step) set(0, step, "loss", 3 - step);
  set(1, 3, "loss", 0.5);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,loss\r\n0,2,1\r\n1,3,0.5\r\n");
}

TEST_F(MetricTableTest, PutsTheMeanOfAnEpochBeforeItsSteps) {
  set(0, 0, "loss", 3);
  set(0, 1, "loss", 2.5, true);
  set(0, 1, "loss", 7);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,loss\r\n0,1,2.5\r\n");
}

TEST_F(MetricTableTest, HasOneRowAStepWithoutEpochsAndANewOneWhenAStepGoesBack) {
  set(kNoEpoch, 0, "a", 1);
  set(kNoEpoch, 0, "b", 2);
  set(kNoEpoch, 1, "a", 3);
  set(kNoEpoch, 0, "b", 4);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,a,b\r\n,0,1,2\r\n,1,3,\r\n,0,,4\r\n");
}

TEST_F(MetricTableTest, HasWholeLinesOnDiskAfterEachFlushAndRewritesTheLast) {
  set(0, 0, "loss", 3);
  ASSERT_TRUE(table_.flush().ok());
  EXPECT_EQ(text(), "epoch,step,loss\r\n0,0,3\r\n");
  set(0, 1, "loss", 2);
  ASSERT_TRUE(table_.flush().ok());
  EXPECT_EQ(text(), "epoch,step,loss\r\n0,1,2\r\n");
  set(1, 2, "loss", 1);
  ASSERT_TRUE(table_.flush().ok());
  EXPECT_EQ(text(), "epoch,step,loss\r\n0,1,2\r\n1,2,1\r\n");
}

TEST_F(MetricTableTest, GrowsByColumnsThatComeLater) {
  set(0, 0, "loss", 3);
  ASSERT_TRUE(table_.flush().ok());
  set(0, 1, "val_loss", 2);
  set(1, 2, "loss", 1);
  set(1, 2, "val,\"x\"", NAN);
  ASSERT_TRUE(table_.flush().ok());
  EXPECT_EQ(text(), "epoch,step,loss,val_loss,\"val,\"\"x\"\"\"\r\n0,1,3,2,\r\n1,2,1,,NaN\r\n");
  set(2, 3, "loss", -INFINITY);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,loss,val_loss,\"val,\"\"x\"\"\"\r\n0,1,3,2,\r\n1,2,1,,NaN\r\n2,3,-Infinity,,\r\n");
}

TEST_F(MetricTableTest, PutsTheLossFirstAndSettingsLastOfTheColumnsThatComeTogether) {
  for (const char* name : {"learning_rate", "accuracy", "loss"}) set(0, 0, name, 1);
  ASSERT_TRUE(table_.flush().ok());
  for (const char* name : {"step_seconds", "recall", "loss"}) set(1, 1, name, 2);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,loss,accuracy,learning_rate,recall,step_seconds\r\n0,0,1,1,1,,\r\n1,1,2,,,2,2\r\n");
}

TEST_F(MetricTableTest, WritesOnceTheDiskHasRoomAgain) {
  set(0, 0, "loss", 3);
  ASSERT_TRUE(table_.flush().ok());
  disk_.faults().room_bytes = 0;
  for (int epoch = 1; epoch < 4; ++epoch) {
    set(epoch, epoch, epoch == 2 ? "new" : "loss", epoch);
    EXPECT_FALSE(table_.flush().ok());
  }
  disk_.faults().room_bytes = 10'000;
  ASSERT_TRUE(table_.flush().ok());
  EXPECT_EQ(text(), "epoch,step,loss,new\r\n0,0,3,\r\n1,1,1,\r\n2,2,,2\r\n3,3,3,\r\n");
  EXPECT_EQ(table_.lost_captures(), 0U);
}

TEST_F(MetricTableTest, CountsWhatTheDiskNeverTook) {
  disk_.faults().room_bytes = 0;
  for (int step = 0; step < 5; ++step) set(kNoEpoch, step, "loss", 1);
  EXPECT_FALSE(table_.close().ok());
  EXPECT_EQ(table_.lost_captures(), 5U);
}

TEST_F(MetricTableTest, IsRightAfterAnyOneFailure) {
  const std::string wanted = "epoch,step,a,b\r\n0,0,1,\r\n1,1,2,5\r\n2,2,3,\r\n";
  for (int call = 1;; ++call) {
    MemoryFileSystem memory;
    FailingFileSystem disk(memory);
    MetricTable table(disk, "/m.csv");
    disk.faults().fail_call = call;
    const auto set_one = [&](std::int64_t at, const char* name, double value) {
      table.set(at, at, {name, true, true, false}, value, true);
      (void)table.flush();
    };
    set_one(0, "a", 1);
    set_one(1, "a", 2);
    set_one(1, "b", 5);
    set_one(2, "a", 3);
    const bool was_hit = disk.faults().calls >= call;
    disk.faults().fail_call = 0;
    ASSERT_TRUE(table.close().ok());
    EXPECT_EQ(memory.contents("/m.csv"), wanted) << "call " << call;
    if (!was_hit) break;
  }
}

TEST_F(MetricTableTest, GoesOnInAFileThatIsThere) {
  set(0, 0, "loss", 3);
  set(0, 0, "=x", 1);
  ASSERT_TRUE(table_.close().ok());
  MetricTable again(disk_, "/metrics.csv");
  ASSERT_TRUE(again.resume().ok());
  again.set(1, 1, {"=x", true, true, false}, 2, true);
  again.set(1, 1, {"new", true, true, false}, 4, true);
  ASSERT_TRUE(again.close().ok());
  EXPECT_EQ(text(), "epoch,step,loss,\"'=x\",new\r\n0,0,3,1,\r\n1,1,,2,4\r\n");
}

TEST_F(MetricTableTest, KeepsTheOrderOfAFileThatIsThere) {
  auto file = memory_.create("/metrics.csv").value();
  Bytes piece = bytes_of("epoch,step,learning_rate,loss\r\n0,0,1,2\r\n");
  ASSERT_TRUE(file->append({&piece, 1}).ok());
  ASSERT_TRUE(table_.resume().ok());
  set(1, 1, "loss", 4);
  ASSERT_TRUE(table_.close().ok());
  EXPECT_EQ(text(), "epoch,step,learning_rate,loss\r\n0,0,1,2\r\n1,1,,4\r\n");
}

TEST_F(MetricTableTest, RefusesAnotherTable) {
  auto file = memory_.create("/metrics.csv").value();
  Bytes piece = bytes_of("a,b\n1,2\n");
  ASSERT_TRUE(file->append({&piece, 1}).ok());
  EXPECT_EQ(table_.resume().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tensortap::recorder
