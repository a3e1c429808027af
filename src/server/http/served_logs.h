// ServedLogs: a log directory that is kept up to date behind the requests, and what changed when.
//
//   reader thread   refresh(), rest, refresh() ...        ticker thread   shows how far a long refresh() is
//                      \______________ publish() ______________/
//                                 revision, runs, listeners
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "query/runs.h"
#include "store/log_directory.h"

namespace tensortap::server {

struct LoadState {
  bool loading = true;  // not everything that was there at the start is read yet
  std::uint64_t read_bytes = 0;
  std::uint64_t total_bytes = 0;
};

// What happened after a revision.
struct Changes {
  std::uint64_t revision = 0;
  std::vector<std::string> runs;  // that grew, are new or are gone; by name
  bool catalog = false;           // runs or tags came or went, or a run's state changed
};

// Threads:  any.
// Failure:  open() as LogDirectory::open(). A refresh that fails is tried again; what was read stays.
// Lifetime: stop() or the destructor ends its threads; listeners must live until then.
class ServedLogs {
 public:
  static Result<std::unique_ptr<ServedLogs>> open(const std::string& path, store::LoadOptions options);
  ~ServedLogs();

  // Begins to read. Before it there are no runs, and `loading` is true.
  void start();
  // Ends the threads, soon. Safe to call twice.
  void stop();
  // After stop(): keeps in the index cache what the next start need not read again.
  void save_index() { logs_->save_index(); }

  const std::string& directory() const { return directory_; }  // as it was typed
  bool follows_links() const { return follows_links_; }
  double started_secs() const { return started_secs_; }

  // The runs there are now; the same object until a file comes or goes. Never null.
  std::shared_ptr<const query::Runs> current() const;
  // Grows with every change of the runs or of what they hold.
  std::uint64_t revision() const { return revision_; }
  LoadState load_state() const;
  Changes changes_since(std::uint64_t revision) const;

  // Calls `on_change` from the reader's threads after every new revision, and when loading ends. Before start() only.
  void listen(std::function<void()> on_change) { listeners_.push_back(std::move(on_change)); }

 private:
  // What is remembered of a run, to see that it has changed.
  struct Seen {
    std::uint64_t contents = 0;  // of all its files
    std::uint64_t series = 0;
    query::RunState state = query::RunState::kUnknown;
    std::uint64_t changed_at = 0;  // revision
    bool gone = false;
  };

  ServedLogs(std::string directory, std::unique_ptr<store::LogDirectory> logs, bool follows_links);
  std::shared_ptr<const query::Runs> shown_runs() const;
  void read_on();
  void tick();
  bool publish(bool is_whole);
  bool compare(const query::Runs& runs);
  std::chrono::nanoseconds rest_after(std::chrono::nanoseconds cost, bool changed);

  const std::string directory_;
  const std::unique_ptr<store::LogDirectory> logs_;
  const bool follows_links_;
  const double started_secs_;
  std::vector<std::function<void()>> listeners_;

  std::atomic<std::uint64_t> revision_{0};
  std::atomic<bool> loading_{true};
  std::atomic<std::uint64_t> first_bytes_{0};         // what there was to read at the start
  mutable std::atomic<std::int64_t> asked_nanos_{0};  // when somebody last wanted to know

  mutable std::mutex runs_lock_;  // the members down to catalog_changed_at_
  std::shared_ptr<const query::Runs> runs_;
  std::map<std::string, Seen> seen_;
  std::uint64_t catalog_changed_at_ = 0;

  std::mutex publish_lock_;         // one publish() at a time
  std::int64_t changed_nanos_ = 0;  // of the reader

  std::mutex stop_lock_;  // stopping_, refreshing_
  std::condition_variable stop_changed_;
  bool stopping_ = false;
  bool refreshing_ = false;
  std::thread reader_, ticker_;
};

}  // namespace tensortap::server
