// MetricTable: rows to lines, and lines to the file.
#include "recorder/sinks/metric_table.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "format/csv.h"
#include "format/csv_lines.h"
#include "format/number_text.h"

namespace tensortap::recorder {
namespace {

constexpr std::size_t kKeyColumns = 2;
constexpr std::string_view kKeyHeads = "epoch,step";
constexpr std::size_t kWriteBytes = 1 << 20;
constexpr std::size_t kMaxWaitingBytes = 8 << 20;

}  // namespace

Status MetricTable::resume() {
  if (Status status = file_.resume(); !status.ok()) return status.code() == StatusCode::kNotFound ? Status() : status;
  std::vector<std::string> cells = format::csv_raw_cells(file_.heads());
  if (cells.size() < kKeyColumns || cells[0] != "epoch" || cells[1] != "step") {
    return Status(StatusCode::kInvalidArgument, file_.path() + " does not begin with '" + std::string(kKeyHeads) +
                                                    "': it is another table; choose another directory or mode");
  }
  columns_.assign(std::make_move_iterator(cells.begin() + kKeyColumns), std::make_move_iterator(cells.end()));
  for (std::size_t i = 0; i < columns_.size(); ++i) places_.emplace(columns_[i], i);
  settle_order();
  written_columns_ = columns_.size();
  return {};
}

void MetricTable::settle_order() {
  const auto settled = static_cast<std::ptrdiff_t>(order_.size());
  while (order_.size() < columns_.size()) order_.push_back(order_.size());
  // A file that is there has an order of its own.
  if (file_.is_open() && written_columns_ == 0) return;
  std::stable_sort(order_.begin() + settled, order_.end(), [this](std::size_t one, std::size_t other) {
    return column_rank(columns_[one]) < column_rank(columns_[other]);
  });
}

std::size_t MetricTable::place_of(const std::string& name) {
  std::string cell;
  format::append_csv_text(cell, name);
  const auto [found, is_new] = places_.try_emplace(cell, columns_.size());
  if (is_new) {
    // Rows that wait have the columns of their time.
    if (!finished_.empty()) (void)flush();
    columns_.push_back(cell);
  }
  return found->second;
}

void MetricTable::set(std::int64_t epoch, std::int64_t step, const MetricColumn& column, double value, bool counts) {
  if (row_.empty() || !row_.takes(epoch, step)) {
    finish_row();
    row_ = MetricRow(epoch, step);
  }
  put(column, value, step, counts);
}

void MetricTable::set_step(std::int64_t epoch, std::int64_t step, const MetricColumn& column, double value) {
  if (row_.empty() || row_.epoch() != epoch || row_.step() != step) {
    finish_row();
    row_ = MetricRow(epoch, step);
  }
  put(column, value, step, true);
}

void MetricTable::put(const MetricColumn& column, double value, std::int64_t step, bool counts) {
  row_.set(place_of(column.name), value, column.is_mean, step);
  row_changed_ = true;
  row_captures_ += counts ? 1 : 0;
  if (finished_.size() >= kWriteBytes) (void)flush();  // what fails now is told by the next flush
}

void MetricTable::append_row(std::string& out) const {
  if (row_.epoch() != kNoEpoch) format::append_number(out, row_.epoch());
  out += ',';
  format::append_number(out, row_.step());
  for (std::size_t column : order_) {
    out += ',';
    if (const std::optional<double> value = row_.at(column)) format::append_number(out, *value);
  }
  out += format::kCsvLineEnd;
}

void MetricTable::finish_row() {
  if (row_.empty()) return;
  settle_order();
  if (finished_.size() > kMaxWaitingBytes) {
    lost_ += std::exchange(finished_captures_, 0);
    finished_.clear();
  }
  if (finished_columns_ < columns_.size() && !finished_.empty()) {
    std::string wider;
    format::CsvPadding(columns_.size() - finished_columns_).append(wider, finished_);
    finished_ = std::move(wider);
  }
  finished_columns_ = columns_.size();
  append_row(finished_);
  finished_captures_ += std::exchange(row_captures_, 0);
  row_ = {};
  row_changed_ = true;
}

std::string MetricTable::heads() const {
  std::string line(kKeyHeads);
  for (std::size_t column : order_) line += "," + columns_[column];
  return line.append(format::kCsvLineEnd);
}

Status MetricTable::flush() {
  if (!row_changed_) return {};
  settle_order();
  std::string tail;
  if (!row_.empty()) append_row(tail);
  std::string lines = finished_;
  if (finished_columns_ < columns_.size() && !lines.empty()) {
    lines.clear();
    format::CsvPadding(columns_.size() - finished_columns_).append(lines, finished_);
  }
  if (!file_.is_open()) {
    TENSORTAP_TRY(file_.create(heads()));
    written_columns_ = columns_.size();
  }
  const std::size_t more = columns_.size() - written_columns_;
  TENSORTAP_TRY(more > 0 ? file_.widen(heads(), more, lines, tail) : file_.write(lines, tail));
  written_columns_ = columns_.size();
  finished_.clear();
  finished_captures_ = 0;
  row_changed_ = false;
  return {};
}

Status MetricTable::sync() {
  TENSORTAP_TRY(flush());
  return file_.sync();
}

Status MetricTable::close() {
  Status flushed = flush();
  if (!flushed.ok()) lost_ += std::exchange(finished_captures_, 0) + std::exchange(row_captures_, 0);
  const Status closed = file_.close();
  return flushed.ok() ? closed : flushed;
}

}  // namespace tensortap::recorder
