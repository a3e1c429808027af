// A cache entry is believed when it fits, and harmless when it does not.
#include "store/index_cache.h"

#include "event/capture.h"
#include "store/index_codec.h"
#include "store/temp_logs_testutil.h"

namespace tensortap::store {
namespace {

class IndexCacheTest : public TempLogs {
 protected:
  void SetUp() override {
    TempLogs::SetUp();
    cache_ = root_ + "_cache";
    std::filesystem::remove_all(cache_);
    bytes_ = version() + wire::frame_of(event::encode_session_start({1, 0}));
    for (int i = 0; i < 9000; ++i) bytes_ += scalar(i, i / 3.0, i % 2 == 0 ? "loss" : "accuracy", i, i < 2);
    const std::string text = "a note";
    bytes_ += wire::frame_of(event::encode_strings({1, 7}, "note", std::span(&text, 1), {}, nullptr));
    write(name_, bytes_);
    logs_ = load_cached();
    logs_->save_index();
    for (const auto& each : std::filesystem::directory_iterator(cache_ + "/index")) entry_ = each.path();
    ASSERT_FALSE(entry_.empty());
  }
  void TearDown() override {
    TempLogs::TearDown();
    std::filesystem::remove_all(cache_);
  }

  std::unique_ptr<LogDirectory> load_cached() {
    return load({.threads = 1, .cache_directory = cache_, .links = Links::kInside});
  }
  // How much of the file had to be read, beyond what the cache knew.
  static std::uint64_t bytes_read(const LogDirectory& logs) { return logs.progress().read_bytes; }

  void expect_whole(const LogDirectory& logs) {
    auto file = logs.snapshot()->files.at(0);
    EXPECT_EQ(values_of(*file, "loss"), values_of(*logs_->snapshot()->files.at(0), "loss"));
    EXPECT_EQ(values_of(*file, "loss").size(), 4500U);
    file->read([](const FileContents& contents) {
      EXPECT_EQ(contents.notes.records, 9003U);
      ASSERT_EQ(contents.notes.session_starts.size(), 1U);
      ASSERT_NE(contents.find("note", Kind::kTensors), nullptr);
      EXPECT_EQ(contents.find("note", Kind::kTensors)->entries.at(0).step, 7);
      ASSERT_NE(contents.find("loss")->info, nullptr);
      EXPECT_EQ(contents.find("loss")->info->plugin, "scalars");
    });
  }

  const std::string name_{kEventsName};
  std::string cache_;
  std::string bytes_;
  std::filesystem::path entry_;
  std::unique_ptr<LogDirectory> logs_;
};

TEST_F(IndexCacheTest, ASecondStartReadsNothing) {
  auto again = load_cached();
  EXPECT_EQ(bytes_read(*again), 0U);
  expect_whole(*again);
}

TEST_F(IndexCacheTest, WhatWasAddedIsReadOnTop) {
  append(name_, scalar(20000, 5, "loss"));
  auto again = load_cached();
  EXPECT_EQ(bytes_read(*again), scalar(20000, 5, "loss").size());
  EXPECT_EQ(values_of(*again->snapshot()->files.at(0), "loss").size(), 4501U);
}

TEST_F(IndexCacheTest, AnotherFileOfTheSameNameIsReadAnew) {
  std::string other = bytes_;
  std::filesystem::remove(path(name_));
  write(name_, version() + scalar(0, 42, "loss"));
  EXPECT_EQ(values_of(*load_cached()->snapshot()->files.at(0), "loss"), std::vector<double>{42});
  // Same inode, same size, another end.
  other.back() = static_cast<char>(other.back() ^ 1);
  write(name_, other);
  auto again = load_cached();
  EXPECT_EQ(bytes_read(*again), other.size());
}

TEST_F(IndexCacheTest, AFileChangedInItsMiddleIsReadAnew) {
  const auto written = std::filesystem::last_write_time(path(name_));
  std::fstream file(path(name_), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(bytes_.size() / 2)).put('\x7f');
  file.close();
  // Also where the change falls into the same tick.
  std::filesystem::last_write_time(path(name_), written + std::chrono::milliseconds(1));
  EXPECT_EQ(bytes_read(*load_cached()), bytes_.size());
}

TEST_F(IndexCacheTest, NoDamageToAnEntryIsBelieved) {
  std::ifstream in(entry_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t i = 0; i < whole.size(); i += 1 + i / 40) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    if (i % 3 == 0) damaged.resize(i);
    std::ofstream(entry_, std::ios::binary | std::ios::trunc) << damaged;
    expect_whole(*load_cached());
  }
}

TEST_F(IndexCacheTest, EveryCutOfTheEncodingIsRefused) {
  auto file = logs_->snapshot()->files.at(0);
  FileContents small;
  small.series(small.tag("x"), Kind::kScalars).scalars.append({1, 2, 3}, small.arena());
  small.damage.add({1, 2, "because"});
  const std::string whole = encode_contents(small);
  for (std::size_t n = 0; n <= whole.size(); ++n) {
    ByteBlock bytes = make_block(n);
    std::copy_n(reinterpret_cast<const std::byte*>(whole.data()), n, bytes.get());
    EXPECT_EQ(decode_contents(std::move(bytes), n, 0) != nullptr, n == whole.size()) << n;
  }
}

TEST_F(IndexCacheTest, DeletingItCostsOnlyTime) {
  std::filesystem::remove_all(cache_);
  expect_whole(*load_cached());
}

TEST_F(IndexCacheTest, NothingIsWrittenIntoTheLogDirectory) {
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::recursive_directory_iterator(root_)) ++files;
  EXPECT_EQ(files, 1U);
}

TEST_F(IndexCacheTest, TheOldestEntriesGoFirst) {
  IndexCache small(cache_, 1);
  small.trim();
  EXPECT_TRUE(std::filesystem::is_empty(cache_ + "/index"));
}

TEST_F(IndexCacheTest, ACacheThatCannotBeWrittenIsNoError) {
  auto logs = load({.threads = 1, .cache_directory = "/proc/no/such/place", .links = Links::kInside});
  logs->save_index();
  EXPECT_EQ(logs->snapshot()->files.size(), 1U);
}

}  // namespace
}  // namespace tensortap::store
