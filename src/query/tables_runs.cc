// The tables about runs: what they are, what they hold, what they were made with.
#include <algorithm>
#include <tuple>

#include "query/media.h"
#include "query/table_cursors.h"

namespace tensortap::query {
namespace {

Words words_of(std::vector<std::string> words) { return std::make_shared<std::vector<std::string>>(std::move(words)); }

Status append_run(const TablePlan& plan, std::size_t run, BatchWriter& rows) {
  const RunInfo info = run_info(plan.runs[run]);
  rows.add_word(run);
  rows.add_word(static_cast<std::size_t>(info.state));
  for (double secs : {info.first_wall_secs, info.last_wall_secs}) secs == 0 ? rows.add_null() : rows.add_float64(secs);
  rows.add_int64(info.last_step);
  for (std::uint64_t number : {info.size_bytes, info.records, info.points, info.tags, info.dropped}) {
    rows.add_uint64(number);
  }
  for (const std::optional<double>& secs : {info.caller_secs, info.worker_secs}) {
    secs ? rows.add_float64(*secs) : rows.add_null();
  }
  return {};
}

// Series that came after the table was opened have no word in it yet: only the planned ones become rows.
Status append_tags(const TablePlan& plan, std::size_t run, BatchWriter& rows) {
  const std::vector<SeriesInfo> all = list_series(plan.runs[run]);
  const auto by_run = [](const PlannedSeries& a, const PlannedSeries& b) { return a.run < b.run; };
  const auto [begin, end] = std::equal_range(plan.series.begin(), plan.series.end(),
                                             PlannedSeries{static_cast<std::uint32_t>(run), 0, {}}, by_run);
  auto info = all.begin();
  for (auto planned = begin; planned != end; ++planned) {
    const auto wanted = std::tie(plan.tag_of(*planned), planned->kind);
    while (info != all.end() && std::tie(info->tag, info->kind) < wanted) ++info;
    if (info == all.end() || std::tie(info->tag, info->kind) != wanted) continue;
    rows.add_word(run);
    rows.add_word(planned->tag);
    rows.add_word(static_cast<std::size_t>(info->kind));
    rows.add_uint64(info->count);
    rows.add_int64(info->first_step);
    rows.add_int64(info->last_step);
  }
  return {};
}

// In the order of HParam's alternatives.
const Words& hparam_types() {
  static const Words types = words_of({"bool", "number", "text"});
  return types;
}

Status append_hparams(const TablePlan& plan, std::size_t run, BatchWriter& rows) {
  Result<std::optional<RunHParams>> found = hparams(plan.runs[run]);
  if (!found.ok()) return found.status();
  const RunHParams of_run = found->value_or(RunHParams());
  for (const auto& [name, value] : of_run.values) {
    rows.add_word(run);
    rows.add_text(name);
    rows.add_word(value.index());
    const std::string* text = std::get_if<std::string>(&value);
    const bool* flag = std::get_if<bool>(&value);
    if (text != nullptr) {
      rows.add_null();
      rows.add_text(*text);
    } else {
      rows.add_float64(flag != nullptr ? static_cast<double>(*flag) : std::get<double>(value));
      rows.add_null();
    }
  }
  return {};
}

}  // namespace

RunTable runs_table() {
  std::vector<std::string> states;
  for (RunState state :
       {RunState::kLive, RunState::kEnded, RunState::kFailed, RunState::kCrashed, RunState::kUnknown}) {
    states.emplace_back(run_state_name(state));
  }
  return {{{"run", ColumnType::kWord},
           {"state", ColumnType::kWord},
           {"first_wall_time", ColumnType::kTimestamp, true},
           {"last_wall_time", ColumnType::kTimestamp, true},
           {"last_step", ColumnType::kInt64},
           {"size_bytes", ColumnType::kUint64},
           {"records", ColumnType::kUint64},
           {"points", ColumnType::kUint64},
           {"tags", ColumnType::kUint64},
           {"dropped", ColumnType::kUint64},
           {"caller_seconds", ColumnType::kFloat64, true},
           {"worker_seconds", ColumnType::kFloat64, true}},
          {words_of(std::move(states))},
          append_run};
}

RunTable tags_table(const TablePlan& plan) {
  std::vector<std::string> kinds;
  for (store::Kind kind : store::all_kinds()) kinds.emplace_back(store::kind_name(kind));
  return {{{"run", ColumnType::kWord},
           {"tag", ColumnType::kWord},
           {"kind", ColumnType::kWord},
           {"count", ColumnType::kUint64},
           {"first_step", ColumnType::kInt64},
           {"last_step", ColumnType::kInt64}},
          {plan.tags, words_of(std::move(kinds))},
          append_tags};
}

RunTable hparams_table() {
  return {{{"run", ColumnType::kWord},
           {"name", ColumnType::kText},
           {"type", ColumnType::kWord},
           {"number", ColumnType::kFloat64, true},
           {"text", ColumnType::kText, true}},
          {hparam_types()},
          append_hparams};
}

}  // namespace tensortap::query
