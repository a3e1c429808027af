// Runs: files to runs, and what can be said about them without reading a value.
#include "query/runs.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/near_names.h"
#include "query/part_series.h"

namespace tensortap::query {
namespace {

constexpr std::array<std::string_view, 6> kSubRuns = {"train", "val", "validation", "test", "eval", "predict"};
// A training that says nothing for so long is not called live any more, unless its process is there.
constexpr std::int64_t kLiveNanos = 300'000'000'000;

struct Owner {
  std::string run;
  std::string prefix;
};

// The run a directory belongs to: "a/train" is part of "a", with the prefix "train/".
Owner owner_of(std::string directory) {
  Owner owner{std::move(directory), ""};
  while (owner.run != ".") {
    const std::size_t slash = owner.run.rfind('/');
    const std::string last = slash == std::string::npos ? owner.run : owner.run.substr(slash + 1);
    if (std::find(kSubRuns.begin(), kSubRuns.end(), last) == kSubRuns.end()) break;
    owner.prefix = last + "/" + owner.prefix;
    owner.run = slash == std::string::npos ? "." : owner.run.substr(0, slash);
  }
  return owner;
}

bool is_running_here(const store::CaptureWriter& writer) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || writer.host != host.data()) return false;
  if (writer.process_id == 0 || writer.process_id > std::numeric_limits<pid_t>::max()) return false;
  return ::kill(static_cast<pid_t>(writer.process_id), 0) == 0 || errno == EPERM;
}

bool is_recent(std::int64_t modified_nanos) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 - modified_nanos < kLiveNanos;
}

// Clocks of other machines may be wrong by hours, not by days. A file without records has no time.
bool is_of_today(double wall_secs) {
  return !std::isfinite(wall_secs) || std::abs(static_cast<double>(::time(nullptr)) - wall_secs) < 86400;
}

RunState state_of(const store::FileProgress& progress, const store::FileContents& contents) {
  const store::FileNotes& notes = contents.notes;
  if (notes.ending.has_value()) return notes.ending->success ? RunState::kEnded : RunState::kFailed;
  // A copy of an old run was written just now, but its records were not.
  const bool is_new = is_recent(progress.modified_nanos) && is_of_today(notes.last_wall_secs);
  if (notes.writer.has_value()) {
    return is_new || is_running_here(*notes.writer) ? RunState::kLive : RunState::kCrashed;
  }
  return is_new ? RunState::kLive : RunState::kUnknown;
}

// Whether there are histograms other than those derived from captures that are there.
bool has_histograms(const Run& run) {
  std::set<std::string> captured;
  bool is_known = false;
  for (const RunPart& part : run.parts) {
    if (part.file->file().kind != store::RunFileKind::kEvents) continue;
    const bool has = part.file->read([&](const store::FileContents& contents) {
      return std::any_of(contents.tags().begin(), contents.tags().end(), [&](const auto& tag) {
        const store::Series* series = tag->find(store::Kind::kHistograms);
        if (series == nullptr || series->size() == 0) return false;
        if (tag->info == nullptr || !tag->info->derived) return true;
        if (!std::exchange(is_known, true)) captured = captured_tags(run);
        return !captured.contains(part.prefix + tag->name);
      });
    });
    if (has) return true;
  }
  return false;
}

std::int64_t last_step_of(const store::Series& series) {
  return series.kind == store::Kind::kScalars ? series.scalars.max_step() : series.max_step;
}

void add_series(SeriesInfo& info, const store::Series& series) {
  const bool is_scalars = series.kind == store::Kind::kScalars;
  const std::size_t last = series.size() - 1;
  const std::int64_t first_step = is_scalars ? series.scalars.min_step() : series.min_step;
  const double last_secs = is_scalars ? series.scalars.at(last).wall_secs : series.entries.back().wall_secs;
  info.first_step = info.count == 0 ? first_step : std::min(info.first_step, first_step);
  info.last_step = info.count == 0 ? last_step_of(series) : std::max(info.last_step, last_step_of(series));
  if (std::isfinite(last_secs)) info.last_wall_secs = std::max(info.last_wall_secs, last_secs);
  info.count += series.size();
}

}  // namespace

std::string_view run_state_name(RunState state) {
  switch (state) {
    case RunState::kLive: return "live";
    case RunState::kEnded: return "ended";
    case RunState::kFailed: return "failed";
    case RunState::kCrashed: return "crashed";
    case RunState::kUnknown: break;
  }
  return "unknown";
}

Runs::Runs(std::shared_ptr<const store::Snapshot> snapshot) : snapshot_(std::move(snapshot)) {
  std::map<std::string, Run> by_name;
  for (const auto& file : snapshot_->files) {
    Owner owner = owner_of(file->file().run);
    Run& run = by_name[owner.run];
    run.name = owner.run;
    run.parts.push_back({file, owner.prefix});
  }
  for (auto& [name, run] : by_name) runs_.push_back(std::move(run));
}

