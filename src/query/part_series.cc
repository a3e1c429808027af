// PartSeries: prefixes, session starts, and what to say when a tag is not there.
#include "query/part_series.h"

#include <algorithm>

#include "base/near_names.h"

namespace tensortap::query {

std::optional<std::string_view> tag_within(const RunPart& part, std::string_view tag) {
  if (!tag.starts_with(part.prefix)) return std::nullopt;
  return tag.substr(part.prefix.size());
}

std::set<std::string> captured_tags(const Run& run) {
  std::set<std::string> tags;
  for (const RunPart& part : run.parts) {
    if (part.file->file().kind != store::RunFileKind::kCaptures) continue;
    part.file->read([&](const store::FileContents& contents) {
      for (const auto& tag : contents.tags()) {
        if (tag->find(store::Kind::kStats) != nullptr) tags.insert(part.prefix + tag->name);
      }
    });
  }
  return tags;
}

bool is_captured(const Run& run, std::string_view tag) { return has_series(run, tag, store::Kind::kStats); }

bool has_series(const Run& run, std::string_view tag, store::Kind kind) {
  return std::any_of(run.parts.begin(), run.parts.end(), [&](const RunPart& part) {
    const auto name = tag_within(part, tag);
    return name.has_value() && part.file->read([&](const store::FileContents& contents) {
      const store::Series* series = contents.find(*name, kind);
      return series != nullptr && series->size() > 0;
    });
  });
}

std::uint64_t count_values(const Run& run, std::string_view tag, store::Kind kind) {
  std::uint64_t count = 0;
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, tag);
    if (!name.has_value()) continue;
    part.file->read([&](const store::FileContents& contents) {
      const store::Series* series = contents.find(*name, kind);
      if (series != nullptr) count += series->size();
    });
  }
  return count;
}

std::vector<SessionCut> session_cuts(const store::FileContents& contents, const store::Series* series) {
  std::vector<SessionCut> cuts;
  if (contents.notes.session_starts.empty()) return cuts;
  const auto& all = contents.all_series();
  const auto ordinal = static_cast<std::size_t>(std::find(all.begin(), all.end(), series) - all.begin());
  for (const store::SessionStart& start : contents.notes.session_starts) {
    const std::uint64_t before = ordinal < start.sizes.size() ? start.sizes[ordinal] : 0;
    cuts.push_back({static_cast<std::size_t>(before), start.step, start.wall_secs});
  }
  return cuts;
}

Status no_such_tag(const Run& run, std::string_view tag, store::Kind kind) {
  std::string kinds;
  std::vector<std::string> names;
  for (const SeriesInfo& info : list_series(run)) {
    if (info.tag == tag) kinds += (kinds.empty() ? "" : ", ") + std::string(store::kind_name(info.kind));
    if (info.kind == kind) names.push_back(info.tag);
  }
  const std::string what = std::string(store::kind_name(kind));
  if (!kinds.empty()) {
    return Status(StatusCode::kNotFound,
                  "run '" + run.name + "' has no " + what + " under '" + std::string(tag) + "', but " + kinds);
  }
  std::string message = "run '" + run.name + "' has no " + what + " under '" + std::string(tag) + "'";
  message += names.empty() ? ", and no " + what + " at all" : "." + did_you_mean(tag, names);
  return Status(StatusCode::kNotFound, message);
}

}  // namespace tensortap::query
