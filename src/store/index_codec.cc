// IndexCodec: plain structs one after the other, every length checked on the way back.
#include "store/index_codec.h"

#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tensortap::store {
namespace {

// A sealed block as it stands in the bytes; its data follows behind all blocks of the series.
struct SavedBlock {
  std::int64_t first_step, last_step;
  double min, max;
  std::uint64_t non_finite;
  std::uint64_t layout;
};

class Writer {
 public:
  template <typename T>
  void value(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    value<std::uint64_t>(text.size());
    bytes += text;
  }
  template <typename T>
  void array(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    value<std::uint64_t>(values.size());
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  std::string bytes;
};

// Once `bad`, everything it gives is zero or empty.
class Reader {
 public:
  Reader(const std::byte* from, const std::byte* to) : at_(from), end_(to) {}

  const std::byte* take(std::uint64_t untrusted_bytes) {
    if (untrusted_bytes > static_cast<std::uint64_t>(end_ - at_)) bad = true;
    if (bad) return nullptr;
    const std::byte* taken = at_;
    at_ += untrusted_bytes;
    return taken;
  }
  template <typename T>
  T value() {
    T value{};
    if (const std::byte* from = take(sizeof value)) std::memcpy(&value, from, sizeof value);
    return value;
  }
  std::string text() {
    const auto size = value<std::uint64_t>();
    const std::byte* from = take(size);
    return bad ? std::string() : std::string(reinterpret_cast<const char*>(from), size);
  }
  // A count of things that take at least `each_bytes`.
  std::uint64_t count(std::size_t each_bytes) {
    const auto count = value<std::uint64_t>();
    if (count > static_cast<std::uint64_t>(end_ - at_) / each_bytes) bad = true;
    return bad ? 0 : count;
  }
  template <typename T>
  std::vector<T> array() {
    std::vector<T> values(count(sizeof(T)));
    const std::byte* from = take(values.size() * sizeof(T));
    if (!bad && !values.empty()) std::memcpy(values.data(), from, values.size() * sizeof(T));
    return values;
  }
  bool at_end() const { return !bad && at_ == end_; }

  bool bad = false;

