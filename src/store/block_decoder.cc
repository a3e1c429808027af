// BlockDecoder for event files, and the way of rows into contents.
#include "store/block_decoder.h"

#include <algorithm>
#include <cstring>

#include "event/event_fields.h"
#include "event/plain_scalar.h"
#include "event/tensor_proto.h"
#include "wire/frame.h"

namespace tensortap::store {

using event::EventForm;
using event::ScannedValue;
using event::ValueForm;

namespace {

constexpr std::size_t kAhead = 8;
// A template pays for itself after some records.
constexpr std::uint32_t kWorthATemplate = 8;

// As a == b, without a call: tags are short, and one is compared for every record.
bool same_text(std::string_view a, std::string_view b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size < sizeof(std::uint64_t)) return a == b;
  auto word = [](const char* at) {
    std::uint64_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return bits;
  };
  const std::size_t last = size - sizeof(std::uint64_t);
  for (std::size_t i = 0; i < last; i += sizeof(std::uint64_t)) {
    if (word(a.data() + i) != word(b.data() + i)) return false;
  }
  return word(a.data() + last) == word(b.data() + last);
}

}  // namespace

void BlockDecoder::start(RunFileKind kind) {
  kind_ = kind;
  tags_.clear();
  by_name_.clear();
  names_.clear();
  last_tag_ = kUnknown;
}

void BlockDecoder::decode(const FrameBlock& block) {
  scalar_count_ = 0;
  entries_.clear(), stats_.clear(), open_.clear(), sessions_.clear(), descriptions_.clear();
  damage_ = block.damage;
  notes_ = {};
  auto misfit = block.found.misfits.begin();
  for (std::uint32_t i = 0; i < block.found.frames.size(); ++i) {
    const FrameBlock::Frame& frame = block.found.frames[i];
    Entry place;
    place.offset = block.offset + frame.at - wire::kHeaderBytes;
    place.data_bytes = frame.length;
    if (misfit != block.found.misfits.end() && *misfit == i) {
      ++misfit;
      note_damage(place, "the record does not fit its CRC");
    } else if (kind_ == RunFileKind::kEvents) {
      const std::string_view record = block.data(frame);
      if (!decode_expected(record) && !decode_plain(record, place)) decode_event(record, place);
    } else {
      decode_capture(block.data(frame), place);
    }
  }
}

void BlockDecoder::note_damage(const Entry& place, std::string reason) {
  damage_.push_back({place.offset, place.data_bytes + wire::kHeaderBytes + wire::kFooterBytes, std::move(reason)});
}

void BlockDecoder::add_scalar(const ScalarPoint& point, std::uint32_t tag) {
  if (scalar_count_ == scalars_.size()) scalars_.resize(std::max<std::size_t>(1024, 2 * scalar_count_));
  scalars_[scalar_count_++] = {point, tag};
}

// The next scalar of a writer that repeats itself; false when it is anything else.
bool BlockDecoder::decode_expected(std::string_view record) {
  if (last_tag_ == kUnknown) return false;
  const std::uint32_t guess = tags_[last_tag_].follower;
  if (guess == kUnknown) return false;
  const ScalarTemplate& common = tags_[guess].common;
  ScalarPoint point;
  if (!common.is_made() || !common.read(record, point)) return false;
  last_tag_ = guess;
  notes_.see(point.wall_secs);
  add_scalar(point, guess);
  return true;
}

// Most records of most files; false when it is not one of them.
bool BlockDecoder::decode_plain(std::string_view record, Entry& place) {
  event::PlainScalar scalar;
  if (!event::scan_plain_scalar(record, scalar)) return false;
  const std::uint32_t last_tag = last_tag_;
  LocalTag& tag = local_tag(scalar.tag);
  std::optional<double> number;
  if (scalar.is_simple) {
    number = scalar.simple_value;
  } else if (tag.tensor_kind.has_value() && *tag.tensor_kind != Kind::kScalars) {
    place.step = scalar.time.step;
    place.wall_secs = scalar.time.wall_secs;
    notes_.see(place.wall_secs);
    entries_.push_back({place, tag.index, *tag.tensor_kind});
    return true;
  } else if (tag.tensor_kind == Kind::kScalars) {
    number = scalar.has_exact_value ? scalar.exact_value : event::scalar_of_tensor(scalar.tensor);
  }
  if (!number.has_value()) {
    last_tag_ = last_tag;  // the long way looks for the tag again, and should find it where it expects it
    return false;
  }
  if (++tag.plain_count == kWorthATemplate) tag.common.make(record, scalar);
  notes_.see(scalar.time.wall_secs);
  add_scalar({scalar.time.step, scalar.time.wall_secs, *number}, tag.index);
  return true;
}

