// Catalog: tags counted run by run, without a list for each run.
#include "query/catalog.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "query/part_series.h"

namespace tensortap::query {
namespace {

using store::Kind;
using store::Series;

// Finds by the parts of a key, without making one.
struct TagName {
  std::string_view prefix, name;
  Kind kind;
};
struct TagHash {
  using is_transparent = void;
  std::size_t operator()(const TagName& tag) const {
    // What stands before the name is mostly nothing.
    if (tag.prefix.empty()) return of(tag.name, tag.kind);
    return of(std::string(tag.prefix).append(tag.name), tag.kind);
  }
  std::size_t operator()(const std::pair<std::string, Kind>& tag) const { return of(tag.first, tag.second); }
  static std::size_t of(std::string_view name, Kind kind) {
    return std::hash<std::string_view>()(name) + static_cast<std::size_t>(kind);
  }
};
struct TagEqual {
  using is_transparent = void;
  bool operator()(const std::pair<std::string, Kind>& a, const std::pair<std::string, Kind>& b) const { return a == b; }
  bool operator()(const TagName& a, const std::pair<std::string, Kind>& b) const {
    const std::string_view name = b.first;
    return a.kind == b.second && name.size() == a.prefix.size() + a.name.size() && name.starts_with(a.prefix) &&
           name.ends_with(a.name);
  }
  bool operator()(const std::pair<std::string, Kind>& a, const TagName& b) const { return (*this)(b, a); }
};

class CatalogBuilder {
 public:
  explicit CatalogBuilder(std::optional<Kind> kind) : kind_(kind) {}

  void add(const Run& run, std::size_t number) {
    std::optional<std::set<std::string>> captured;  // only where something was derived
    for (const RunPart& part : run.parts) {
      // Before the contents are locked: it reads the other files.
      if (!captured.has_value() && has_derived(part)) captured = captured_tags(run);
      part.file->read([&](const store::FileContents& contents) {
        for (const auto& tag : contents.tags()) {
          for (const auto& series : tag->series) {
            if (series->size() == 0 || (kind_.has_value() && series->kind != *kind_)) continue;
            const bool is_copy = series->kind == Kind::kHistograms && tag->info != nullptr && tag->info->derived &&
                                 captured.has_value() && captured->contains(part.prefix + tag->name);
            if (!is_copy) add(entry({part.prefix, tag->name, series->kind}), *series, number);
          }
        }
      });
    }
  }

  std::vector<CatalogTag> take() && {
    std::sort(tags_.begin(), tags_.end(), [](const CatalogTag& a, const CatalogTag& b) {
      return std::tie(a.tag, a.kind) < std::tie(b.tag, b.kind);
    });
    return std::move(tags_);
  }

 private:
  static bool has_derived(const RunPart& part) {
    return part.file->read([](const store::FileContents& contents) {
      return std::any_of(contents.tags().begin(), contents.tags().end(),
                         [](const auto& tag) { return tag->info != nullptr && tag->info->derived; });
    });
  }

  CatalogTag& entry(const TagName& name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return tags_[known->second];
    std::string tag = std::string(name.prefix).append(name.name);
    numbers_.emplace(std::pair(tag, name.kind), tags_.size());
    return tags_.emplace_back(CatalogTag{std::move(tag), name.kind, {}, 0, 0, 0});
  }

  static void add(CatalogTag& tag, const Series& series, std::size_t run) {
    if (tag.runs.empty() || tag.runs.back().last + 1 < run) {
      tag.runs.push_back({run, run});
    } else {
      tag.runs.back().last = run;
    }
    const bool is_scalars = series.kind == Kind::kScalars;
    const std::int64_t first = is_scalars ? series.scalars.min_step() : series.min_step;
    const std::int64_t last = is_scalars ? series.scalars.max_step() : series.max_step;
    tag.first_step = tag.count == 0 ? first : std::min(tag.first_step, first);
    tag.last_step = tag.count == 0 ? last : std::max(tag.last_step, last);
    tag.count += series.size();
  }

  const std::optional<Kind> kind_;
  std::unordered_map<std::pair<std::string, Kind>, std::size_t, TagHash, TagEqual> numbers_;
  std::vector<CatalogTag> tags_;
};

}  // namespace

std::vector<CatalogTag> catalog(std::span<const Run> runs, std::optional<store::Kind> kind) {
  CatalogBuilder builder(kind);
  for (std::size_t run = 0; run < runs.size(); ++run) builder.add(runs[run], run);
  return std::move(builder).take();
}

}  // namespace tensortap::query