Result<Run> Runs::find(std::string_view name) const {
  auto known = std::lower_bound(runs_.begin(), runs_.end(), name,
                                [](const Run& run, std::string_view wanted) { return run.name < wanted; });
  if (known != runs_.end() && known->name == name) return *known;
  Run sub;
  sub.name = name;
  for (const auto& file : snapshot_->files) {
    if (file->file().run == name) sub.parts.push_back({file, ""});
  }
  if (!sub.parts.empty()) return sub;
  std::vector<std::string> names;
  for (const Run& run : runs_) names.push_back(run.name);
  std::string message = "there is no run '" + std::string(name) + "'";
  std::string near = did_you_mean(name, names);
  if (near.empty() && !names.empty()) {
    near = names.size() == 1 ? " The only one is '" : " There are '";
    for (std::size_t i = 0; i < names.size() && i < 5; ++i) near += (i == 0 ? "" : "', '") + names[i];
    near += names.size() > 5 ? "', ..." : "'.";
  }
  message += names.empty() ? ": no run was found" : "." + near;
  return Status(StatusCode::kNotFound, message);
}

// Captures know how a run ended; event files only help where there are none.
RunState run_state(const Run& run) {
  std::optional<RunState> of_captures, of_events;
  for (const RunPart& part : run.parts) {
    // Asked for before the contents are locked: whoever reads on takes the locks in this order.
    const store::FileProgress progress = part.file->progress();
    const RunState state = part.file->read([&](const auto& contents) { return state_of(progress, contents); });
    auto& joined = part.file->file().kind == store::RunFileKind::kCaptures ? of_captures : of_events;
    if (joined != RunState::kLive) joined = state;
  }
  return of_captures.value_or(of_events.value_or(RunState::kUnknown));
}

RunInfo run_info(const Run& run) {
  RunInfo info;
  info.name = run.name;
  info.state = run_state(run);
  double first_secs = std::numeric_limits<double>::infinity(), last_secs = 0;
  std::array<bool, store::kKinds> kinds{};
  std::set<std::string> tags;
  for (const RunPart& part : run.parts) {
    if (info.directories.empty() || info.directories.back() != part.file->file().run) {
      info.directories.push_back(part.file->file().run);
    }
    info.size_bytes += part.file->progress().size_bytes;
    ++info.files;
    const bool is_only = run.parts.size() == 1;
    part.file->read([&](const store::FileContents& contents) {
      info.records += contents.notes.records;
      info.damaged_places += contents.damage.places;
      info.dropped += contents.notes.dropped;
      if (const auto& ending = contents.notes.ending; ending && ending->worker_secs > 0) {
        info.caller_secs = info.caller_secs.value_or(0) + ending->caller_secs;
        info.worker_secs = info.worker_secs.value_or(0) + ending->worker_secs;
      }
      first_secs = std::min(first_secs, contents.notes.first_wall_secs);
      last_secs = std::max(last_secs, contents.notes.last_wall_secs);
      if (is_only) info.tags = contents.tags().size();
      for (const auto& tag : contents.tags()) {
        if (!is_only) tags.insert(part.prefix + tag->name);
      }
      for (const store::Series* series : contents.all_series()) {
        if (series->size() == 0) continue;
        const bool is_histograms = series->kind == store::Kind::kHistograms;
        kinds[static_cast<std::size_t>(series->kind)] |= !is_histograms;
        if (series->kind == store::Kind::kScalars) info.points += series->size();
        info.last_step = std::max(info.last_step, last_step_of(*series));
      }
    });
  }
  info.tags = std::max<std::uint64_t>(info.tags, tags.size());
  kinds[static_cast<std::size_t>(store::Kind::kHistograms)] = has_histograms(run);
  info.first_wall_secs = std::isfinite(first_secs) ? first_secs : 0;
  info.last_wall_secs = last_secs;
  for (store::Kind kind : store::all_kinds()) {
    if (kinds[static_cast<std::size_t>(kind)]) info.kinds.push_back(kind);
  }
  return info;
}

std::vector<SeriesInfo> list_series(const Run& run, std::optional<store::Kind> kind) {
  std::map<std::pair<std::string, store::Kind>, SeriesInfo> found;
  const std::set<std::string> captured = captured_tags(run);
  for (const RunPart& part : run.parts) {
    part.file->read([&](const store::FileContents& contents) {
      for (const auto& tag : contents.tags()) {
        std::string name = part.prefix + tag->name;
        const bool is_copy = tag->info != nullptr && tag->info->derived && captured.contains(name);
        for (const auto& series : tag->series) {
          if (series->size() == 0 || (kind.has_value() && series->kind != *kind)) continue;
          if (is_copy && series->kind == store::Kind::kHistograms) continue;
          SeriesInfo& info = found[{name, series->kind}];
          add_series(info, *series);
          info.tag = name;
          info.kind = series->kind;
          if (tag->info != nullptr && info.plugin.empty()) info.plugin = tag->info->plugin;
          if (tag->info != nullptr && info.description.empty()) info.description = tag->info->description;
        }
      }
    });
  }
  std::vector<SeriesInfo> all;
  for (auto& [key, info] : found) all.push_back(std::move(info));
  return all;
}

std::vector<std::string> list_tags(const Run& run, std::optional<store::Kind> kind) {
  std::vector<std::string> tags;
  for (SeriesInfo& info : list_series(run, kind)) {
    if (tags.empty() || tags.back() != info.tag) tags.push_back(std::move(info.tag));
  }
  return tags;
}

}  // namespace tensortap::query
