// Catalog: the lists of the runs, put together run by run.
#include "query/catalog.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace tensortap::query {
namespace {

struct TagKey {
  std::string tag;
  store::Kind kind;
  bool operator==(const TagKey&) const = default;
};

struct TagKeyHash {
  std::size_t operator()(const TagKey& key) const {
    return std::hash<std::string>()(key.tag) * 31 + static_cast<std::size_t>(key.kind);
  }
};

void add(CatalogTag& tag, const SeriesInfo& info, std::size_t run) {
  if (!tag.runs.empty() && tag.runs.back().last + 1 == run) {
    tag.runs.back().last = run;
  } else {
    tag.runs.push_back({run, run});
  }
  tag.first_step = tag.count == 0 ? info.first_step : std::min(tag.first_step, info.first_step);
  tag.last_step = tag.count == 0 ? info.last_step : std::max(tag.last_step, info.last_step);
  tag.count += info.count;
}

}  // namespace

std::vector<CatalogTag> catalog(std::span<const Run> runs, std::optional<store::Kind> kind) {
  std::unordered_map<TagKey, std::size_t, TagKeyHash> numbers;
  std::vector<CatalogTag> tags;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const SeriesInfo& info : list_series(runs[run], kind)) {
      const auto [known, is_new] = numbers.try_emplace(TagKey{info.tag, info.kind}, tags.size());
      if (is_new) tags.push_back({info.tag, info.kind, {}, 0, 0, 0});
      add(tags[known->second], info, run);
    }
  }
  std::sort(tags.begin(), tags.end(),
            [](const CatalogTag& a, const CatalogTag& b) { return std::tie(a.tag, a.kind) < std::tie(b.tag, b.kind); });
  return tags;
}

}  // namespace tensortap::query
