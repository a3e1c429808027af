// BlockDecoder: a block of frames -> rows, and rows -> the contents of the file.
//
// decode() does the work and touches nothing shared, so that several decoders work on one file at once.
// apply() puts the rows where they belong, quickly, and in the order of the file.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event/capture.h"
#include "event/event_scan.h"
#include "store/file_contents.h"
#include "store/run_files.h"
#include "store/scalar_template.h"

namespace tensortap::store {

// Threads:  one at a time; one for each file and thread.
// Failure:  none; damage goes into the contents.
// Lifetime: the contents given to apply() must be the same each time, and outlive the work on their file.
class BlockDecoder {
 public:
  // Turns to another file; its memory is used again.
  void start(RunFileKind kind);

  // The block must stay as it is until apply().
  void decode(const FrameBlock& block);
  void apply(FileContents& contents);

 private:
  // A tag as this decoder knows it.
  struct LocalTag {
    std::string_view name;
    std::uint32_t index = 0;
    std::uint32_t follower = kUnknown;  // the tag that came next last time: writers repeat themselves
    // Settled by apply(), for only the whole file tells what the first metadata of a tag was.
    Tag* tag = nullptr;
    Series* scalars = nullptr;
    std::optional<Kind> tensor_kind;
    bool described = false;
    std::uint32_t plain_count = 0;
    ScalarTemplate common;
  };
  struct ScalarRow {
    ScalarPoint point;
    std::uint32_t tag;
  };
  struct EntryRow {
    Entry entry;
    std::uint32_t tag;
    Kind kind;
    std::uint32_t stats = 0;  // in stats_, for kStats
  };
  // A tensor of a tag whose kind is not settled yet.
  struct OpenRow {
    Entry entry;
    std::uint32_t tag;
    std::string_view metadata;
    std::optional<double> scalar;
    bool is_tensor = true;
  };
  struct SessionRow {
    std::int64_t step;
    double wall_secs;
    std::size_t scalars, entries, open;  // how many rows came before it
  };

  bool decode_expected(std::string_view record);
  bool decode_plain(std::string_view record, Entry& place);
  void decode_event(std::string_view record, Entry place);
  void add_scalar(const ScalarPoint& point, std::uint32_t tag);
  void decode_value(const event::ScannedValue& value, Entry place);
  void decode_tensor(LocalTag& tag, const event::ScannedValue& value, const Entry& place);
  void decode_capture(std::string_view record, Entry place);
  void decode_body(event::CaptureView& capture, const Entry& place);
  void note_damage(const Entry& place, std::string reason);
  LocalTag& local_tag(std::string_view name);
  Tag& tag_of(LocalTag& local, FileContents& contents);
  void apply_rows(FileContents& contents, const SessionRow& until);
  void apply_open(FileContents& contents, const OpenRow& row);

  RunFileKind kind_ = RunFileKind::kEvents;
  std::vector<LocalTag> tags_;
  std::deque<std::string> names_;  // never move: tags refer to them
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
  std::uint32_t last_tag_ = kUnknown;

  std::vector<ScalarRow> scalars_;  // the first scalar_count_ of them: the rest is room
  std::size_t scalar_count_ = 0;
  std::vector<EntryRow> entries_;
  std::vector<StatsRow> stats_;
  std::vector<OpenRow> open_;
  std::vector<SessionRow> sessions_;
  std::vector<std::pair<std::uint32_t, std::string_view>> descriptions_;  // of tags, by V1 values
  std::vector<Damage> damage_;
  FileNotes notes_;
  SessionRow applied_{};

  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
};

}  // namespace tensortap::store
