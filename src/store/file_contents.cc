// FileContents: looking up and making tags and series.
#include "store/file_contents.h"

#include <algorithm>
#include <cmath>

#include "event/event_scan.h"

namespace tensortap::store {

void FileNotes::see(double wall_secs) {
  ++records;
  if (!std::isfinite(wall_secs)) return;
  first_wall_secs = std::min(first_wall_secs, wall_secs);
  last_wall_secs = std::max(last_wall_secs, wall_secs);
}

void DamageLog::add(Damage damage) {
  ++places;
  size_bytes += damage.size_bytes;
  if (first.size() < kRemembered) first.push_back(std::move(damage));
}

Tag& FileContents::tag(std::string_view name) {
  if (auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
  tags_.push_back(std::make_unique<Tag>());
  Tag& made = *tags_.back();
  made.name = name;
  by_name_.emplace(made.name, &made);
  return made;
}

Series& FileContents::series(Tag& tag, Kind kind) {
  if (Series* known = tag.find(kind)) return *known;
  tag.series.push_back(std::make_unique<Series>());
  Series& made = *tag.series.back();
  made.kind = kind;
  all_series_.push_back(&made);
  return made;
}

void FileContents::learn(Tag& tag, std::string_view encoded_metadata) {
  if (tag.info != nullptr || encoded_metadata.data() == nullptr) return;
  auto [known, is_new] = infos_.try_emplace(std::string(encoded_metadata));
  if (is_new) {
    event::Metadata metadata;
    auto info = std::make_shared<TagInfo>();
    if (event::scan_metadata(encoded_metadata, metadata)) {
      *info = {std::string(metadata.plugin),       std::string(metadata.content), std::string(metadata.description),
               std::string(metadata.display_name), metadata.data_class,           metadata.derived};
    }
    known->second = std::move(info);
  }
  tag.info = known->second;
}

const Tag* FileContents::find(std::string_view name) const {
  auto known = by_name_.find(name);
  return known == by_name_.end() ? nullptr : known->second;
}

const Series* FileContents::find(std::string_view name, Kind kind) const {
  const Tag* known = find(name);
  return known == nullptr ? nullptr : known->find(kind);
}

void FileContents::start_session(std::int64_t step, double wall_secs) {
  SessionStart start{step, wall_secs, {}};
  start.sizes.reserve(all_series_.size());
  for (const Series* each : all_series_) start.sizes.push_back(each->size());
  notes.session_starts.push_back(std::move(start));
}

}  // namespace tensortap::store
