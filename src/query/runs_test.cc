// Runs while they are read: questions and the loader do not wait for each other in a circle.
#include "query/runs.h"

#include <atomic>
#include <thread>

#include "store/temp_logs_testutil.h"

namespace tensortap::query {
namespace {

class RunsTest : public store::TempLogs {};

TEST_F(RunsTest, StatesCanBeAskedForWhileFilesAreReplaced) {
  const std::string name = "a/events.out.tfevents.1700000000.h.1.0";
  write(name, version() + scalar(1, 0.5));
  const auto logs = load();
  const Runs runs(logs->snapshot());
  std::atomic<bool> done{false};
  std::thread asking([&] {
    while (!done) {
      EXPECT_NE(run_state(runs.all().front()), RunState::kEnded);
      EXPECT_EQ(run_info(runs.all().front()).files, 1U);
    }
  });
  for (int i = 0; i < 300; ++i) {
    // Shorter and longer in turn: each time it is another file, and its contents start over.
    write(name, version() + scalar(1, 0.5) + (i % 2 == 0 ? scalar(2, 0.5) : ""));
    EXPECT_TRUE(logs->refresh().ok());
  }
  done = true;
  asking.join();
}

}  // namespace
}  // namespace tensortap::query
