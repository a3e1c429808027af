// Tables: from their names to their cursors.
#include "query/tables.h"

#include <algorithm>
#include <span>
#include <utility>

#include "query/table_cursors.h"

namespace tensortap::query {
namespace {

using store::Kind;

using Open = std::unique_ptr<TableCursor> (*)(TablePlan plan);

struct TableEntry {
  std::string name;
  std::vector<Kind> kinds;  // of the series it goes through; none: it goes through runs
  Open open;
};

template <PlaceTable (*table)()>
std::unique_ptr<TableCursor> open_places(TablePlan plan) {
  return places_cursor(std::move(plan), table());
}

template <RunTable (*table)()>
std::unique_ptr<TableCursor> open_runs(TablePlan plan) {
  return runs_cursor(std::move(plan), table());
}

// A tag that was captured has its histograms there; what event files have besides is left out, as in histograms().
std::unique_ptr<TableCursor> open_histograms(TablePlan plan) {
  const auto same = [](const PlannedSeries& a, const PlannedSeries& b) { return a.run == b.run && a.tag == b.tag; };
  plan.series.erase(std::unique(plan.series.begin(), plan.series.end(), same), plan.series.end());
  return places_cursor(std::move(plan), histograms_table());
}

std::unique_ptr<TableCursor> open_tags(TablePlan plan) {
  RunTable table = tags_table(plan);
  return runs_cursor(std::move(plan), std::move(table));
}

const std::vector<TableEntry>& entries() {
  static const std::vector<TableEntry> all = {
      {"scalars", {Kind::kScalars}, scalars_cursor},
      {"stats", {Kind::kStats}, open_places<stats_table>},
      {"histograms", {Kind::kStats, Kind::kHistograms}, open_histograms},
      {"tensors", {Kind::kTensors}, open_places<tensors_table>},
      {"predictions", {Kind::kPredictions}, open_places<predictions_table>},
      {"images", {Kind::kImages}, open_places<images_table>},
      {"audio", {Kind::kAudio}, open_places<audio_table>},
      {"text", {Kind::kText}, open_places<text_table>},
      {"hparams", {}, open_runs<hparams_table>},
      {"runs", {}, open_runs<runs_table>},
      {"tags", {store::all_kinds().begin(), store::all_kinds().end()}, open_tags},
  };
  return all;
}

Status no_such_table(const std::string& name) {
  std::string message = "there is no table '" + name + "'; there are ";
  for (const std::string& known : table_names()) message += (&known == &table_names().front() ? "" : ", ") + known;
  return Status(StatusCode::kInvalidArgument, message);
}

}  // namespace

Result<std::unique_ptr<TableCursor>> open_table(const std::shared_ptr<const Runs>& runs, const TableRequest& request) {
  const auto entry = std::find_if(entries().begin(), entries().end(),
                                  [&](const TableEntry& each) { return each.name == request.table; });
  if (entry == entries().end()) return no_such_table(request.table);
  Result<TablePlan> plan = make_plan(*runs, request, entry->kinds);
  if (!plan.ok()) return plan.status();
  return entry->open(std::move(*plan));
}

const std::vector<std::string>& table_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TableEntry& entry : entries()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

}  // namespace tensortap::query
