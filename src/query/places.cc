// Places: from entries in memory to records on disk.
#include "query/places.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "query/part_series.h"
#include "wire/frame.h"

namespace tensortap::query {

std::int64_t step_of(const Place& place) { return place.entry.step; }
double wall_of(const Place& place) { return place.entry.wall_secs; }

namespace {

FileValues<Place> values_in(const RunPart& part, std::string_view name, store::Kind kind, bool skip_derived) {
  FileValues<Place> found;
  part.file->read([&](const store::FileContents& contents) {
    const store::Tag* tag = contents.find(name);
    const store::Series* series = tag == nullptr ? nullptr : tag->find(kind);
    found.cuts = session_cuts(contents, series);
    if (series == nullptr || (skip_derived && tag->info != nullptr && tag->info->derived)) return;
    found.values.reserve(series->entries.size());
    for (std::size_t i = 0; i < series->entries.size(); ++i) {
      Place place{series->entries[i], part.file, kind, {}};
      if (i < series->stats.size()) place.stats = series->stats[i];
      found.values.push_back(std::move(place));
    }
  });
  return found;
}

bool is_capture(store::Kind kind) { return kind == store::Kind::kStats || kind == store::Kind::kPredictions; }

}  // namespace

Result<std::vector<Place>> places(const Run& run, std::string_view tag, store::Kind kind, const Selection& selection) {
  const bool skip_derived = kind == store::Kind::kHistograms && is_captured(run, tag);
  std::vector<FileValues<Place>> files;
  bool is_there = false, from_captures = is_capture(kind);
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, tag);
    if (!name.has_value()) continue;
    files.push_back(values_in(part, *name, kind, skip_derived));
    if (files.back().values.empty()) continue;
    is_there = true;
    from_captures |= part.file->file().kind == store::RunFileKind::kCaptures;
  }
  if (!is_there) return no_such_tag(run, tag, kind);
  std::vector<Place> found;
  if (selection.raw) {
    for (auto& file : files) std::move(file.values.begin(), file.values.end(), std::back_inserter(found));
  } else {
    found = visible(std::move(files), from_captures);
  }
  std::erase_if(found, [&](const Place& place) { return !selection.has(place.entry.step); });
  return found;
}

Result<Place> place_at(const Run& run, std::string_view tag, store::Kind kind, std::int64_t step) {
  auto all = places(run, tag, kind, {});
  if (!all.ok()) return all.status();
  const std::vector<Place>& found = *all;
  auto after = std::upper_bound(found.begin(), found.end(), step,
                                [](std::int64_t wanted, const Place& place) { return wanted < place.entry.step; });
  if (after != found.begin() && std::prev(after)->entry.step == step) return *std::prev(after);
  std::string message = "'" + std::string(tag) + "' has nothing at step " + std::to_string(step);
  if (!found.empty()) {
    const bool is_between = after != found.begin() && after != found.end();
    message += is_between ? "; the nearest steps are" : "; the nearest step is";
    if (after != found.begin()) message += " " + std::to_string(std::prev(after)->entry.step);
    if (is_between) message += " and";
    if (after != found.end()) message += " " + std::to_string(after->entry.step);
  }
  return Status(StatusCode::kNotFound, message);
}

std::shared_ptr<const store::TagInfo> tag_info(const Run& run, std::string_view tag, store::Kind kind) {
  std::shared_ptr<const store::TagInfo> info;
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, tag);
    if (!name.has_value() || info != nullptr) continue;
    info = part.file->read([&](const store::FileContents& contents) {
      const store::Tag* found = contents.find(*name);
      return found != nullptr && found->find(kind) != nullptr ? found->info : nullptr;
    });
  }
  return info;
}

Result<std::string> read_record(const Place& place) {
  const store::RunFile& file = place.file->file();
  auto opened = store::ReadFile::open(file.root, file.relative, place.file->links());
  if (!opened.ok()) return opened.status();
  std::string frame(place.entry.data_bytes + wire::kHeaderBytes + wire::kFooterBytes, '\0');
  auto got = opened->read(place.entry.offset, std::as_writable_bytes(std::span(frame)));
  if (!got.ok()) return got.status();
  auto record = wire::decode_frame(bytes_of(std::string_view(frame).substr(0, *got)));
  if (!record.ok() || record->size() != place.entry.data_bytes) {
    return Status(StatusCode::kCorrupt, "the record at offset " + std::to_string(place.entry.offset) + " of " +
                                            file.path() + " is not there any more: the file was changed; refresh");
  }
  std::memmove(frame.data(), frame.data() + wire::kHeaderBytes, place.entry.data_bytes);
  frame.resize(place.entry.data_bytes);
  return frame;
}

Result<event::ScannedValue> value_of(const Place& place, std::string_view record) {
  event::ScannedEvent event;
  if (event::scan_event(record, event) && event.form == event::EventForm::kSummary) {
    event::SummaryCursor values(event.body);
    event::ScannedValue value;
    for (std::uint32_t index = 0; values.next(value); ++index) {
      if (index == place.entry.value_index) return value;
    }
  }
  return Status(StatusCode::kCorrupt, "the value at offset " + std::to_string(place.entry.offset) + " of " +
                                          place.file->file().path() + " cannot be read");
}

}  // namespace tensortap::query