void BlockDecoder::decode_event(std::string_view record, Entry place) {
  event::ScannedEvent event;
  if (!event::scan_event(record, event)) return note_damage(place, "the record is not an Event");
  notes_.see(event.time.wall_secs);
  place.step = event.time.step;
  place.wall_secs = event.time.wall_secs;
  switch (event.form) {
    case EventForm::kSummary: {
      event::SummaryCursor values(event.body);
      ScannedValue value;
      for (; values.next(value); ++place.value_index) decode_value(value, place);
      if (values.damaged()) note_damage(place, "a value in the record cannot be read");
      break;
    }
    case EventForm::kFileVersion: notes_.file_version = event.body; break;
    case EventForm::kSessionLog:
      if (event::session_status_of(event.body) == event::field::kSessionStart) {
        sessions_.push_back({place.step, place.wall_secs, scalar_count_, entries_.size(), open_.size()});
      }
      break;
    case EventForm::kGraphDef: entries_.push_back({place, local_tag("__run_graph__").index, Kind::kGraphs}); break;
    case EventForm::kMetaGraphDef: entries_.push_back({place, local_tag("__meta_graph__").index, Kind::kGraphs}); break;
    case EventForm::kTaggedRunMetadata:
      entries_.push_back({place, local_tag(event::tag_of_run_metadata(event.body)).index, Kind::kGraphs});
      break;
    case EventForm::kNone: break;
  }
}

void BlockDecoder::decode_value(const ScannedValue& value, Entry place) {
  LocalTag& tag = local_tag(value.tag);
  // Forms of TensorFlow 1 say themselves what they are; metadata only describes them.
  if (value.form != ValueForm::kTensor && value.metadata.data() != nullptr && !tag.described) {
    descriptions_.emplace_back(tag.index, value.metadata);
    tag.described = true;
  }
  switch (value.form) {
    case ValueForm::kSimple:
      add_scalar({place.step, place.wall_secs, static_cast<double>(value.simple_value)}, tag.index);
      break;
    case ValueForm::kTensor: decode_tensor(tag, value, place); break;
    case ValueForm::kHistogram: entries_.push_back({place, tag.index, Kind::kHistograms}); break;
    case ValueForm::kImage: entries_.push_back({place, tag.index, Kind::kImages}); break;
    case ValueForm::kAudio: entries_.push_back({place, tag.index, Kind::kAudio}); break;
    case ValueForm::kNone:
      // Hyperparameters are all in the metadata.
      open_.push_back({place, tag.index, value.metadata, std::nullopt, false});
      break;
  }
}

void BlockDecoder::decode_tensor(LocalTag& tag, const ScannedValue& value, const Entry& place) {
  if (tag.tensor_kind.has_value() && *tag.tensor_kind != Kind::kScalars) {
    entries_.push_back({place, tag.index, *tag.tensor_kind});
    return;
  }
  std::optional<double> number =
      value.has_exact_value ? std::optional(value.exact_value) : event::scalar_of_tensor(value.body);
  if (!tag.tensor_kind.has_value()) {
    open_.push_back({place, tag.index, value.metadata, number});
  } else if (number.has_value()) {
    add_scalar({place.step, place.wall_secs, *number}, tag.index);
  } else {
    note_damage(place, "a scalar's tensor does not hold one number");
  }
}

BlockDecoder::LocalTag& BlockDecoder::local_tag(std::string_view name) {
  if (last_tag_ != kUnknown) {
    const std::uint32_t guess = tags_[last_tag_].follower;
    if (guess != kUnknown && same_text(tags_[guess].name, name)) {
      last_tag_ = guess;
      return tags_[guess];
    }
  }
  std::uint32_t index;
  if (auto known = by_name_.find(name); known != by_name_.end()) {
    index = known->second;
  } else {
    index = static_cast<std::uint32_t>(tags_.size());
    names_.emplace_back(name);
    tags_.emplace_back();
    tags_.back().name = names_.back();
    tags_.back().index = index;
    by_name_.emplace(names_.back(), index);
  }
  if (last_tag_ != kUnknown) tags_[last_tag_].follower = index;
  last_tag_ = index;
  return tags_[index];
}

