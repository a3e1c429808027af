// One suite for every File, and what only some of them do.
#include "base/file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/failing_file.h"
#include "base/memory_file.h"

namespace tensortap {
namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

class PosixFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  std::string directory_ = testing::TempDir() + "tensortap_file_test_" + std::to_string(::getpid());
};

TEST_F(PosixFileTest, AppendsPiecesInOrder) {
  auto file = posix_file_system().create(path("a")).value();
  Bytes pieces[] = {bytes_of("one "), bytes_of(""), bytes_of("two")};
  ASSERT_TRUE(file->append(pieces).ok());
  ASSERT_TRUE(file->sync().ok());
  ASSERT_TRUE(file->close().ok());
  EXPECT_EQ(read_whole(path("a")), "one two");
}

TEST_F(PosixFileTest, TakesMorePiecesThanOneSystemCallDoes) {
  auto file = posix_file_system().create(path("a")).value();
  std::vector<Bytes> pieces(5000, bytes_of("x"));
  ASSERT_TRUE(file->append(pieces).ok());
  EXPECT_EQ(read_whole(path("a")), std::string(5000, 'x'));
}

TEST_F(PosixFileTest, GoesOnWhereItWasCut) {
  auto file = posix_file_system().create(path("a")).value();
  Bytes whole = bytes_of("whole torn"), next = bytes_of("next");
  ASSERT_TRUE(file->append({&whole, 1}).ok());
  ASSERT_TRUE(file->truncate(6).ok());
  ASSERT_TRUE(file->append({&next, 1}).ok());
  EXPECT_EQ(read_whole(path("a")), "whole next");
}

TEST_F(PosixFileTest, RefusesANameThatExists) {
  ASSERT_TRUE(posix_file_system().create(path("a")).ok());
  EXPECT_EQ(posix_file_system().create(path("a")).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(PosixFileTest, ErrorsNameThePathAndTheReason) {
  Status status = posix_file_system().create(path("missing/a")).status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("missing/a"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("No such file"), std::string::npos) << status.message();
}

TEST(MemoryFile, KeepsWhatWasAppended) {
  MemoryFileSystem system;
  auto file = system.create("a").value();
  Bytes piece = bytes_of("abc");
  ASSERT_TRUE(file->append({&piece, 1}).ok());
  ASSERT_TRUE(file->truncate(1).ok());
  EXPECT_EQ(system.contents("a"), "a");
  EXPECT_EQ(system.create("a").status().code(), StatusCode::kInvalidArgument);
}

TEST(FailingFile, WritesWhatFitsOnAFullDisk) {
  MemoryFileSystem memory;
  FailingFileSystem system(memory);
  system.faults().room_bytes = 4;
  auto file = system.create("a").value();
  Bytes piece = bytes_of("abcdef");
  EXPECT_EQ(file->append({&piece, 1}).code(), StatusCode::kIo);
  EXPECT_EQ(memory.contents("a"), "abcd");
  ASSERT_TRUE(file->truncate(0).ok());
  EXPECT_EQ(system.faults().room_bytes.load(), 4);
}

TEST(FailingFile, FailsTheCallItIsTold) {
  MemoryFileSystem memory;
  FailingFileSystem system(memory);
  system.faults().fail_call = 2;
  auto file = system.create("a").value();
  Bytes piece = bytes_of("abc");
  EXPECT_FALSE(file->append({&piece, 1}).ok());
  EXPECT_TRUE(file->append({&piece, 1}).ok());
  EXPECT_EQ(memory.contents("a"), "abc");
}

}  // namespace
}  // namespace tensortap
