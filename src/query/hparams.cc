// Hyperparameters: the newest session of a run, and how it ended.
#include "event/hparams_decode.h"
#include "event/plugins.h"
#include "query/media.h"
#include "query/place_values.h"

namespace tensortap::query {
namespace {

using event::HParamsEnd;
using event::HParamsStart;
using event::HParamsStatus;
using event::ScannedValue;
using store::Kind;

// A start or an end of a session, and the part of the run it stands in.
struct Session {
  Place place;
  std::string prefix;
};

// The newest value of a tag in any part of the run; nullopt when there is none.
// With `of`, only in that part and not before it: an end belongs to the start before it.
std::optional<Session> newest(const Run& run, std::string_view tag, const Session* of) {
  std::optional<Session> found;
  for (const RunPart& part : run.parts) {
    if (of != nullptr && part.prefix != of->prefix) continue;
    part.file->read([&](const store::FileContents& contents) {
      const store::Series* series = contents.find(tag, Kind::kHParams);
      if (series == nullptr) return;
      for (const store::Entry& entry : series->entries) {
        if (of != nullptr && entry.wall_secs < of->place.entry.wall_secs) continue;
        if (found && entry.wall_secs < found->place.entry.wall_secs) continue;
        found.emplace(Session{Place{entry, part.file, Kind::kHParams, {}}, part.prefix});
      }
    });
  }
  return found;
}

// The plug-in's bytes in the metadata of a value; the tensor beside them is empty.
template <typename T>
Result<T> decoded(const Place& place, Result<T> (*decode)(std::string_view)) {
  return use_value(place, "hyperparameters", [&](const ScannedValue& value) -> Result<T> {
    event::Metadata metadata;
    if (!event::scan_metadata(value.metadata, metadata)) {
      return Status(StatusCode::kCorrupt, "the metadata of the value cannot be read");
    }
    return decode(metadata.content);
  });
}

}  // namespace

Result<std::optional<RunHParams>> hparams(const Run& run) {
  const std::optional<Session> start = newest(run, event::kHParamsStartTag, nullptr);
  if (!start) return std::optional<RunHParams>();
  Result<HParamsStart> started = decoded(start->place, event::decode_hparams_start);
  if (!started.ok()) return started.status();
  RunHParams hparams{std::move(started->hparams), std::move(started->group_name), started->start_secs, {}, 0};

  const std::optional<Session> end = newest(run, event::kHParamsEndTag, &*start);
  if (!end) return std::optional(std::move(hparams));
  Result<HParamsEnd> ended = decoded(end->place, event::decode_hparams_end);
  if (!ended.ok()) return ended.status();
  hparams.end_secs = ended->end_secs;
  if (ended->status == HParamsStatus::kSuccess) hparams.success = true;
  if (ended->status == HParamsStatus::kFailure) hparams.success = false;
  return std::optional(std::move(hparams));
}

}  // namespace tensortap::query
