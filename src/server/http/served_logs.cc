// ServedLogs: two threads, and a comparison of what they see with what they saw.
#include "server/http/served_logs.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/clock.h"

namespace tensortap::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kTick{250};
// Looking for news takes at most this share of one processor.
constexpr int kRestOverCost = 6;
constexpr milliseconds kQuietRest{500};   // nothing has changed for a while
constexpr milliseconds kAloneRest{2000};  // and nobody has asked for longer
constexpr std::int64_t kQuietNanos = 20'000'000'000;
constexpr std::int64_t kAloneNanos = 120'000'000'000;

}  // namespace

ServedLogs::ServedLogs(std::string directory, std::unique_ptr<store::LogDirectory> logs, bool follows_links)
    : directory_(std::move(directory)),
      logs_(std::move(logs)),
      follows_links_(follows_links),
      started_secs_(WallClock().now_secs()),
      asked_nanos_(monotonic_nanos()),
      runs_(std::make_shared<const query::Runs>(logs_->snapshot())),
      changed_nanos_(monotonic_nanos()) {}

Result<std::unique_ptr<ServedLogs>> ServedLogs::open(const std::string& path, store::LoadOptions options) {
  const bool follows_links = options.links == store::Links::kFollow;
  auto logs = store::LogDirectory::open(path, std::move(options));
  if (!logs.ok()) return logs.status();
  return std::unique_ptr<ServedLogs>(new ServedLogs(path, std::move(*logs), follows_links));
}

ServedLogs::~ServedLogs() { stop(); }

void ServedLogs::start() {
  reader_ = std::thread([this] { read_on(); });
  ticker_ = std::thread([this] { tick(); });
}

void ServedLogs::stop() {
  {
    std::lock_guard lock(stop_lock_);
    stopping_ = true;
  }
  stop_changed_.notify_all();
  // refresh() takes back a stop() that came before it began; so ask until the thread has seen `stopping_`.
  while (reader_.joinable()) {
    logs_->stop();
    std::unique_lock lock(stop_lock_);
    if (stop_changed_.wait_for(lock, milliseconds(20), [this] { return !refreshing_; })) {
      lock.unlock();
      reader_.join();
    }
  }
  if (ticker_.joinable()) ticker_.join();
}

void ServedLogs::read_on() {
  for (;;) {
    {
      std::lock_guard lock(stop_lock_);
      if (stopping_) return;
      refreshing_ = true;
    }
    stop_changed_.notify_all();
    const std::int64_t begun_nanos = monotonic_nanos();
    // The directory may be gone for a while, or memory short: what was read stays, and the next round tries again.
    try {
      (void)logs_->refresh().ok();
    } catch (const std::exception&) {
    }
    const nanoseconds cost(monotonic_nanos() - begun_nanos);
    {
      std::lock_guard lock(stop_lock_);
      refreshing_ = false;
    }
    stop_changed_.notify_all();
    const bool changed = publish(true);
    std::unique_lock lock(stop_lock_);
    if (stop_changed_.wait_for(lock, rest_after(cost, changed), [this] { return stopping_; })) return;
  }
}

nanoseconds ServedLogs::rest_after(nanoseconds cost, bool changed) {
  const std::int64_t now = monotonic_nanos();
  if (changed) changed_nanos_ = now;
  nanoseconds rest = kTick;
  if (now - changed_nanos_ > kQuietNanos) rest = kQuietRest;
  if (now - std::max(changed_nanos_, asked_nanos_.load()) > kAloneNanos) rest = kAloneRest;
  return std::max<nanoseconds>(rest, cost * kRestOverCost);
}

void ServedLogs::tick() {
  std::unique_lock lock(stop_lock_);
  while (!stopping_) {
    stop_changed_.wait(lock, [this] { return stopping_ || refreshing_; });
    // Most rounds are over before this.
    const bool is_over = stop_changed_.wait_for(lock, kTick, [this] { return stopping_ || !refreshing_; });
    if (is_over) continue;
    lock.unlock();
    publish(false);
    lock.lock();
  }
}

