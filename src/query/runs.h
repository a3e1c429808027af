// Runs: the runs of a log directory as users see them.
//
// A directory that holds files is a run. Directories called train, val, validation, test, eval or predict are the
// sub-runs of the directory above: its tags are theirs with their name before it ("train/loss"). They can also be asked
// for by their own name ("a/train"), alone and with their own tags.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/log_directory.h"
#include "tensortap/result.h"

namespace tensortap::query {

// A file of a run, and what stands before its tags in that run.
struct RunPart {
  std::shared_ptr<const store::FollowedFile> file;
  std::string prefix;  // "train/", or empty
};

struct Run {
  std::string name;            // "." for the log directory itself
  std::vector<RunPart> parts;  // by directory, then by file name
};

enum class RunState : std::uint8_t {
  kLive,     // written to within the last minutes, and not closed
  kEnded,    // its writers said that they were done
  kFailed,   // a writer said that the training failed
  kCrashed,  // a capture file without an end, not written to any more
  kUnknown,  // event files of others do not say
};
std::string_view run_state_name(RunState state);  // "live", "ended", "failed", "crashed", "unknown"

struct RunInfo {
  std::string name;
  std::vector<std::string> directories;  // below the log directory
  RunState state = RunState::kUnknown;
  double first_wall_secs = 0;  // 0 when there is none
  double last_wall_secs = 0;
  std::int64_t last_step = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t files = 0;
  std::uint64_t records = 0;
  std::uint64_t tags = 0;
  std::uint64_t points = 0;  // of scalars
  std::uint64_t damaged_places = 0;
  std::uint64_t dropped = 0;  // by its writers
  // What recording took, told by the writers that were closed; none: nobody has told.
  std::optional<double> caller_secs;  // of the threads that recorded
  std::optional<double> worker_secs;  // of one processor beside them
  std::vector<store::Kind> kinds;
};

// All runs at one moment. They go on growing while it lives.
//
// Threads:  const after construction.
// Failure:  find() is kNotFound with names that are near.
// Lifetime: keeps the files it shows.
class Runs {
 public:
  explicit Runs(std::shared_ptr<const store::Snapshot> snapshot);

  const std::vector<Run>& all() const { return runs_; }  // by name; sub-runs are inside their run
  Result<Run> find(std::string_view name) const;         // also sub-runs by their own name
  const store::Snapshot& snapshot() const { return *snapshot_; }

 private:
  std::shared_ptr<const store::Snapshot> snapshot_;
  std::vector<Run> runs_;
};

RunInfo run_info(const Run& run);
RunState run_state(const Run& run);

// What one tag of a run holds, of one kind.
struct SeriesInfo {
  std::string tag;
  store::Kind kind = store::Kind::kScalars;
  std::uint64_t count = 0;  // everything recorded, also what a later attempt replaced
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  double last_wall_secs = 0;
  std::string plugin;
  std::string description;
};

// The series of a run, by tag and kind. Histograms that were derived from captures that are there are left out.
std::vector<SeriesInfo> list_series(const Run& run, std::optional<store::Kind> kind = std::nullopt);

// All tags of a run that have the kind (or any), by name.
std::vector<std::string> list_tags(const Run& run, std::optional<store::Kind> kind = std::nullopt);

}  // namespace tensortap::query
