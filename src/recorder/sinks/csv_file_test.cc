// Tests of CsvFile: what is in the file after each call, also on a disk that fails.
#include "recorder/sinks/csv_file.h"

#include <gtest/gtest.h>

#include "base/failing_file.h"
#include "base/memory_file.h"

namespace tensortap::recorder {
namespace {

class CsvFileTest : public testing::Test {
 protected:
  std::string text() const { return memory_.contents("/a.csv"); }
  void put(std::string_view contents) {
    auto file = memory_.create("/a.csv").value();
    Bytes piece = bytes_of(contents);
    ASSERT_TRUE(file->append({&piece, 1}).ok());
  }

  MemoryFileSystem memory_;
  FailingFileSystem disk_{memory_};
  CsvFile file_{disk_, "/a.csv"};
};

TEST_F(CsvFileTest, ReplacesTheLineThatIsNotKept) {
  ASSERT_TRUE(file_.create("a,b\r\n").ok());
  ASSERT_TRUE(file_.write("", "1,2\r\n").ok());
  EXPECT_EQ(text(), "a,b\r\n1,2\r\n");
  ASSERT_TRUE(file_.write("1,3\r\n", "2,2\r\n").ok());
  EXPECT_EQ(text(), "a,b\r\n1,3\r\n2,2\r\n");
  ASSERT_TRUE(file_.write("", "").ok());
  EXPECT_EQ(text(), "a,b\r\n1,3\r\n");
}

TEST_F(CsvFileTest, KeepsAllOrNothingOfAppendedLines) {
  ASSERT_TRUE(file_.create("a\r\n").ok());
  ASSERT_TRUE(file_.append("1\r\n").ok());
  ASSERT_TRUE(file_.append("2\r\n").ok());
  file_.keep();
  ASSERT_TRUE(file_.append("3\r\n").ok());
  ASSERT_TRUE(file_.cut().ok());
  EXPECT_EQ(text(), "a\r\n1\r\n2\r\n");
}

TEST_F(CsvFileTest, WidensEveryLineAndGoesOn) {
  ASSERT_TRUE(file_.create("a\r\n").ok());
  ASSERT_TRUE(file_.write("1\r\n\"x\r\ny\"\r\n", "2\r\n").ok());
  ASSERT_TRUE(file_.widen("a,b\r\n", 1, "3,3\r\n", "4,4\r\n").ok());
  EXPECT_EQ(text(), "a,b\r\n1,\r\n\"x\r\ny\",\r\n3,3\r\n4,4\r\n");
  ASSERT_TRUE(file_.write("5,5\r\n", "").ok());
  EXPECT_EQ(text(), "a,b\r\n1,\r\n\"x\r\ny\",\r\n3,3\r\n5,5\r\n");
  EXPECT_EQ(memory_.paths(), std::vector<std::string>{"/a.csv"});
}

TEST_F(CsvFileTest, WidensAFileThatIsLargerThanOnePiece) {
  ASSERT_TRUE(file_.create("a\r\n").ok());
  std::string lines, wider = "a,b\r\n";
  for (int i = 0; i < 300'000; ++i) {
    lines += std::to_string(i) + "\r\n";
    wider += std::to_string(i) + ",\r\n";
  }
  ASSERT_TRUE(file_.write(lines, "").ok());
  ASSERT_TRUE(file_.widen("a,b\r\n", 1, "", "").ok());
  EXPECT_EQ(text(), wider);
}

TEST_F(CsvFileTest, LeavesTheOldFileAloneWheneverWideningFails) {
  ASSERT_TRUE(file_.create("a\r\n").ok());
  ASSERT_TRUE(file_.write("1\r\n", "2\r\n").ok());
  int failures = 0;
  for (int call = 1;; ++call) {
    disk_.faults().fail_call = disk_.faults().calls.load() + call;
    const Status status = file_.widen("a,b\r\n", 1, "3,3\r\n", "");
    if (status.ok()) break;
    ++failures;
    EXPECT_EQ(text(), "a\r\n1\r\n2\r\n") << call;
    EXPECT_EQ(memory_.paths(), std::vector<std::string>{"/a.csv"});
  }
  EXPECT_GE(failures, 5);
  disk_.faults().fail_call = 0;
  EXPECT_EQ(text(), "a,b\r\n1,\r\n3,3\r\n");
  ASSERT_TRUE(file_.write("4,4\r\n", "").ok());
  EXPECT_EQ(text(), "a,b\r\n1,\r\n3,3\r\n4,4\r\n");
}

TEST_F(CsvFileTest, IsCutBackToWholeLinesOnAFullDisk) {
  ASSERT_TRUE(file_.create("a,b\r\n").ok());
  disk_.faults().room_bytes = 8;
  ASSERT_TRUE(file_.write("1,2\r\n", "").ok());
  EXPECT_EQ(file_.write("3,4\r\n", "").code(), StatusCode::kIo);
  EXPECT_EQ(text(), "a,b\r\n1,2\r\n");
  disk_.faults().room_bytes = 100;
  ASSERT_TRUE(file_.write("3,4\r\n", "").ok());
  EXPECT_EQ(text(), "a,b\r\n1,2\r\n3,4\r\n");
}

TEST_F(CsvFileTest, LeavesNoHalfHeadsBehind) {
  disk_.faults().room_bytes = 2;
  EXPECT_EQ(file_.create("a,b\r\n").code(), StatusCode::kIo);
  EXPECT_TRUE(memory_.paths().empty());
}

TEST_F(CsvFileTest, ResumesBehindTheLastWholeLine) {
  put("a,b\r\n1,2\r\n3,");
  ASSERT_TRUE(file_.resume().ok());
  EXPECT_EQ(file_.heads(), "a,b\r\n");
  ASSERT_TRUE(file_.write("5,6\r\n", "").ok());
  EXPECT_EQ(text(), "a,b\r\n1,2\r\n5,6\r\n");
}

TEST_F(CsvFileTest, ResumesAFileCutAtAnyByteWithTheLinesThatWereWhole) {
  const std::string whole = "a,b\r\n1,\"x,\"\"y\"\r\n22,\r\n";
  for (std::size_t cut = 1; cut < whole.size(); ++cut) {
    MemoryFileSystem memory;
    const std::string torn = whole.substr(0, cut);
    auto file = memory.create("/b.csv").value();
    Bytes piece = bytes_of(torn);
    ASSERT_TRUE(file->append({&piece, 1}).ok());
    CsvFile resumed(memory, "/b.csv");
    const std::size_t end = torn.rfind('\n');
    if (end == std::string::npos) {
      EXPECT_EQ(resumed.resume().code(), StatusCode::kInvalidArgument) << cut;
      EXPECT_EQ(memory.contents("/b.csv"), torn);
      continue;
    }
    ASSERT_TRUE(resumed.resume().ok()) << cut;
    ASSERT_TRUE(resumed.widen("a,b,c\r\n", 1, "3,4,5\r\n", "").ok());
    std::string wanted = torn.substr(0, end + 1) + "3,4,5\r\n";
    for (std::size_t at = 0; (at = wanted.find("\r\n", at)) != std::string::npos; at += 3) wanted.insert(at, ",");
    wanted.replace(0, 4, "a,b,c");
    wanted.replace(wanted.size() - 3, 1, "");
    EXPECT_EQ(memory.contents("/b.csv"), wanted) << cut;
  }
}

TEST_F(CsvFileTest, TakesAnEmptyFileForNone) {
  put("");
  EXPECT_EQ(file_.resume().code(), StatusCode::kNotFound);
  EXPECT_TRUE(file_.create("a\r\n").ok());
}

}  // namespace
}  // namespace tensortap::recorder
