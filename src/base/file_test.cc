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

// What every file system does alike, in a directory that is there.
class EveryFileSystem : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_ + "/below/further"); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  FileSystem& system() {
    if (GetParam() == "posix") return posix_file_system();
    if (GetParam() == "memory") return memory_;
    return failing_;
  }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  void write(const std::string& name, std::string_view text) {
    auto file = system().create(path(name)).value();
    Bytes piece = bytes_of(text);
    ASSERT_TRUE(file->append({&piece, 1}).ok());
    ASSERT_TRUE(file->close().ok());
  }
  std::string contents(const std::string& name) { return system().read(path(name), 0, 1000).value(); }

  std::string directory_ = testing::TempDir() + "tensortap_file_systems_" + std::to_string(::getpid());
  MemoryFileSystem memory_;
  FailingFileSystem failing_{memory_};
};
INSTANTIATE_TEST_SUITE_P(FileSystems, EveryFileSystem, testing::Values("posix", "memory", "failing"),
                         [](const auto& one) { return one.param; });

TEST_P(EveryFileSystem, AppendsToAFileThatIsThere) {
  write("a", "one ");
  auto file = system().open(path("a")).value();
  Bytes piece = bytes_of("two");
  ASSERT_TRUE(file->append({&piece, 1}).ok());
  EXPECT_EQ(contents("a"), "one two");
  ASSERT_TRUE(file->truncate(2).ok());
  ASSERT_TRUE(file->append({&piece, 1}).ok());
  EXPECT_EQ(contents("a"), "ontwo");
  EXPECT_EQ(system().size_bytes(path("a")).value(), 5U);
}

TEST_P(EveryFileSystem, ReadsAPieceOfAFile) {
  write("a", "0123456789");
  EXPECT_EQ(system().read(path("a"), 3, 4).value(), "3456");
  EXPECT_EQ(system().read(path("a"), 8, 4).value(), "89");
  EXPECT_EQ(system().read(path("a"), 10, 4).value(), "");
}

TEST_P(EveryFileSystem, RenamesOverAnotherFile) {
  write("a", "new");
  write("b", "old");
  ASSERT_TRUE(system().rename(path("a"), path("b")).ok());
  EXPECT_EQ(contents("b"), "new");
  EXPECT_EQ(system().size_bytes(path("a")).status().code(), StatusCode::kNotFound);
}

TEST_P(EveryFileSystem, RemovesAFileOrFindsItGone) {
  write("a", "x");
  EXPECT_TRUE(system().remove(path("a")).ok());
  EXPECT_TRUE(system().remove(path("a")).ok());
  EXPECT_EQ(system().read(path("a"), 0, 1).status().code(), StatusCode::kNotFound);
}

TEST_P(EveryFileSystem, SaysThatAFileIsNotThere) {
  EXPECT_EQ(system().open(path("a")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(system().size_bytes(path("a")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(system().rename(path("a"), path("b")).code(), StatusCode::kNotFound);
}

TEST_P(EveryFileSystem, ListsFilesDownToADepth) {
  write("b", "");
  write("a", "");
  write("below/c", "");
  write("below/further/d", "");
  using Names = std::vector<std::string>;
  EXPECT_EQ(system().list(directory_, 0).value(), (Names{"a", "b"}));
  EXPECT_EQ(system().list(directory_, 1).value(), (Names{"a", "b", "below/c"}));
  EXPECT_EQ(system().list(directory_, 2).value(), (Names{"a", "b", "below/c", "below/further/d"}));
  EXPECT_EQ(system().list(path("missing"), 1).value(), Names{});
}

TEST(FailingFile, FailsToOpenAndToRenameWhenTold) {
  MemoryFileSystem memory;
  FailingFileSystem system(memory);
  ASSERT_TRUE(system.create("a").ok());
  system.faults().fail_call = 2;
  EXPECT_EQ(system.open("a").status().code(), StatusCode::kIo);
  system.faults().fail_call = 3;
  EXPECT_EQ(system.rename("a", "b").code(), StatusCode::kIo);
  EXPECT_EQ(memory.paths(), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace tensortap
