// RecordWriter on good disks, full disks and broken ones.
#include "wire/record_writer.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/failing_file.h"
#include "base/memory_file.h"
#include "wire/frame_testutil.h"

namespace tensortap::wire {
namespace {

Status append(RecordWriter& writer, std::string_view text) {
  Bytes piece = bytes_of(text);
  return writer.append({&piece, 1});
}

TEST(RecordWriter, WritesNothingBeforeFlush) {
  MemoryFileSystem disk;
  RecordWriter writer(disk.create("f").value());
  ASSERT_TRUE(append(writer, "one").ok());
  EXPECT_EQ(disk.contents("f"), "");
  EXPECT_EQ(writer.waiting_records(), 1U);
  ASSERT_TRUE(writer.flush().ok());
  EXPECT_EQ(records_in(disk.contents("f")), std::vector<std::string>{"one"});
  EXPECT_EQ(writer.written_records(), 1U);
  EXPECT_EQ(writer.written_bytes(), disk.contents("f").size());
}

TEST(RecordWriter, JoinsPiecesAndKeepsOrderAroundLargeRecords) {
  MemoryFileSystem disk;
  RecordWriter writer(disk.create("f").value(), {.buffer_bytes = 64});
  std::string large(1000, 'L');
  Bytes pieces[] = {bytes_of("a"), bytes_of("b")};
  ASSERT_TRUE(writer.append(pieces).ok());
  ASSERT_TRUE(append(writer, large).ok());
  ASSERT_TRUE(append(writer, "after").ok());
  ASSERT_TRUE(writer.close().ok());
  EXPECT_EQ(records_in(disk.contents("f")), (std::vector<std::string>{"ab", large, "after"}));
}

TEST(RecordWriter, FullDiskLeavesWholeRecordsAndGoesOnWhenThereIsRoom) {
  MemoryFileSystem memory;
  FailingFileSystem disk(memory);
  RecordWriter writer(disk.create("f").value(), {.buffer_bytes = 64, .max_unwritten_bytes = 200, .retry_ms = 0});
  disk.faults().room_bytes = 100;
  int taken = 0;
  for (int i = 0; i < 50; ++i) taken += append(writer, "record " + std::to_string(i)).ok() ? 1 : 0;
  EXPECT_LT(taken, 50);
  EXPECT_FALSE(writer.flush().ok());
  for (const std::string& record : records_in(memory.contents("f"))) EXPECT_EQ(record.rfind("record ", 0), 0U);

  disk.faults().room_bytes = 1 << 20;
  ASSERT_TRUE(writer.flush().ok());
  ASSERT_TRUE(append(writer, "later").ok());
  ASSERT_TRUE(writer.close().ok());
  auto records = records_in(memory.contents("f"));
  EXPECT_EQ(records.size(), static_cast<std::size_t>(taken) + 1);
  EXPECT_EQ(records.back(), "later");
  EXPECT_EQ(writer.written_records(), records.size());
}

TEST(RecordWriter, LargeRecordThatDoesNotFitIsNotThereAtAll) {
  MemoryFileSystem memory;
  FailingFileSystem disk(memory);
  RecordWriter writer(disk.create("f").value(), {.buffer_bytes = 64});
  ASSERT_TRUE(append(writer, "small").ok());
  ASSERT_TRUE(writer.flush().ok());
  disk.faults().room_bytes = 500;
  Status status = append(writer, std::string(1000, 'L'));
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("No space left"), std::string::npos);
  EXPECT_EQ(records_in(memory.contents("f")), std::vector<std::string>{"small"});
}

TEST(RecordWriter, AnyOneFailingCallCostsNoTakenRecord) {
  for (int fail = 2;; ++fail) {
    MemoryFileSystem memory;
    FailingFileSystem disk(memory);
    RecordWriter writer(disk.create("f").value(), {.buffer_bytes = 40, .retry_ms = 0});
    disk.faults().fail_call = fail;
    std::vector<std::string> taken;
    for (int i = 0; i < 8; ++i) {
      std::string text = i % 3 == 2 ? std::string(100, static_cast<char>('a' + i)) : std::to_string(i);
      if (append(writer, text).ok()) taken.push_back(text);
    }
    (void)writer.flush();
    (void)writer.close();
    EXPECT_EQ(records_in(memory.contents("f")), taken) << "failing call " << fail;
    if (disk.faults().calls < fail) break;  // the fault was never reached: all calls have had their turn
  }
}

}  // namespace
}  // namespace tensortap::wire
