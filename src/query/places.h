// Places: where the values of a series stand that are not scalars, and how their bytes are fetched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "event/capture.h"
#include "event/event_scan.h"
#include "query/runs.h"
#include "query/selection.h"

namespace tensortap::query {

// One value of a series, still in its file.
struct Place {
  store::Entry entry;
  std::shared_ptr<const store::FollowedFile> file;
  store::Kind kind = store::Kind::kTensors;
  store::StatsRow stats;  // kStats only
};

std::int64_t step_of(const Place& place);
double wall_of(const Place& place);

// The values of a series of one kind, in order of steps (raw: of the files).
// kNotFound, with names that are near. `tag` is the run's name of it ("train/loss").
Result<std::vector<Place>> places(const Run& run, std::string_view tag, store::Kind kind, const Selection& selection);

// The last value at `step`. kNotFound names the steps that are near.
Result<Place> place_at(const Run& run, std::string_view tag, store::Kind kind, std::int64_t step);

// The first metadata of a tag in the run; null when there is none.
std::shared_ptr<const store::TagInfo> tag_info(const Run& run, std::string_view tag, store::Kind kind);

// The record a value stands in, read again and its CRC checked. kCorrupt when the file has changed since.
Result<std::string> read_record(const Place& place);

// The value itself within an event record: its form, body and metadata, as views into `record`. kCorrupt.
Result<event::ScannedValue> value_of(const Place& place, std::string_view record);

}  // namespace tensortap::query
