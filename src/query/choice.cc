// Choice: names first, globs where nothing has the name.
#include "query/choice.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

#include "base/glob.h"
#include "base/near_names.h"
#include "query/part_series.h"

namespace tensortap::query {
namespace {

using store::Kind;

// So many runs are looked through for names that are near; people see the first few anyway.
constexpr std::size_t kAskedForNearNames = 20;

void add_matching(const Runs& runs, const std::string& name, std::vector<Run>& chosen) {
  if (Result<Run> run = runs.find(name); run.ok()) {
    chosen.push_back(std::move(*run));
  } else if (glob_has_wildcard(name)) {
    std::copy_if(runs.all().begin(), runs.all().end(), std::back_inserter(chosen),
                 [&](const Run& each) { return glob_matches(name, each.name); });
  }
}

std::optional<Kind> kind_under(const Run& run, const std::string& tag, std::span<const Kind> kinds) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](Kind each) { return has_series(run, tag, each); });
  return kind == kinds.end() ? std::nullopt : std::optional(*kind);
}

void add_globbed(const Run& run, std::size_t number, const std::string& glob, std::span<const Kind> kinds,
                 std::vector<ChosenSeries>& chosen) {
  const auto only = kinds.size() == 1 ? std::optional(kinds.front()) : std::nullopt;
  for (const std::string& tag : list_tags(run, only)) {
    if (!glob_matches(glob, tag)) continue;
    if (const auto kind = kind_under(run, tag, kinds)) chosen.push_back({number, tag, *kind});
  }
}

Status nothing_chosen(std::span<const Run> runs, std::span<const std::string> tags, Kind kind) {
  if (runs.size() == 1) return no_such_tag(runs.front(), tags.front(), kind);
  std::set<std::string> there;
  for (const Run& run : runs.first(std::min(runs.size(), kAskedForNearNames))) {
    for (std::string& tag : list_tags(run, kind)) there.insert(std::move(tag));
  }
  const std::vector<std::string> names(there.begin(), there.end());
  return Status(StatusCode::kNotFound, "none of " + std::to_string(runs.size()) + " runs has " +
                                           std::string(store::kind_name(kind)) + " under '" + tags.front() + "'." +
                                           did_you_mean(tags.front(), names));
}

}  // namespace

Result<std::vector<Run>> choose_runs(const Runs& runs, std::span<const std::string> names) {
  if (names.empty()) return runs.all();
  std::vector<Run> matching, chosen;
  for (const std::string& name : names) add_matching(runs, name, matching);
  std::unordered_set<std::string> seen;
  for (Run& run : matching) {
    if (seen.insert(run.name).second) chosen.push_back(std::move(run));
  }
  if (chosen.empty()) return runs.find(names.front()).status();
  return chosen;
}

Result<std::vector<ChosenSeries>> choose_series(std::span<const Run> runs, std::span<const std::string> tags,
                                                std::span<const Kind> kinds) {
  std::vector<ChosenSeries> chosen;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const std::size_t first = chosen.size();
    for (const std::string& tag : tags) {
      if (const auto kind = kind_under(runs[number], tag, kinds)) {
        chosen.push_back({number, tag, *kind});
      } else if (glob_has_wildcard(tag)) {
        add_globbed(runs[number], number, tag, kinds, chosen);
      }
    }
    // A tag that several of them mean is there once.
    if (tags.size() > 1) {
      std::unordered_set<std::string> seen;
      const auto begin = chosen.begin() + static_cast<std::ptrdiff_t>(first);
      chosen.erase(
          std::remove_if(begin, chosen.end(), [&](const ChosenSeries& each) { return !seen.insert(each.tag).second; }),
          chosen.end());
    }
  }
  if (chosen.empty() && !tags.empty() && !runs.empty()) return nothing_chosen(runs, tags, kinds.front());
  return chosen;
}

}  // namespace tensortap::query