// Returns whether there is a new revision. `is_whole`: everything that is on the disk has been read.
bool ServedLogs::publish(bool is_whole) {
  std::lock_guard one_at_a_time(publish_lock_);
  std::shared_ptr<const query::Runs> runs = shown_runs();
  const auto snapshot = logs_->snapshot();
  const auto& before = runs->snapshot();
  const bool is_same = before.files == snapshot->files && before.unreadable.size() == snapshot->unreadable.size();
  if (!is_same) runs = std::make_shared<const query::Runs>(snapshot);
  const bool changed = compare(*runs);
  {
    std::lock_guard lock(runs_lock_);
    runs_ = std::move(runs);
  }
  if (is_whole && loading_) first_bytes_ = logs_->progress().total_bytes;
  const bool was_loading = is_whole && loading_.exchange(false);
  if (changed || was_loading) {
    for (const auto& listener : listeners_) listener();
  }
  return changed;
}

// Looks for runs that are not as they were, and makes a new revision of them.
bool ServedLogs::compare(const query::Runs& runs) {
  struct Now {
    std::uint64_t contents = 0, series = 0;
    query::RunState state{};
  };
  // Taken before the lock: a request must not wait while a file is being applied.
  std::vector<Now> now;
  now.reserve(runs.all().size());
  for (const query::Run& run : runs.all()) {
    Now& each = now.emplace_back();
    each.state = query::run_state(run);
    each.contents = run.parts.size() << 48;
    for (const query::RunPart& part : run.parts) {
      each.contents += part.file->revision();
      each.series += part.file->read([](const auto& contents) { return contents.all_series().size(); });
    }
  }
  std::lock_guard lock(runs_lock_);
  const std::uint64_t next = revision_ + 1;
  bool changed = false, catalog = false;
  auto at = seen_.begin();
  const auto mark_gone = [&] {
    if (!at->second.gone) {
      at->second = {.changed_at = next, .gone = true};
      changed = catalog = true;
    }
    ++at;
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::string& name = runs.all()[i].name;
    while (at != seen_.end() && at->first < name) mark_gone();
    const bool is_new = at == seen_.end() || at->first != name;
    if (is_new) at = seen_.emplace_hint(at, name, Seen{.gone = true});
    Seen& seen = at->second;
    const bool other_list = seen.gone || seen.series != now[i].series || seen.state != now[i].state;
    if (other_list || seen.contents != now[i].contents) {
      seen = {now[i].contents, now[i].series, now[i].state, next, false};
      changed = true;
      catalog |= other_list;
    }
    ++at;
  }
  while (at != seen_.end()) mark_gone();
  if (catalog) catalog_changed_at_ = next;
  if (changed) revision_ = next;
  return changed;
}

std::shared_ptr<const query::Runs> ServedLogs::current() const {
  asked_nanos_ = monotonic_nanos();
  return shown_runs();
}

std::shared_ptr<const query::Runs> ServedLogs::shown_runs() const {
  std::lock_guard lock(runs_lock_);
  return runs_;
}

LoadState ServedLogs::load_state() const {
  // Later rounds read only what was added: their bytes are nobody's progress.
  if (!loading_) return {false, first_bytes_, first_bytes_};
  const store::LoadProgress progress = logs_->progress();
  return {true, std::min(progress.read_bytes, progress.total_bytes), progress.total_bytes};
}

Changes ServedLogs::changes_since(std::uint64_t revision) const {
  asked_nanos_ = monotonic_nanos();
  std::lock_guard lock(runs_lock_);
  Changes changes;
  changes.revision = revision_;
  changes.catalog = catalog_changed_at_ > revision;
  for (const auto& [name, seen] : seen_) {
    if (seen.changed_at > revision) changes.runs.push_back(name);
  }
  return changes;
}

}  // namespace tensortap::server
