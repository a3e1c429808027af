// The cursors of tables whose rows come out of places or runs, and the cells they share.
#include "query/table_cursors.h"

#include <utility>

#include "base/try.h"

namespace tensortap::query {
namespace {

std::vector<Words> joined(std::vector<Words> first, const std::vector<Words>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// Calls add_more(rows), which is false at the end, until a batch is full.
template <typename AddMore>
Result<std::optional<TableBatch>> fill(BatchWriter rows, const AddMore& add_more) {
  while (!rows.is_full()) {
    Result<bool> has_more = add_more(rows);
    if (!has_more.ok()) return has_more.status();
    if (!*has_more) break;
  }
  if (rows.rows() == 0) return std::optional<TableBatch>();
  return std::optional(std::move(rows).take());
}

class PlacesCursor final : public TableCursor {
 public:
  PlacesCursor(TablePlan plan, PlaceTable table)
      : plan_(std::move(plan)), table_(std::move(table)), words_(joined({plan_.run_names, plan_.tags}, table_.words)) {}

  const std::vector<ColumnHead>& heads() const override { return table_.heads; }

  Result<std::optional<TableBatch>> next() override {
    auto batch = fill(BatchWriter(table_.heads, words_), [&](BatchWriter& rows) { return add_more(rows); });
    if (!batch.ok()) end();
    return batch;
  }

 private:
  // One place more, or the next series.
  Result<bool> add_more(BatchWriter& rows) {
    if (next_place_ < places_.size()) {
      TENSORTAP_TRY(table_.append({plan_.series[next_series_ - 1], places_[next_place_++]}, rows));
      return true;
    }
    if (next_series_ == plan_.series.size()) return false;
    const PlannedSeries& series = plan_.series[next_series_++];
    auto found = places(plan_.run_of(series), plan_.tag_of(series), series.kind, plan_.selection);
    // A file that was replaced meanwhile may have it no more.
    const bool is_gone = found.status().code() == StatusCode::kNotFound;
    if (!found.ok() && !is_gone) return found.status();
    places_ = is_gone ? std::vector<Place>() : std::move(*found);
    next_place_ = 0;
    return true;
  }

  void end() {
    next_series_ = plan_.series.size();
    next_place_ = places_.size();
  }

  const TablePlan plan_;
  const PlaceTable table_;
  const std::vector<Words> words_;
  std::size_t next_series_ = 0;
  std::vector<Place> places_;  // of the series before next_series_
  std::size_t next_place_ = 0;
};

class RunsCursor final : public TableCursor {
 public:
  RunsCursor(TablePlan plan, RunTable table)
      : plan_(std::move(plan)), table_(std::move(table)), words_(joined({plan_.run_names}, table_.words)) {}

  const std::vector<ColumnHead>& heads() const override { return table_.heads; }

  Result<std::optional<TableBatch>> next() override {
    auto batch = fill(BatchWriter(table_.heads, words_), [&](BatchWriter& rows) -> Result<bool> {
      if (next_run_ == plan_.runs.size()) return false;
      TENSORTAP_TRY(table_.append(plan_, next_run_++, rows));
      return true;
    });
    if (!batch.ok()) next_run_ = plan_.runs.size();
    return batch;
  }

 private:
  const TablePlan plan_;
  const RunTable table_;
  const std::vector<Words> words_;
  std::size_t next_run_ = 0;
};

std::vector<ColumnHead> joined(std::vector<ColumnHead> first, std::vector<ColumnHead> more) {
  for (ColumnHead& head : more) first.push_back(std::move(head));
  return first;
}

}  // namespace

std::unique_ptr<TableCursor> places_cursor(TablePlan plan, PlaceTable table) {
  return std::make_unique<PlacesCursor>(std::move(plan), std::move(table));
}

std::unique_ptr<TableCursor> runs_cursor(TablePlan plan, RunTable table) {
  return std::make_unique<RunsCursor>(std::move(plan), std::move(table));
}

std::vector<ColumnHead> heads_of_values(std::vector<ColumnHead> more) {
  return joined({{"run", ColumnType::kWord},
                 {"tag", ColumnType::kWord},
                 {"step", ColumnType::kInt64},
                 {"wall_time", ColumnType::kTimestamp}},
                std::move(more));
}

std::vector<ColumnHead> heads_of_captures(std::vector<ColumnHead> more) {
  return joined({{"run", ColumnType::kWord},
                 {"tag", ColumnType::kWord},
                 {"phase", ColumnType::kWord},
                 {"sequence", ColumnType::kUint64},
                 {"step", ColumnType::kInt64},
                 {"wall_time", ColumnType::kTimestamp}},
                std::move(more));
}

const Words& phase_words() {
  // By the numbers of Phase; none is empty, as in Python.
  static const Words words =
      std::make_shared<std::vector<std::string>>(std::vector<std::string>{"", "train", "val", "predict"});
  return words;
}

void add_value_cells(const PlannedPlace& planned, BatchWriter& rows) {
  rows.add_word(planned.series.run);
  rows.add_word(planned.series.tag);
  rows.add_int64(planned.place.entry.step);
  rows.add_float64(planned.place.entry.wall_secs);
}

void add_capture_cells(const PlannedPlace& planned, BatchWriter& rows) {
  rows.add_word(planned.series.run);
  rows.add_word(planned.series.tag);
  rows.add_word(static_cast<std::size_t>(planned.place.entry.phase));
  rows.add_uint64(planned.place.entry.sequence);
  rows.add_int64(planned.place.entry.step);
  rows.add_float64(planned.place.entry.wall_secs);
}

}  // namespace tensortap::query