 private:
  const std::byte* at_;
  const std::byte* end_;
};

void write_notes(Writer& out, const FileNotes& notes) {
  out.value(notes.records);
  out.value(notes.first_wall_secs);
  out.value(notes.last_wall_secs);
  out.text(notes.file_version);
  out.value(notes.writer.has_value());
  if (notes.writer.has_value()) {
    out.value(notes.writer->format_version);
    out.text(notes.writer->name);
    out.text(notes.writer->host);
    out.value(notes.writer->process_id);
  }
  out.value(notes.ending.has_value());
  if (notes.ending.has_value()) {
    out.value(notes.ending->success);
    out.value(notes.ending->offered);
    out.value(notes.ending->dropped);
    out.value(notes.ending->caller_secs);
    out.value(notes.ending->worker_secs);
  }
  out.value(notes.dropped);
  out.value<std::uint64_t>(notes.session_starts.size());
  for (const SessionStart& start : notes.session_starts) {
    out.value(start.step);
    out.value(start.wall_secs);
    out.array(start.sizes);
  }
  out.text(notes.unsupported);
}

void read_notes(Reader& in, FileNotes& notes) {
  notes.records = in.value<std::uint64_t>();
  notes.first_wall_secs = in.value<double>();
  notes.last_wall_secs = in.value<double>();
  notes.file_version = in.text();
  if (in.value<std::uint8_t>() != 0) {
    notes.writer.emplace();
    notes.writer->format_version = in.value<std::uint32_t>();
    notes.writer->name = in.text();
    notes.writer->host = in.text();
    notes.writer->process_id = in.value<std::uint64_t>();
  }
  if (in.value<std::uint8_t>() != 0) {
    notes.ending.emplace();
    notes.ending->success = in.value<std::uint8_t>() != 0;
    notes.ending->offered = in.value<std::uint64_t>();
    notes.ending->dropped = in.value<std::uint64_t>();
    notes.ending->caller_secs = in.value<double>();
    notes.ending->worker_secs = in.value<double>();
  }
  notes.dropped = in.value<std::uint64_t>();
  notes.session_starts.resize(in.count(3 * sizeof(std::uint64_t)));
  for (SessionStart& start : notes.session_starts) {
    start.step = in.value<std::int64_t>();
    start.wall_secs = in.value<double>();
    start.sizes = in.array<std::uint64_t>();
  }
  notes.unsupported = in.text();
}

void write_damage(Writer& out, const DamageLog& damage) {
  out.value(damage.places);
  out.value(damage.size_bytes);
  out.value<std::uint64_t>(damage.first.size());
  for (const Damage& each : damage.first) {
    out.value(each.offset);
    out.value(each.size_bytes);
    out.text(each.reason);
  }
}

void read_damage(Reader& in, DamageLog& damage) {
  damage.places = in.value<std::uint64_t>();
  damage.size_bytes = in.value<std::uint64_t>();
  damage.first.resize(in.count(3 * sizeof(std::uint64_t)));
  for (Damage& each : damage.first) {
    each.offset = in.value<std::uint64_t>();
    each.size_bytes = in.value<std::uint64_t>();
    each.reason = in.text();
  }
}

void write_info(Writer& out, const TagInfo& info) {
  out.text(info.plugin);
  out.text(info.content);
  out.text(info.description);
  out.text(info.display_name);
  out.value(info.data_class);
  out.value(info.derived);
}

std::shared_ptr<const TagInfo> read_info(Reader& in) {
  auto info = std::make_shared<TagInfo>();
  info->plugin = in.text();
  info->content = in.text();
  info->description = in.text();
  info->display_name = in.text();
  info->data_class = static_cast<event::DataClass>(in.value<std::uint8_t>() & 3);
  info->derived = in.value<std::uint8_t>() != 0;
  return info;
}

void write_tags(Writer& out, const FileContents& contents) {
  std::map<const TagInfo*, std::uint32_t> infos;
  std::vector<const TagInfo*> in_order;
  for (const auto& tag : contents.tags()) {
    if (tag->info && infos.emplace(tag->info.get(), infos.size() + 1).second) in_order.push_back(tag->info.get());
  }
  out.value<std::uint64_t>(in_order.size());
  for (const TagInfo* info : in_order) write_info(out, *info);
  out.value<std::uint64_t>(contents.tags().size());
  for (const auto& tag : contents.tags()) {
    out.text(tag->name);
    out.value<std::uint32_t>(tag->info ? infos[tag->info.get()] : 0);
  }
}

std::vector<Tag*> read_tags(Reader& in, FileContents& contents) {
  std::vector<std::shared_ptr<const TagInfo>> infos(1);
  for (std::uint64_t left = in.count(4 * sizeof(std::uint64_t)); left > 0 && !in.bad; --left) {
    infos.push_back(read_info(in));
  }
  std::vector<Tag*> tags;
  for (std::uint64_t left = in.count(sizeof(std::uint64_t)); left > 0 && !in.bad; --left) {
    Tag& tag = contents.tag(in.text());
    const auto info = in.value<std::uint32_t>();
    if (info >= infos.size()) in.bad = true;
    if (!in.bad) tag.info = infos[info];
    tags.push_back(&tag);
  }
  return tags;
}

void write_scalars(Writer& out, const ScalarColumn& column) {
  out.value<std::uint64_t>(column.blocks().size());
  for (const ScalarColumn::Block& block : column.blocks()) {
    out.value(SavedBlock{block.first_step, block.last_step, block.extremes.min, block.extremes.max,
                         block.extremes.non_finite, block.layout});
  }
  for (const ScalarColumn::Block& block : column.blocks()) {
    out.bytes.append(reinterpret_cast<const char*>(block.data), ScalarColumn::block_bytes(block.layout));
  }
  const std::size_t sealed = column.blocks().size() * ScalarColumn::kBlockPoints;
  std::vector<ScalarPoint> tail;
  for (std::size_t i = sealed; i < column.size(); ++i) tail.push_back(column.at(i));
  out.array(tail);
}

void read_scalars(Reader& in, ScalarColumn& column, Arena& arena) {
  const std::uint64_t count = in.count(sizeof(SavedBlock));
  const std::byte* heads = in.take(count * sizeof(SavedBlock));
  for (std::uint64_t i = 0; i < count && !in.bad; ++i) {
    SavedBlock saved;
    std::memcpy(&saved, heads + i * sizeof saved, sizeof saved);
    const auto layout = static_cast<std::uint8_t>(saved.layout & 7);
    const std::byte* data = in.take(ScalarColumn::block_bytes(layout));
    if (in.bad) return;
    column.restore({data, saved.first_step, saved.last_step, {saved.min, saved.max, saved.non_finite}, layout});
  }
  for (const ScalarPoint& point : in.array<ScalarPoint>()) column.append(point, arena);
}

void write_series(Writer& out, const FileContents& contents) {
  std::map<const Series*, std::uint32_t> tag_of;
  for (std::uint32_t i = 0; i < contents.tags().size(); ++i) {
    for (const auto& each : contents.tags()[i]->series) tag_of[each.get()] = i;
  }
  out.value<std::uint64_t>(contents.all_series().size());
  for (const Series* series : contents.all_series()) {
    out.value<std::uint32_t>(tag_of[series]);
    out.value(series->kind);
    if (series->kind == Kind::kScalars) {
      write_scalars(out, series->scalars);
    } else {
      out.array(series->entries);
      out.array(series->stats);
    }
  }
}

void read_series(Reader& in, FileContents& contents, const std::vector<Tag*>& tags) {
  for (std::uint64_t left = in.count(sizeof(std::uint32_t)); left > 0; --left) {
    const auto tag = in.value<std::uint32_t>();
    const auto kind = in.value<std::uint8_t>();
    if (tag >= tags.size() || kind >= kKinds || tags[tag]->find(static_cast<Kind>(kind)) != nullptr) in.bad = true;
    if (in.bad) return;
    Series& series = contents.series(*tags[tag], static_cast<Kind>(kind));
    if (series.kind == Kind::kScalars) {
      read_scalars(in, series.scalars, contents.arena());
      continue;
    }
    for (const Entry& entry : in.array<Entry>()) series.add(entry);
    series.stats = in.array<StatsRow>();
    if (series.kind == Kind::kStats && series.stats.size() != series.entries.size()) in.bad = true;
  }
}

}  // namespace

std::string encode_contents(const FileContents& contents) {
  Writer out;
  std::size_t estimate = 4096;
  for (const Series* each : contents.all_series()) estimate += 64 + each->size() * 14;
  out.bytes.reserve(estimate);
  write_notes(out, contents.notes);
  write_damage(out, contents.damage);
  write_tags(out, contents);
  write_series(out, contents);
  return std::move(out.bytes);
}

std::unique_ptr<FileContents> decode_contents(ByteBlock bytes, std::size_t size_bytes, std::size_t from) {
  auto contents = std::make_unique<FileContents>();
  Reader in(bytes.get() + from, bytes.get() + size_bytes);
  contents->arena().adopt(std::move(bytes));
  read_notes(in, contents->notes);
  read_damage(in, contents->damage);
  const std::vector<Tag*> tags = read_tags(in, *contents);
  read_series(in, *contents, tags);
  return in.at_end() ? std::move(contents) : nullptr;
}

}  // namespace tensortap::store
