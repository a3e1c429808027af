// Damage is found, named, and costs only itself.
#include "store/file_health.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "event/event.h"
#include "wire/frame_testutil.h"

namespace tensortap::store {
namespace {

class FileHealthTest : public testing::Test {
 protected:
  void SetUp() override {
    whole_ = wire::frame_of(event::encode_file_version(1));
    for (int i = 0; i < 9; ++i) whole_ += wire::frame_of(event::encode_scalar({1, i}, "x", i, nullptr));
  }
  void TearDown() override { std::filesystem::remove(path_); }

  FileHealth check(const std::string& contents) {
    std::ofstream(path_, std::ios::binary) << contents;
    return check_file({path_, ".", RunFileKind::kEvents}).value();
  }

  std::string path_ = testing::TempDir() + "tensortap_file_health_test_" + std::to_string(::getpid()) + ".tfevents";
  std::string whole_;
};

TEST_F(FileHealthTest, AWholeFileIsWhole) {
  FileHealth health = check(whole_);
  EXPECT_EQ(health.records, 10U);
  EXPECT_EQ(health.torn_tail_bytes, 0U);
  EXPECT_TRUE(health.damage.empty());
}

TEST_F(FileHealthTest, EveryTruncationGivesAPrefixAndATornTail) {
  std::uint64_t most = 0;
  for (std::size_t n = 0; n < whole_.size(); ++n) {
    FileHealth health = check(whole_.substr(0, n));
    EXPECT_TRUE(health.damage.empty()) << n;
    EXPECT_GE(health.records, most);
    most = health.records;
  }
  EXPECT_EQ(most, 9U);
}

TEST_F(FileHealthTest, EveryFlippedBitCostsOneRecord) {
  for (std::size_t bit = 0; bit < whole_.size() * 8; bit += 3) {
    std::string damaged = whole_;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    FileHealth health = check(damaged);
    EXPECT_EQ(health.records, 9U) << bit;
    EXPECT_EQ(health.damage.size(), 1U) << bit;
  }
}

TEST_F(FileHealthTest, ZeroesInTheMiddleAreDamageWithAnOffset) {
  std::string damaged = whole_;
  damaged.insert(40, std::string(100, '\0'));
  FileHealth health = check(damaged);
  EXPECT_EQ(health.records, 10U);
  ASSERT_EQ(health.damage.size(), 1U);
  EXPECT_EQ(health.damage[0].offset, 40U);
  EXPECT_EQ(health.damage[0].size_bytes, 100U);
}

TEST_F(FileHealthTest, LengthBombsAndTinyFilesAreTornTails) {
  auto header = wire::encode_header(std::uint64_t{1} << 62);
  std::string bomb(reinterpret_cast<const char*>(header.data()), header.size());
  EXPECT_EQ(check(bomb).torn_tail_bytes, 12U);
  EXPECT_EQ(check("x").torn_tail_bytes, 1U);
  EXPECT_EQ(check("").size_bytes, 0U);
}

TEST_F(FileHealthTest, AMissingFileIsNamed) {
  Status status = check_file({path_ + ".missing", ".", RunFileKind::kEvents}).status();
  EXPECT_EQ(status.code(), StatusCode::kIo);
  EXPECT_NE(status.message().find(".missing"), std::string::npos);
}

}  // namespace
}  // namespace tensortap::store
