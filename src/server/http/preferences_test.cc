// Preferences: patches, and places where nothing can be kept.
#include "server/http/preferences.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tensortap::server {
namespace {

namespace fs = std::filesystem;

class PreferencesTest : public testing::Test {
 protected:
  PreferencesTest() {
    std::string name = testing::TempDir() + "preferencesXXXXXX";
    root_ = ::mkdtemp(name.data());
    fs::create_directories(root_ / "runs");
  }
  ~PreferencesTest() override { fs::remove_all(root_); }

  Preferences open(const char* config = "config", const char* logs = "runs") const {
    return Preferences((root_ / config).string(), (root_ / logs).string());
  }

  fs::path root_;
};

constexpr const char* kEmpty = R"({"colors":{},"muted":[],"notes":{},"pins":[]})";

TEST_F(PreferencesTest, AreEmptyAtFirstAndWriteNothing) {
  EXPECT_EQ(open().get().value(), kEmpty);
  EXPECT_FALSE(fs::exists(root_ / "config"));
}

TEST_F(PreferencesTest, PatchesAddChangeAndRemove) {
  Preferences preferences = open();
  EXPECT_TRUE(preferences.patch(R"({"notes":{"a":"first","b":"größer"},"pins":["x","y"]})").ok());
  EXPECT_TRUE(preferences.patch(R"({"notes":{"a":null},"pins":["z"],"colors":{"b":3}})").ok());
  EXPECT_EQ(open().get().value(), R"({"colors":{"b":3},"muted":[],"notes":{"b":"größer"},"pins":["z"]})");
}

TEST_F(PreferencesTest, BelongToOneLogDirectoryByItsRealPath) {
  fs::create_directories(root_ / "others");
  fs::create_directory_symlink(root_ / "runs", root_ / "link");
  EXPECT_TRUE(open().patch(R"({"pins":["x"]})").ok());
  EXPECT_EQ(open("config", "others").get().value(), kEmpty);
  EXPECT_NE(open("config", "link").get().value(), kEmpty);
  EXPECT_NE(open("config", "others/../runs/").get().value(), kEmpty);
}

TEST_F(PreferencesTest, AreForTheUserAlone) {
  Preferences preferences = open();
  ASSERT_TRUE(preferences.patch(R"({"pins":["x"]})").ok());
  struct stat info{};
  ASSERT_EQ(::stat(preferences.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(preferences.path()).parent_path()), fs::directory_iterator()),
            1);
}

TEST_F(PreferencesTest, BadPatchesAreRefused) {
  Preferences preferences = open();
  const std::string deep = std::string(60'000, '[');
  for (const std::string& bad : {std::string(), std::string("{"), std::string("[]"), std::string("1"),
                                 std::string("null"), std::string("{\"notes\":\"\xff\"}"), deep, "{\"a\":" + deep}) {
    EXPECT_EQ(preferences.patch(bad).status().code(), StatusCode::kInvalidArgument) << bad.substr(0, 20);
  }
  EXPECT_FALSE(fs::exists(root_ / "config"));
}

TEST_F(PreferencesTest, AreAtMostAMegabyte) {
  Preferences preferences = open();
  Status status;
  for (int i = 0; i < 40 && status.ok(); ++i) {
    status =
        preferences.patch("{\"notes\":{\"" + std::to_string(i) + "\":\"" + std::string(60'000, 'x') + "\"}}").status();
  }
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(preferences.get().ok());
}

TEST_F(PreferencesTest, ADamagedDocumentIsToldAndKept) {
  Preferences preferences = open();
  ASSERT_TRUE(preferences.patch(R"({"pins":["x"]})").ok());
  std::ofstream(preferences.path()) << "{\"preferences\": [";
  EXPECT_EQ(preferences.get().status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(preferences.patch(R"({"pins":[]})").status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(fs::file_size(preferences.path()), 17U);
}

TEST_F(PreferencesTest, NothingIsWrittenIntoALogDirectory) {
  for (const char* config : {"runs", "runs/config"}) {
    Preferences preferences = open(config);
    EXPECT_EQ(preferences.get().value(), kEmpty);
    EXPECT_EQ(preferences.patch(R"({"pins":["x"]})").status().code(), StatusCode::kIo);
  }
  EXPECT_TRUE(fs::is_empty(root_ / "runs"));
}

TEST_F(PreferencesTest, AConfigDirectoryThatIsAFileIsToldAndViewingGoesOn) {
  std::ofstream(root_ / "config") << "x";
  Preferences preferences = open();
  const Status status = preferences.patch(R"({"pins":["x"]})").status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find("not kept"), std::string::npos);
  EXPECT_EQ(preferences.get().value(), kEmpty);
}

}  // namespace
}  // namespace tensortap::server