Tag& BlockDecoder::tag_of(LocalTag& local, FileContents& contents) {
  if (local.tag == nullptr) local.tag = &contents.tag(local.name);
  return *local.tag;
}

void BlockDecoder::apply_open(FileContents& contents, const OpenRow& row) {
  LocalTag& local = tags_[row.tag];
  Tag& tag = tag_of(local, contents);
  contents.learn(tag, row.metadata);
  std::optional<Kind> kind;
  if (tag.info != nullptr) {
    event::Metadata metadata;
    metadata.plugin = tag.info->plugin;
    metadata.data_class = tag.info->data_class;
    kind = kind_of(metadata);
  }
  // A tag and nothing else says nothing.
  if (!kind.has_value() && !row.is_tensor) return;
  // Without metadata a number is a scalar; TensorBoard would not show it at all.
  if (!kind.has_value()) kind = row.scalar.has_value() ? Kind::kScalars : Kind::kTensors;
  if (row.is_tensor) local.tensor_kind = kind;
  if (*kind != Kind::kScalars) {
    contents.series(tag, *kind).add(row.entry);
  } else if (row.scalar.has_value()) {
    if (local.scalars == nullptr) local.scalars = &contents.series(tag, Kind::kScalars);
    local.scalars->scalars.append({row.entry.step, row.entry.wall_secs, *row.scalar}, contents.arena());
  } else {
    contents.damage.add({row.entry.offset, row.entry.data_bytes + wire::kHeaderBytes + wire::kFooterBytes,
                         "a scalar's tensor does not hold one number"});
  }
}

void BlockDecoder::apply_rows(FileContents& contents, const SessionRow& until) {
  for (std::size_t i = applied_.open; i < until.open; ++i) apply_open(contents, open_[i]);
  for (std::size_t i = applied_.scalars; i < until.scalars; ++i) {
    // With thousands of tags every series is a cache miss: ask for some in advance.
    if (i + 2 * kAhead < until.scalars) {
      __builtin_prefetch(tags_[scalars_[i + 2 * kAhead].tag].scalars);
      if (const Series* soon = tags_[scalars_[i + kAhead].tag].scalars) soon->scalars.prefetch();
    }
    LocalTag& local = tags_[scalars_[i].tag];
    if (local.scalars == nullptr) local.scalars = &contents.series(tag_of(local, contents), Kind::kScalars);
    local.scalars->scalars.append(scalars_[i].point, contents.arena());
  }
  for (std::size_t i = applied_.entries; i < until.entries; ++i) {
    const EntryRow& row = entries_[i];
    Series& series = contents.series(tag_of(tags_[row.tag], contents), row.kind);
    series.add(row.entry);
    if (row.kind == Kind::kStats) series.stats.push_back(stats_[row.stats]);
  }
  applied_ = until;
}

void BlockDecoder::apply(FileContents& contents) {
  applied_ = {};
  for (const auto& [tag, metadata] : descriptions_) contents.learn(tag_of(tags_[tag], contents), metadata);
  for (const SessionRow& session : sessions_) {
    apply_rows(contents, session);
    contents.start_session(session.step, session.wall_secs);
  }
  apply_rows(contents, {0, 0, scalar_count_, entries_.size(), open_.size()});

  FileNotes& notes = contents.notes;
  notes.records += notes_.records;
  notes.first_wall_secs = std::min(notes.first_wall_secs, notes_.first_wall_secs);
  notes.last_wall_secs = std::max(notes.last_wall_secs, notes_.last_wall_secs);
  if (!notes_.file_version.empty()) notes.file_version = std::move(notes_.file_version);
  if (notes_.writer.has_value()) notes.writer = std::move(notes_.writer);
  if (notes_.ending.has_value()) notes.ending = notes_.ending;
  if (!notes_.unsupported.empty()) notes.unsupported = std::move(notes_.unsupported);
  notes.dropped = std::max(notes.dropped, notes_.dropped);
  for (Damage& each : damage_) contents.damage.add(std::move(each));
}

}  // namespace tensortap::store
