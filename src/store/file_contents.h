// FileContents: everything that was read of one file.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/arena.h"
#include "store/frame_scan.h"
#include "store/series.h"

namespace tensortap::store {

// A SessionLog.START: what came before it, at its step or later, belongs to an earlier attempt.
struct SessionStart {
  std::int64_t step = 0;
  double wall_secs = 0;
  std::vector<std::uint64_t> sizes;  // of the series there were, in the order of FileContents::all_series()
};

// What the first record of a capture file says about its writer.
struct CaptureWriter {
  std::uint32_t format_version = 0;
  std::string name;
  std::string host;
  std::uint64_t process_id = 0;
};

struct CaptureEnding {
  bool success = false;
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
  double caller_secs = 0;
  double worker_secs = 0;
};

// What a file says besides its values.
struct FileNotes {
  std::uint64_t records = 0;
  double first_wall_secs = std::numeric_limits<double>::infinity();
  double last_wall_secs = -std::numeric_limits<double>::infinity();
  std::string file_version;
  std::optional<CaptureWriter> writer;
  std::optional<CaptureEnding> ending;
  std::uint64_t dropped = 0;  // by the writer, as it said itself
  std::vector<SessionStart> session_starts;
  std::string unsupported;  // why nothing of the file is shown; empty for all files we understand

  void see(double wall_secs);
};

// The damage of a file: all of it counted, the first of it remembered.
struct DamageLog {
  static constexpr std::size_t kRemembered = 1000;
  std::vector<Damage> first;
  std::uint64_t places = 0;
  std::uint64_t size_bytes = 0;

  void add(Damage damage);
};

// Threads:  one writer, or any number of readers; FollowedFile holds the lock.
// Failure:  none but for memory.
// Lifetime: owns everything it shows.
class FileContents {
 public:
  FileNotes notes;
  DamageLog damage;

  // Finds or makes.
  Tag& tag(std::string_view name);
  Series& series(Tag& tag, Kind kind);
  // The first metadata of a tag counts, here and in TensorBoard.
  void learn(Tag& tag, std::string_view encoded_metadata);

  const Tag* find(std::string_view name) const;
  const Series* find(std::string_view name, Kind kind) const;
  const std::vector<std::unique_ptr<Tag>>& tags() const { return tags_; }  // by first appearance
  const std::vector<Series*>& all_series() const { return all_series_; }   // by first appearance

  void start_session(std::int64_t step, double wall_secs);

  Arena& arena() { return arena_; }

 private:
  std::vector<std::unique_ptr<Tag>> tags_;
  std::unordered_map<std::string_view, Tag*> by_name_;
  std::vector<Series*> all_series_;
  // Thousands of tags say the same about themselves.
  std::unordered_map<std::string, std::shared_ptr<const TagInfo>> infos_;
  Arena arena_;
};

}  // namespace tensortap::store
