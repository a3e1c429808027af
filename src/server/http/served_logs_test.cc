// ServedLogs: what is seen of files that grow, come and go; and how listeners are told.
#include "server/http/served_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "server/http/live_events.h"
#include "store/temp_logs_testutil.h"

namespace tensortap::server {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

class ServedLogsTest : public store::TempLogs {
 protected:
  std::string events_of(const std::string& run) const { return run + "/" + std::string(store::kEventsName); }

  void open() {
    logs_ = ServedLogs::open(root_, {}).value();
    logs_->listen([this] { ++calls_; });
  }

  // Waits until `is_so`; false when it does not become so for long.
  template <typename Condition>
  static bool soon(Condition is_so) {
    for (int i = 0; i < 1000; ++i) {
      if (is_so()) return true;
      std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
  }

  bool is_loaded() const {
    return soon([this] { return !logs_->load_state().loading; });
  }

  std::unique_ptr<ServedLogs> logs_;
  std::atomic<int> calls_{0};
};

TEST_F(ServedLogsTest, AnswersBeforeItHasReadAnything) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  EXPECT_TRUE(logs_->current()->all().empty());
  EXPECT_TRUE(logs_->load_state().loading);
  EXPECT_EQ(logs_->revision(), 0U);
}

TEST_F(ServedLogsTest, ReadsWhatIsThere) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  ASSERT_EQ(logs_->current()->all().size(), 1U);
  const Changes changes = logs_->changes_since(0);
  EXPECT_THAT(changes.runs, ElementsAre("a"));
  EXPECT_TRUE(changes.catalog);
  EXPECT_GE(calls_, 1);
  EXPECT_EQ(logs_->load_state().read_bytes, std::filesystem::file_size(path(events_of("a"))));
}

TEST_F(ServedLogsTest, APointIsAChangeOfItsRunAlone) {
  write(events_of("a"), version() + scalar(1, 0.5));
  write(events_of("b"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  const auto runs = logs_->current();
  const std::uint64_t before = logs_->revision();
  append(events_of("b"), scalar(2, 0.25));
  ASSERT_TRUE(soon([&] { return logs_->revision() > before; }));
  const Changes changes = logs_->changes_since(before);
  EXPECT_THAT(changes.runs, ElementsAre("b"));
  EXPECT_FALSE(changes.catalog);
  EXPECT_EQ(logs_->current(), runs) << "no file came or went";
}

TEST_F(ServedLogsTest, NewTagsAndRunsAndGoneRunsChangeTheCatalog) {
  write(events_of("b"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  std::uint64_t before = logs_->revision();
  append(events_of("b"), scalar(2, 0.25, "other"));
  ASSERT_TRUE(soon([&] { return logs_->revision() > before; }));
  EXPECT_TRUE(logs_->changes_since(before).catalog);

  before = logs_->revision();
  write(events_of("a"), version());
  ASSERT_TRUE(soon([&] { return logs_->current()->all().size() == 2; }));
  EXPECT_THAT(logs_->changes_since(before).runs, ElementsAre("a"));
  EXPECT_TRUE(logs_->changes_since(before).catalog);

  before = logs_->revision();
  std::filesystem::remove_all(path("b"));
  ASSERT_TRUE(soon([&] { return logs_->current()->all().size() == 1; }));
  EXPECT_THAT(logs_->changes_since(before).runs, ElementsAre("b"));
  EXPECT_THAT(logs_->changes_since(0).runs, ElementsAre("a", "b"));
}

TEST_F(ServedLogsTest, NothingHappensWhereNothingChanges) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  std::this_thread::sleep_for(milliseconds(300));
  const std::uint64_t before = logs_->revision();
  std::this_thread::sleep_for(milliseconds(800));
  EXPECT_EQ(logs_->revision(), before);
  EXPECT_TRUE(logs_->changes_since(before).runs.empty());
}

TEST_F(ServedLogsTest, StopsSoonAndTwice) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  const auto begun = std::chrono::steady_clock::now();
  logs_->stop();
  logs_->stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
}

TEST_F(ServedLogsTest, ADirectoryThatGoesAndComesBackIsReadAgain) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  std::filesystem::rename(root_, root_ + ".away");
  std::this_thread::sleep_for(milliseconds(600));
  std::filesystem::rename(root_ + ".away", root_);
  write(events_of("c"), version() + scalar(1, 0.5));
  EXPECT_TRUE(soon([&] { return logs_->current()->all().size() == 2; }));
}

TEST_F(ServedLogsTest, EventsSayHelloThenOnlyWhatChanged) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  logs_->start();
  ASSERT_TRUE(is_loaded());
  LiveEvents events(*logs_);
  EXPECT_EQ(events.next(), "event: hello\ndata: {\"revision\":" + std::to_string(logs_->revision()) + "}\n\n");
  EXPECT_EQ(events.next(), "");
  const std::uint64_t before = logs_->revision();
  append(events_of("a"), scalar(2, 0.25));
  ASSERT_TRUE(soon([&] { return logs_->revision() > before; }));
  append(events_of("a"), scalar(3, 0.25));
  ASSERT_TRUE(soon([&] { return logs_->revision() > before + 1; }));
  const std::string text = events.next();
  EXPECT_THAT(text, HasSubstr("event: change\ndata: {\"revision\":" + std::to_string(logs_->revision())));
  EXPECT_THAT(text, HasSubstr("\"runs\":[\"a\"],\"catalog\":false}\n\n"));
  EXPECT_EQ(text.find("event:"), text.rfind("event:")) << "two changes, one event";
  EXPECT_EQ(events.next(), "");
}

TEST_F(ServedLogsTest, ProgressIsToldUntilAllIsRead) {
  write(events_of("a"), version() + scalar(1, 0.5));
  open();
  LiveEvents events(*logs_);
  EXPECT_THAT(events.next(), HasSubstr("event: progress\ndata: {\"read_bytes\":0,\"total_bytes\":0,\"loading\":true}"));
  EXPECT_TRUE(events.is_loading());
  logs_->start();
  ASSERT_TRUE(is_loaded());
  const std::string text = events.next();
  EXPECT_THAT(text, HasSubstr("\"loading\":false}"));
  EXPECT_THAT(text, HasSubstr("event: change"));
  EXPECT_FALSE(events.is_loading());
}

}  // namespace
}  // namespace tensortap::server
