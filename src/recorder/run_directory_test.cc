// Which directory a run gets, by mode.
#include "recorder/run_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tensortap/run.h"

namespace tensortap::recorder {
namespace {

namespace fs = std::filesystem;

class RunDirectory : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  void TearDown() override { fs::remove_all(root_); }

  Result<ClaimedDirectory> claim(const std::string& name, RunMode mode) {
    return claim_directory(posix_file_system(), root_ + "/" + name, mode, 1.7e9);
  }

  std::string root_ = testing::TempDir() + "tensortap_run_directory_test_" + std::to_string(::getpid());
};

TEST_F(RunDirectory, NewTakesANumberedSibling) {
  auto first = claim("a", RunMode::kNew).value();
  auto second = claim("a", RunMode::kNew).value();
  auto third = claim("a/", RunMode::kNew).value();
  EXPECT_EQ(first.path, root_ + "/a");
  EXPECT_TRUE(first.notes.empty());
  EXPECT_EQ(second.path, root_ + "/a-2");
  EXPECT_EQ(second.notes.at(0), root_ + "/a holds a run already; recording to " + root_ + "/a-2");
  EXPECT_EQ(third.path, root_ + "/a-3");
}

TEST_F(RunDirectory, NewTakesAnEmptyDirectoryAndOneThatHoldsOtherRunsBelow) {
  fs::create_directories(root_ + "/log");
  EXPECT_EQ(claim("log", RunMode::kNew).value().path, root_ + "/log");
  ASSERT_TRUE(claim("other/a", RunMode::kNew).ok());
  EXPECT_EQ(claim("other", RunMode::kNew).value().path, root_ + "/other");
}

TEST_F(RunDirectory, NewLeavesAloneWhatKerasTensorBoardCallbackWrote) {
  fs::create_directories(root_ + "/fit/train");
  std::ofstream(root_ + "/fit/train/events.out.tfevents.1.host.1.0.v2") << "";
  EXPECT_EQ(claim("fit", RunMode::kNew).value().path, root_ + "/fit-2");
}

TEST_F(RunDirectory, NewGivesEveryThreadItsOwnDirectory) {
  std::vector<std::thread> threads;
  std::vector<std::string> paths(16);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    threads.emplace_back([&, i] { paths[i] = claim("busy", RunMode::kNew).value().path; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), paths.size());
}

TEST_F(RunDirectory, ResumeAndJoinAddAFile) {
  ASSERT_TRUE(claim("a", RunMode::kNew).ok());
  EXPECT_EQ(claim("a", RunMode::kResume).value().path, root_ + "/a");
  EXPECT_EQ(claim("a", RunMode::kJoin).value().path, root_ + "/a");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ + "/a"), fs::directory_iterator()), 3);
}

TEST_F(RunDirectory, OverwriteDeletesTheRunAndNothingElse) {
  ASSERT_TRUE(claim("a", RunMode::kNew).ok());
  ASSERT_TRUE(claim("a/val", RunMode::kNew).ok());
  std::ofstream(root_ + "/a/notes.txt") << "mine";
  auto claimed = claim("a", RunMode::kOverwrite).value();
  EXPECT_NE(claimed.notes.at(0).find("deleted 2 files"), std::string::npos) << claimed.notes[0];
  EXPECT_TRUE(fs::exists(root_ + "/a/notes.txt"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ + "/a/val"), fs::directory_iterator()), 0);
}

TEST_F(RunDirectory, OverwriteRefusesADirectoryThatIsNoRun) {
  fs::create_directories(root_ + "/photos");
  std::ofstream(root_ + "/photos/cat.jpg") << "cat";
  Status status = claim("photos", RunMode::kOverwrite).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(fs::exists(root_ + "/photos/cat.jpg"));
}

TEST_F(RunDirectory, OverwriteRefusesALogDirectoryWithOtherRunsInIt) {
  ASSERT_TRUE(claim("log", RunMode::kNew).ok());
  ASSERT_TRUE(claim("log/mine", RunMode::kNew).ok());
  Status status = claim("log", RunMode::kOverwrite).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("log/mine"), std::string::npos) << status.message();
  EXPECT_EQ(std::distance(fs::directory_iterator(root_ + "/log/mine"), fs::directory_iterator()), 1);
}

TEST_F(RunDirectory, APathThatCannotBeWrittenIsNamedWithItsReason) {
  std::ofstream(root_ + "/file") << "x";
  Status status = claim("file/run", RunMode::kNew).status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find(root_ + "/file/run"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("Not a directory"), std::string::npos) << status.message();
}

TEST_F(RunDirectory, TimeStampedRunsNeverShareADirectory) {
  std::set<std::string> paths;
  for (int i = 0; i < 5; ++i) paths.insert(new_run_directory(root_, "mlp").value());
  EXPECT_EQ(paths.size(), 5U);
  for (const std::string& path : paths) EXPECT_TRUE(fs::is_directory(path));
}

}  // namespace
}  // namespace tensortap::recorder
