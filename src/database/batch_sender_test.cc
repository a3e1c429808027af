// Batches over connections that break at every possible moment. The server is played; tests/database has the real one.
#include "database/batch_sender.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace tensortap::database {
namespace {

using namespace std::chrono_literals;

// A server with one table, transactions, and a plan for what goes wrong.
struct PlayedServer {
  enum class Fault { kNone, kBefore, kAfter, kRefuse };  // the connection breaks before or after the statement counts

  std::mutex mutex;
  std::vector<std::string> rows;
  std::int64_t last_batch = 0;
  int statements = 0;
  int connections = 0;
  bool is_up = true;
  std::function<Fault(int statement, const std::string& sql, std::string_view data)> fault;
};

class PlayedConnection : public ServerConnection {
 public:
  explicit PlayedConnection(PlayedServer& server) : server_(server) {}

  Answer run(const std::string& sql) override { return step(sql, ""); }
  Answer copy(const std::string& sql, std::string_view data) override { return step(sql, data); }

 private:
  Answer step(const std::string& sql, std::string_view data) {
    using Fault = PlayedServer::Fault;
    std::lock_guard lock(server_.mutex);
    const Fault fault = server_.fault ? server_.fault(++server_.statements, sql, data) : Fault::kNone;
    if (is_broken_ || !server_.is_up || fault == Fault::kBefore) return broken();
    if (fault == Fault::kRefuse) return {AnswerKind::kRefused, "refused"};
    std::string answer = execute(sql, data);
    if (fault == Fault::kAfter) return broken();
    return {AnswerKind::kDone, std::move(answer)};
  }

  Answer broken() {
    is_broken_ = true;
    return {AnswerKind::kLost, "connection lost"};
  }

  std::string execute(const std::string& sql, std::string_view data) {
    if (sql == "BEGIN" || sql == "ROLLBACK") pending_.clear();
    if (sql.starts_with("UPDATE tensortap.writer_rows")) number_ = std::stoll(sql.substr(sql.find("= ") + 2));
    if (sql.starts_with("COPY")) pending_.emplace_back(data);
    if (sql == "COMMIT") {
      server_.rows.insert(server_.rows.end(), pending_.begin(), pending_.end());
      server_.last_batch = number_;
    }
    return sql.starts_with("SELECT last_batch") ? std::to_string(server_.last_batch) : "";
  }

  PlayedServer& server_;
  std::vector<std::string> pending_;
  std::int64_t number_ = 0;
  bool is_broken_ = false;
};

class BatchSenderTest : public testing::Test {
 protected:
  void SetUp() override {
    sender_ = std::make_shared<BatchSender>(
        [this](const Cancellation&) -> Result<std::unique_ptr<ServerConnection>> {
          std::lock_guard lock(server_.mutex);
          if (!server_.is_up) return Status(StatusCode::kIo, "nobody there");
          ++server_.connections;
          return std::unique_ptr<ServerConnection>(std::make_unique<PlayedConnection>(server_));
        },
        5, BackOff{1ms, 4ms});
  }

  void start() { ASSERT_TRUE(sender_->start(std::make_unique<PlayedConnection>(server_)).ok()); }

  static Batch batch(const std::string& row) { return {{{TableId::kScalars, row}}, "", 1}; }

  void push(int count) {
    for (int i = 0; i < count; ++i) {
      sender_->push(batch("row" + std::to_string(i) + ";"));
      expected_ += "row" + std::to_string(i) + ";";
    }
  }

  // What arrived, however it was cut into batches.
  std::string arrived() const {
    std::string all;
    for (const std::string& rows : server_.rows) all += rows;
    return all;
  }

