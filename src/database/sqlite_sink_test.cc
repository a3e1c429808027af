// The SQLite sink, read back with SQLite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <thread>

#include "database/database_sink.h"
#include "database/sqlite_database.h"
#include "recorder/sink_makers.h"

namespace tensortap::database {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SqliteSinkTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<recorder::Sink> open() {
    auto sink = std::move(recorder::make_sqlite_sink({"sqlite", path_}).value());
    EXPECT_TRUE(sink->begin({"/runs/a", 1.5}).ok());
    return sink;
  }

  // Cells of all rows, one after the other; "NULL" for none.
  std::vector<std::string> ask(const std::string& sql) {
    sqlite3* file = nullptr;
    EXPECT_EQ(sqlite3_open(path_.c_str(), &file), SQLITE_OK);
    std::vector<std::string> cells;
    const auto take = [](void* out, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i) {
        static_cast<std::vector<std::string>*>(out)->emplace_back(values[i] == nullptr ? "NULL" : values[i]);
      }
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(file, sql.c_str(), take, &cells, nullptr), SQLITE_OK) << sqlite3_errmsg(file);
    sqlite3_close(file);
    return cells;
  }

  static recorder::CaptureInfo info(std::string_view tag, std::uint64_t sequence) {
    return {0, {{10, static_cast<std::int64_t>(sequence)}, tag, Phase::kNone, sequence}, recorder::kNoEpoch, "train"};
  }

  std::string directory_ = testing::TempDir() + "tensortap_sqlite_test_" + std::to_string(::getpid());
  std::string path_ = directory_ + "/a.db";
};

TEST_F(SqliteSinkTest, RowsAreThereAfterAFlush) {
  auto sink = open();
  EXPECT_TRUE(sink->scalar(info("loss", 0), 0.5).ok());
  EXPECT_THAT(ask("SELECT count(*) FROM scalars"), ElementsAre("0"));
  EXPECT_TRUE(sink->flush().ok());
  EXPECT_THAT(ask("SELECT run, tag, step, value FROM scalars"), ElementsAre("a", "train/loss", "0", "0.5"));
  EXPECT_TRUE(sink->close(2.5, {true, 1}).ok());
  EXPECT_THAT(ask("SELECT closed, success, offered, dropped FROM runs"), ElementsAre("2.5", "1", "1", "0"));
  EXPECT_EQ(sink->lost_captures(), 0U);
}

TEST_F(SqliteSinkTest, OddNumbersInListsAreNamed) {
  auto sink = open();
  const std::vector<double> outputs = {0.5, std::numeric_limits<double>::quiet_NaN(),
                                       -std::numeric_limits<double>::infinity()};
  const event::CapturedTensor tensor{DType::kFloat64, {1, 3}, std::as_bytes(std::span(outputs))};
  EXPECT_TRUE(sink->predictions(info("predictions/p", 0), {{}, tensor, {}, {}}).ok());
  EXPECT_TRUE(sink->close(2, {}).ok());
  EXPECT_THAT(ask("SELECT name, output, json_extract(output, '$[0]') FROM predictions"),
              ElementsAre("train/p", "[0.5,\"NaN\",\"-Infinity\"]", "0.5"));
}

TEST_F(SqliteSinkTest, ALockDelaysRowsAndIsNoError) {
  auto sink = open();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(sink->scalar(info("loss", 0), 1).ok());
  EXPECT_TRUE(sink->flush().ok());
  EXPECT_TRUE(sink->sync().ok());
  EXPECT_THAT(ask("SELECT count(*) FROM scalars"), ElementsAre("0"));
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  EXPECT_TRUE(sink->flush().ok());
  EXPECT_THAT(ask("SELECT count(*) FROM scalars"), ElementsAre("1"));
}

TEST_F(SqliteSinkTest, WhatDoesNotFitIntoMemoryWhileLockedIsRefusedAndItsTagComesLater) {
  auto sink = open();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  const std::vector<std::byte> data(DatabaseSink::kMaxWaitingBytes - 4096);
  const event::CapturedTensor tensor{DType::kUint8, {static_cast<std::int64_t>(data.size())}, data};
  EXPECT_TRUE(sink->tensor(info("t", 0), tensor).ok());
  const Status full = sink->tensor(info("u", 0), tensor);
  EXPECT_THAT(full.message(), HasSubstr("locked by another process for too long"));
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  EXPECT_TRUE(sink->tensor(info("u", 1), tensor).ok());
  EXPECT_TRUE(sink->close(2, {}).ok());
  EXPECT_THAT(ask("SELECT tag, step FROM tensors ORDER BY tag"), ElementsAre("train/t", "0", "train/u", "1"));
}

TEST_F(SqliteSinkTest, ManyOpenANewFileAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> opened{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { opened += SqliteDatabase::open(path_, 10'000).ok() ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(opened, 8);
  EXPECT_THAT(ask("SELECT count(*), max(version) FROM tensortap_schema"), ElementsAre("1", "1"));
}

TEST_F(SqliteSinkTest, AFailedTransactionLeavesNothingBehind) {
  auto database = std::move(SqliteDatabase::open(path_, 1000).value());
  const Row tag{TableId::kTags, {std::int64_t{1}, std::int64_t{1}, std::string("a")}};
  const std::vector<Row> twice = {tag, tag};
  EXPECT_EQ(database->write(twice, "").code(), StatusCode::kIo);
  EXPECT_THAT(ask("SELECT count(*) FROM tag_rows"), ElementsAre("0"));
  EXPECT_TRUE(database->write({&tag, 1}, "").ok());
}

TEST_F(SqliteSinkTest, OptionsThatItDoesNotHaveAreRefused) {
  EXPECT_EQ(recorder::make_sqlite_sink({"sqlite", ""}).status().code(), StatusCode::kInvalidArgument);
  const Status status = recorder::make_sqlite_sink({"sqlite", path_, {{"mode", "new"}}}).status();
  EXPECT_THAT(status.message(), HasSubstr("no option 'mode'"));
}

TEST(PostgresqlSink, WhatIsNoUrlIsRefusedBeforeAnythingIsOpened) {
  EXPECT_EQ(recorder::make_postgresql_sink({"postgresql", "host=a password=b"}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_TRUE(recorder::make_postgresql_sink({"postgresql", "postgres://h/d"}).ok());
}

}  // namespace
}  // namespace tensortap::database
