// OpenRuns: a list in the order of opening.
#include "recorder/open_runs.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "recorder/channel.h"

namespace tensortap::recorder {
namespace {

struct OpenRun {
  std::int64_t number = 0;
  std::weak_ptr<Channel> channel;
  const Channel* root = nullptr;  // only ever compared
};

struct OpenRunList {
  std::mutex mutex;
  std::int64_t last_number = 0;
  std::vector<OpenRun> runs;
  std::atomic<std::size_t> size{0};
};

// Never destroyed: TensorFlow's threads may outlive exit().
OpenRunList& list() {
  static auto* all = new OpenRunList;
  return *all;
}

}  // namespace

std::int64_t add_open_run(const std::shared_ptr<Channel>& channel) {
  std::lock_guard lock(list().mutex);
  const std::int64_t number = ++list().last_number;
  list().runs.push_back({number, channel, &channel->root()});
  list().size.store(list().runs.size(), std::memory_order_relaxed);
  return number;
}

void remove_open_run(const Channel& root) {
  std::lock_guard lock(list().mutex);
  std::erase_if(list().runs, [&](const OpenRun& run) { return run.root == &root; });
  list().size.store(list().runs.size(), std::memory_order_relaxed);
}

bool any_run_open() { return list().size.load(std::memory_order_relaxed) != 0; }

std::shared_ptr<Channel> innermost_run() {
  std::lock_guard lock(list().mutex);
  for (auto run = list().runs.rbegin(); run != list().runs.rend(); ++run) {
    std::shared_ptr<Channel> channel = run->channel.lock();
    if (channel && channel.get() == run->root && !channel->closed()) return channel;
  }
  return nullptr;
}

std::shared_ptr<Channel> find_open_run(std::int64_t untrusted_number) {
  std::lock_guard lock(list().mutex);
  const auto& runs = list().runs;
  const auto found = std::lower_bound(runs.begin(), runs.end(), untrusted_number,
                                      [](const OpenRun& run, std::int64_t number) { return run.number < number; });
  if (found == runs.end() || found->number != untrusted_number) return nullptr;
  return found->channel.lock();
}

}  // namespace tensortap::recorder