  PlayedServer server_;
  std::shared_ptr<BatchSender> sender_;
  std::string expected_;
};

TEST_F(BatchSenderTest, BringsBatchesInOrder) {
  start();
  push(9);
  sender_->close(10s);
  EXPECT_EQ(arrived(), expected_);
  EXPECT_EQ(sender_->lost_captures(), 0U);
  EXPECT_EQ(sender_->waiting_bytes(), 0U);
  EXPECT_EQ(server_.connections, 0);
}

TEST_F(BatchSenderTest, BreaksBeforeOrAfterAnyStatementLoseAndRepeatNothing) {
  // 3 batches of 4 statements; between them every statement of a reconnection is hit too.
  for (auto fault : {PlayedServer::Fault::kBefore, PlayedServer::Fault::kAfter}) {
    for (int at = 1; at <= 14; ++at) {
      server_.rows.clear();
      server_.last_batch = server_.statements = 0;
      expected_.clear();
      server_.fault = [=](int statement, const std::string&, std::string_view) {
        return statement == at || statement == at + 2 ? fault : PlayedServer::Fault::kNone;
      };
      SetUp();
      start();
      push(3);
      sender_->close(10s);
      EXPECT_EQ(arrived(), expected_) << "statement " << at;
      EXPECT_EQ(sender_->lost_captures(), 0U);
    }
  }
}

TEST_F(BatchSenderTest, AServerThatIsAwayGetsEverythingWhenItIsBack) {
  server_.is_up = false;
  start();
  push(5);
  while (sender_->last_error() != "nobody there") std::this_thread::sleep_for(1ms);
  EXPECT_EQ(sender_->waiting_bytes(), 25U);
  {
    std::lock_guard lock(server_.mutex);
    server_.is_up = true;
  }
  sender_->close(10s);
  EXPECT_EQ(arrived(), expected_);
}

TEST_F(BatchSenderTest, WhatGathersMeanwhileIsSentInFewTransactions) {
  server_.is_up = false;
  start();
  push(10'000);
  {
    std::lock_guard lock(server_.mutex);
    server_.is_up = true;
  }
  sender_->close(10s);
  EXPECT_EQ(arrived(), expected_);
  EXPECT_LE(server_.rows.size(), 3U);
  EXPECT_EQ(sender_->lost_captures(), 0U);
  EXPECT_EQ(sender_->waiting_bytes(), 0U);
}

TEST_F(BatchSenderTest, AServerThatStaysAwayIsGivenUpAndTheLossCounted) {
  server_.is_up = false;
  start();
  push(5);
  const auto begun = std::chrono::steady_clock::now();
  sender_->close(50ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
  EXPECT_EQ(sender_->lost_captures(), 5U);
  EXPECT_EQ(sender_->last_error(), "nobody there");
}

TEST_F(BatchSenderTest, ARefusedBatchIsDroppedAndItsTagsAreKept) {
  server_.fault = [](int, const std::string&, std::string_view data) {
    return data == "bad" ? PlayedServer::Fault::kRefuse : PlayedServer::Fault::kNone;
  };
  start();
  sender_->push({{{TableId::kTags, "tag"}, {TableId::kScalars, "bad"}}, "", 2});
  sender_->push(batch("good"));
  sender_->close(10s);
  EXPECT_EQ(arrived(), "taggood");
  EXPECT_EQ(sender_->lost_captures(), 2U);
  EXPECT_EQ(sender_->last_error(), "refused");
  EXPECT_EQ(sender_->waiting_bytes(), 0U);
}

TEST_F(BatchSenderTest, ATagThatIsRefusedDoesNotHoldUpTheRest) {
  server_.fault = [](int, const std::string&, std::string_view data) {
    return data == "bad tag" ? PlayedServer::Fault::kRefuse : PlayedServer::Fault::kNone;
  };
  start();
  sender_->push({{{TableId::kTags, "bad tag"}, {TableId::kScalars, "a"}}, "", 1});
  sender_->push(batch("good"));
  sender_->close(10s);
  EXPECT_EQ(arrived(), "good");
  EXPECT_EQ(sender_->lost_captures(), 1U);
}

TEST_F(BatchSenderTest, MayBeClosedWithoutEverHavingBeenStarted) {
  sender_->close(10s);
  EXPECT_EQ(sender_->lost_captures(), 0U);
}

}  // namespace
}  // namespace tensortap::database
