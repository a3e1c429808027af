// The queue's promises: its limit, its counts, its order, its end.
#include "recorder/capture_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace tensortap::recorder {
namespace {

QueuedCapture capture_of(std::int64_t step, std::uint64_t bytes = 10) {
  QueuedCapture capture;
  capture.step = step;
  capture.bytes = bytes;
  return capture;
}

TEST(CaptureQueue, KeepsOrderAndTimesNeverRunBackwards) {
  CaptureQueue queue(RunOptions{});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(queue.offer(capture_of(i)), Admission::kAdmitted);
  Batch batch;
  queue.take(batch);
  ASSERT_EQ(batch.captures.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(batch.captures[i].step, static_cast<std::int64_t>(i));
    if (i > 0) {
      EXPECT_GE(batch.captures[i].wall_secs, batch.captures[i - 1].wall_secs);
    }
  }
}

TEST(CaptureQueue, DropsAndCountsWhatDoesNotFit) {
  CaptureQueue queue(RunOptions{.queue_bytes = 100});
  int admitted = 0;
  for (int i = 0; i < 25; ++i) admitted += queue.offer(capture_of(i)) == Admission::kAdmitted ? 1 : 0;
  EXPECT_EQ(admitted, 10);
  EXPECT_EQ(queue.offer(capture_of(0, 101)), Admission::kTooLarge);
  QueueCounts counts = queue.counts();
  EXPECT_EQ(counts.offered, 26U);
  EXPECT_EQ(counts.dropped, 16U);
  EXPECT_EQ(counts.queue_bytes, 100U);
}

TEST(CaptureQueue, TakenBytesCountUntilTheyAreReleased) {
  CaptureQueue queue(RunOptions{.queue_bytes = 100});
  ASSERT_EQ(queue.offer(capture_of(0, 100)), Admission::kAdmitted);
  Batch batch;
  queue.take(batch);
  EXPECT_EQ(queue.offer(capture_of(1, 1)), Admission::kFull);
  queue.release(100);
  EXPECT_EQ(queue.offer(capture_of(1, 1)), Admission::kAdmitted);
}

TEST(CaptureQueue, WaitingForRoomEndsWhenRoomAppears) {
  CaptureQueue queue(RunOptions{.queue_bytes = 100, .when_full = WhenFull::kWait, .wait_ms = 60'000});
  ASSERT_EQ(queue.offer(capture_of(0, 100)), Admission::kAdmitted);
  std::thread worker([&] {
    Batch batch;
    queue.take(batch);
    queue.release(100);
  });
  EXPECT_EQ(queue.offer(capture_of(1, 50)), Admission::kAdmitted);
  worker.join();
}

TEST(CaptureQueue, WaitingForRoomEndsAfterItsLimit) {
  CaptureQueue queue(RunOptions{.queue_bytes = 100, .when_full = WhenFull::kWait, .wait_ms = 20});
  ASSERT_EQ(queue.offer(capture_of(0, 100)), Admission::kAdmitted);
  EXPECT_EQ(queue.offer(capture_of(1, 50)), Admission::kFull);
}

TEST(CaptureQueue, FlushReturnsWhenTheWorkerHasPassedIt) {
  CaptureQueue queue(RunOptions{.flush_ms = 60'000});
  ASSERT_EQ(queue.offer(capture_of(0)), Admission::kAdmitted);
  std::size_t seen = 0;
  std::thread worker([&] {
    Batch batch;
    queue.take(batch);
    seen = batch.captures.size();
    EXPECT_TRUE(batch.sync);
    queue.finish_flush(batch.flush_ticket, Status(StatusCode::kIo, "disk"));
  });
  EXPECT_EQ(queue.flush(true).message(), "disk");
  worker.join();
  EXPECT_EQ(seen, 1U);
}

TEST(CaptureQueue, AReservationThatComesTooLateIsCountedAsDropped) {
  CaptureQueue queue(RunOptions{});
  ASSERT_EQ(queue.reserve(10), Admission::kAdmitted);
  std::thread worker([&] { queue.finish_close(); });
  EXPECT_TRUE(queue.close(60'000));
  worker.join();
  queue.push(capture_of(0));
  QueueCounts counts = queue.counts();
  EXPECT_EQ(counts.offered, 1U);
  EXPECT_EQ(counts.dropped, 1U);
  EXPECT_EQ(counts.queue_bytes, 0U);
  EXPECT_EQ(queue.offer(capture_of(1)), Admission::kClosed);
}

TEST(CaptureQueue, CloseGivesUpOnAWorkerThatDoesNotAnswer) {
  CaptureQueue queue(RunOptions{});
  EXPECT_FALSE(queue.close(10));
}

}  // namespace
}  // namespace tensortap::recorder
