// TablePlan: globs over runs and tags.
#include "query/table_plan.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/glob.h"
#include "base/near_names.h"
#include "base/try.h"
#include "query/choice.h"

namespace tensortap::query {
namespace {

// A name may also be that of a sub-run; a pattern is for runs, whose tags have those of sub-runs among them.
Result<std::vector<Run>> matching_runs(const Runs& runs, const std::string& glob) {
  std::vector<Run> matching;
  if (!glob_has_wildcard(glob)) {
    Result<Run> named = runs.find(glob);
    if (!named.ok()) return named.status();
    matching.push_back(std::move(*named));
    return matching;
  }
  std::copy_if(runs.all().begin(), runs.all().end(), std::back_inserter(matching),
               [&](const Run& run) { return glob_matches(glob, run.name); });
  return matching;
}

// The tags of a table, each numbered once.
class TagWords {
 public:
  std::uint32_t number_of(const std::string& tag) {
    const auto [known, is_new] = numbers_.try_emplace(tag, static_cast<std::uint32_t>(words_->size()));
    if (is_new) words_->push_back(tag);
    return known->second;
  }
  Words words() const { return words_; }

 private:
  std::shared_ptr<std::vector<std::string>> words_ = std::make_shared<std::vector<std::string>>();
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

Status no_such_tag(const TableRequest& request, const std::set<std::string>& others) {
  const std::vector<std::string> names(others.begin(), others.end());
  return Status(StatusCode::kNotFound, "no run has " + request.table + " under '" + request.tag_glob + "'." +
                                           did_you_mean(request.tag_glob, names));
}

// The series of TableRequest::tags.
Status plan_named(const TableRequest& request, std::span<const store::Kind> kinds, TablePlan& plan) {
  Result<std::vector<ChosenSeries>> chosen = choose_series(plan.runs, request.tags, kinds);
  if (!chosen.ok()) return chosen.status();
  TagWords tags;
  for (const ChosenSeries& each : *chosen) {
    plan.series.push_back({static_cast<std::uint32_t>(each.run), tags.number_of(each.tag), each.kind});
  }
  plan.tags = tags.words();
  return {};
}

}  // namespace

Result<TablePlan> make_plan(const Runs& runs, const TableRequest& request, std::span<const store::Kind> kinds) {
  Result<std::vector<Run>> matching =
      request.runs.empty() ? matching_runs(runs, request.run_glob) : choose_runs(runs, request.runs);
  if (!matching.ok()) return matching.status();
  TablePlan plan{std::move(*matching), {}, nullptr, nullptr, request.selection};
  auto run_names = std::make_shared<std::vector<std::string>>();
  for (const Run& run : plan.runs) run_names->push_back(run.name);
  plan.run_names = std::move(run_names);

  if (!request.tags.empty() && !kinds.empty()) {
    TENSORTAP_TRY(plan_named(request, kinds, plan));
    return plan;
  }
  const bool is_name = !glob_has_wildcard(request.tag_glob);
  const auto only = kinds.size() == 1 ? std::optional(kinds.front()) : std::nullopt;
  TagWords tags;
  std::set<std::string> others;  // only to say what else there is
  for (std::uint32_t run = 0; run < plan.runs.size() && !kinds.empty(); ++run) {
    for (const SeriesInfo& info : list_series(plan.runs[run], only)) {
      if (std::find(kinds.begin(), kinds.end(), info.kind) == kinds.end()) continue;
      if (glob_matches(request.tag_glob, info.tag)) {
        plan.series.push_back({run, tags.number_of(info.tag), info.kind});
      } else if (is_name) {
        others.insert(info.tag);
      }
    }
  }
  plan.tags = tags.words();
  if (is_name && !kinds.empty() && plan.series.empty()) return no_such_tag(request, others);
  return plan;
}

}  // namespace tensortap::query
