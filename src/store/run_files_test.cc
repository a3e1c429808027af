// Which files belong to runs, whatever lies about.
#include "store/run_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tensortap::store {
namespace {

namespace fs = std::filesystem;

class RunFilesTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(root_); }
  void TearDown() override { fs::remove_all(root_); }
  void touch(const std::string& name) {
    fs::create_directories(fs::path(root_ + "/" + name).parent_path());
    std::ofstream(root_ + "/" + name) << "";
  }

  std::string root_ = testing::TempDir() + "tensortap_run_files_test_" + std::to_string(::getpid());
};

TEST_F(RunFilesTest, RunsAreDirectoriesBelowTheLogDirectory) {
  touch("events.out.tfevents.1.h.1.0");
  touch("b/train/events.out.tfevents.1.h.1.0");
  touch("b/captures.1.h.1.0.tap");
  touch("b/notes.txt");
  auto found = find_run_files(root_).value();
  ASSERT_EQ(found.files.size(), 3U);
  EXPECT_EQ(found.files[0].run, ".");
  EXPECT_EQ(found.files[1].run, "b");
  EXPECT_EQ(found.files[1].kind, RunFileKind::kCaptures);
  EXPECT_EQ(found.files[2].run, "b/train");
}

TEST_F(RunFilesTest, PipesDirectoriesAndLinksAreNamedAndSkipped) {
  touch("a/events.out.tfevents.1.h.1.0");
  ASSERT_EQ(::mkfifo((root_ + "/a/events.out.tfevents.2.h.1.0").c_str(), 0600), 0);
  fs::create_directories(root_ + "/a/x.tfevents");
  fs::create_directory_symlink(root_, root_ + "/a/loop");
  auto found = find_run_files(root_).value();
  EXPECT_EQ(found.files.size(), 1U);
  EXPECT_EQ(found.unreadable.size(), 3U);
}

TEST_F(RunFilesTest, FollowedLinksAreWalkedOnce) {
  touch("a/events.out.tfevents.1.h.1.0");
  fs::create_directory_symlink(root_, root_ + "/a/loop");
  fs::create_directory_symlink(root_ + "/a", root_ + "/b");
  auto found = find_run_files(root_, Links::kFollow).value();
  EXPECT_GE(found.files.size(), 2U);
  EXPECT_LE(found.files.size(), 8U);
}

TEST_F(RunFilesTest, NamesMayBeAnyBytes) {
  touch("a\xff\xfe/x.tfevents\n");
  auto found = find_run_files(root_).value();
  ASSERT_EQ(found.files.size(), 1U);
  EXPECT_EQ(found.files[0].run, "a\xff\xfe");
}

TEST_F(RunFilesTest, AMissingDirectoryIsNamed) {
  Status status = find_run_files(root_ + "/nowhere").status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_NE(status.message().find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace tensortap::store
