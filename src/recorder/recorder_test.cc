// The recorder on disks that fill up, break, or do not answer; and with many threads.
#include "recorder/recorder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/failing_file.h"
#include "base/memory_file.h"
#include "event/capture.h"
#include "event/event.h"
#include "wire/frame_testutil.h"

namespace tensortap::recorder {
namespace {

// The records of all files whose name holds `part`, checked to be whole.
std::vector<std::string> records_of(const MemoryFileSystem& disk, std::string_view part) {
  std::vector<std::string> records;
  for (const std::string& path : disk.paths()) {
    if (path.find(part) == std::string::npos) continue;
    for (std::string& record : wire::records_in(disk.contents(path))) records.push_back(std::move(record));
  }
  return records;
}

std::size_t scalar_count(const MemoryFileSystem& disk) {
  std::size_t scalars = 0;
  for (const std::string& record : records_of(disk, "tfevents")) {
    scalars += event::decode_event(bytes_of(record)).value().values.size();
  }
  return scalars;
}

class RecorderTest : public testing::Test {
 protected:
  // The directory is claimed on the real disk; only its files are played.
  void TearDown() override { std::filesystem::remove_all(path_); }
  void SetUp() override { std::filesystem::create_directories(path_); }

  std::string path_ = testing::TempDir() + "tensortap_recorder_test_" + std::to_string(::getpid());
  MemoryFileSystem memory_;
  FailingFileSystem disk_{memory_};
};

TEST_F(RecorderTest, WritesByItselfWithinTheFlushTime) {
  auto channel = Channel::open(path_, {.flush_ms = 20}, disk_).value();
  ASSERT_TRUE(channel->scalar("x", 1, 0).ok());
  for (int i = 0; i < 500 && scalar_count(memory_) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(scalar_count(memory_), 1U);
  (void)channel->close(true);
}

TEST_F(RecorderTest, AFullDiskIsCountedAndRecordingGoesOnWhenThereIsRoomAgain) {
  auto channel = Channel::open(path_, {}, disk_).value();
  std::vector<float> values(100'000, 1.5F);
  disk_.faults().room_bytes = 300'000;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(channel->tensor("t", view(values), i, Phase::kNone).ok());
  const Status lost = channel->flush();
  EXPECT_NE(lost.message().find("offered since the last flush were dropped"), std::string::npos) << lost.message();
  RunReport full = channel->report();
  EXPECT_GT(full.dropped, 0U);
  EXPECT_EQ(full.offered, 10U);
  EXPECT_NE(channel->status().message().find("No space left"), std::string::npos) << channel->status().message();

  disk_.faults().room_bytes = 1 << 30;
  ASSERT_TRUE(channel->tensor("t", view(values), 10, Phase::kNone).ok());
  EXPECT_TRUE(channel->flush().ok());
  (void)channel->close(true);
  RunReport report = channel->report();
  EXPECT_EQ(report.offered, 11U);
  EXPECT_EQ(report.written + report.dropped, report.offered);
  std::size_t tensors = 0, losses = 0;
  for (const std::string& record : records_of(memory_, ".tap")) {
    event::CaptureBody body = event::decode_capture(bytes_of(record)).value().body;
    tensors += std::holds_alternative<event::CapturedTensor>(body) ? 1 : 0;
    losses += std::holds_alternative<event::CaptureLoss>(body) ? 1 : 0;
  }
  EXPECT_EQ(tensors, report.written);
  EXPECT_GT(losses, 0U);
}

TEST_F(RecorderTest, EveryFailingCallLeavesWholeRecordsAndExactCounts) {
  for (int fail = 2;; ++fail) {
    MemoryFileSystem memory;
    FailingFileSystem disk(memory);
    disk.faults().fail_call = fail;
    auto opened = Channel::open(path_ + "/" + std::to_string(fail), {.close_ms = 60'000}, disk);
    if (!opened.ok()) continue;  // the first write of all: Run() itself says so
    auto channel = std::move(opened).value();
    std::vector<float> values(50'000, 1);
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(channel->scalar("x", i, i).ok());
      ASSERT_TRUE(channel->tensor("t", view(values), i, Phase::kNone).ok());
      if (i == 2) (void)channel->flush();
    }
    (void)channel->close(true);
    RunReport report = channel->report();
    EXPECT_EQ(report.offered, 10U);
    EXPECT_EQ(report.written + report.dropped, 10U) << "failing call " << fail;
    EXPECT_EQ(report.waiting, 0U);
    std::size_t tensors = 0;
    for (const std::string& record : records_of(memory, ".tap")) {
      tensors += std::holds_alternative<event::CapturedTensor>(event::decode_capture(bytes_of(record)).value().body);
    }
    EXPECT_EQ(tensors + scalar_count(memory), report.written) << "failing call " << fail;
    if (disk.faults().calls < fail) break;
  }
}

TEST_F(RecorderTest, AStuckDiskNeitherBlocksTheTrainerNorGrows) {
  auto channel = Channel::open(path_, {.queue_bytes = 1 << 20, .flush_ms = 10, .close_ms = 50}, disk_).value();
  disk_.faults().blocked = true;
  std::vector<float> values(10'000, 1);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(channel->tensor("t", view(values), i, Phase::kNone).ok());
  RunReport report = channel->report();
  EXPECT_LE(report.peak_queue_bytes, 1U << 20);
  EXPECT_GT(report.dropped, 0U);
  Status closed = channel->close(true);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_FALSE(closed.ok());
  disk_.faults().blocked = false;  // lets the worker end before the disk goes
  for (int i = 0; i < 1000 && channel->report().waiting > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

TEST_F(RecorderTest, StrictReportsAFullQueueFromTheCall) {
  auto channel =
      Channel::open(path_, {.queue_bytes = 100'000, .when_full = WhenFull::kStrict, .wait_ms = 1}, disk_).value();
  std::vector<float> values(100'000, 1);
  Status status = channel->tensor("t", view(values), 3, Phase::kNone);
  EXPECT_NE(status.message().find("'t' at step 3 was dropped"), std::string::npos) << status.message();
  EXPECT_FALSE(channel->scalar("x", 1, 0).ok());  // it stays an error
}

TEST_F(RecorderTest, ManyThreadsLoseNothing) {
  auto channel = Channel::open(path_, {}, disk_).value();
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      const std::string tag = "thread" + std::to_string(t % 4);
      for (int i = 0; i < 2000; ++i) (void)channel->scalar(tag, i, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(channel->close(true).ok());
  EXPECT_EQ(scalar_count(memory_), 32'000U);
  EXPECT_EQ(channel->report().written, 32'000U);
}

TEST_F(RecorderTest, WallTimesOfAFileNeverRunBackwards) {
  auto channel = Channel::open(path_, {}, disk_).value();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) (void)channel->scalar("x", i, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  (void)channel->close(true);
  double last = 0;
  for (const std::string& record : records_of(memory_, "tfevents")) {
    double now = event::decode_event(bytes_of(record)).value().time.wall_secs;
    EXPECT_GE(now, last);
    last = now;
  }
}

#if !defined(__SANITIZE_THREAD__)  // TSan does not follow threads through fork()
TEST_F(RecorderTest, AForkedChildNeverTouchesTheParentsFiles) {
  auto channel = Channel::open(path_, {}).value();
  ASSERT_TRUE(channel->scalar("x", 1, 0).ok());
  pid_t child = ::fork();
  if (child == 0) {
    bool ok = channel->scalar("x", 2, 1).ok() && channel->flush().ok() && channel->close(true).ok();
    ::_exit(ok && channel->report().dropped == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(channel->scalar("x", 3, 2).ok());
  ASSERT_TRUE(channel->close(true).ok());
  EXPECT_EQ(channel->report().written, 2U);
}
#endif

}  // namespace
}  // namespace tensortap::recorder
