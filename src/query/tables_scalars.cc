// The table of scalars: columns copied, not cells.
#include <algorithm>

#include "query/scalars.h"
#include "query/table_cursors.h"

namespace tensortap::query {
namespace {

class ScalarsCursor final : public TableCursor {
 public:
  explicit ScalarsCursor(TablePlan plan)
      : plan_(std::move(plan)), heads_(heads_of_values({{"value", ColumnType::kFloat64}})) {}

  const std::vector<ColumnHead>& heads() const override { return heads_; }

  Result<std::optional<TableBatch>> next() override {
    Columns columns;
    while (columns.points.size() < kBatchRows) {
      if (next_point_ < points_.size()) {
        copy_points(columns);
        continue;
      }
      if (next_series_ == plan_.series.size()) break;
      if (Status status = read_series(); !status.ok()) return status;
    }
    if (columns.points.size() == 0) return std::optional<TableBatch>();
    return std::optional(batch_of(std::move(columns)));
  }

 private:
  struct Columns {
    std::vector<std::int32_t> run, tag;
    ScalarPoints points;
  };

  Status read_series() {
    const PlannedSeries& series = plan_.series[next_series_++];
    auto read = scalars(plan_.run_of(series), plan_.tag_of(series), {plan_.selection, 0});
    // A file that was replaced meanwhile may have it no more.
    const bool is_gone = read.status().code() == StatusCode::kNotFound;
    if (!read.ok() && !is_gone) {
      next_series_ = plan_.series.size();
      return read.status();
    }
    points_ = is_gone ? ScalarPoints() : std::move(read->points);
    next_point_ = 0;
    return {};
  }

  template <typename T>
  static void append(const std::vector<T>& from, std::size_t first, std::size_t count, std::vector<T>& to) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }

  void copy_points(Columns& columns) {
    const PlannedSeries& series = plan_.series[next_series_ - 1];
    const std::size_t count = std::min(kBatchRows - columns.points.size(), points_.size() - next_point_);
    columns.run.insert(columns.run.end(), count, static_cast<std::int32_t>(series.run));
    columns.tag.insert(columns.tag.end(), count, static_cast<std::int32_t>(series.tag));
    append(points_.step, next_point_, count, columns.points.step);
    append(points_.wall_secs, next_point_, count, columns.points.wall_secs);
    append(points_.value, next_point_, count, columns.points.value);
    next_point_ += count;
  }

  TableBatch batch_of(Columns columns) const {
    TableBatch batch;
    batch.rows = columns.points.size();
    batch.columns.emplace_back(WordColumn{std::move(columns.run), plan_.run_names});
    batch.columns.emplace_back(WordColumn{std::move(columns.tag), plan_.tags});
    batch.columns.emplace_back(std::move(columns.points.step));
    batch.columns.emplace_back(std::move(columns.points.wall_secs));
    batch.columns.emplace_back(std::move(columns.points.value));
    batch.valid.resize(batch.columns.size());
    return batch;
  }

  const TablePlan plan_;
  const std::vector<ColumnHead> heads_;
  std::size_t next_series_ = 0;
  ScalarPoints points_;  // of the series before next_series_
  std::size_t next_point_ = 0;
};

}  // namespace

std::unique_ptr<TableCursor> scalars_cursor(TablePlan plan) { return std::make_unique<ScalarsCursor>(std::move(plan)); }

}  // namespace tensortap::query
