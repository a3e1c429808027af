// MetricColumns: names by sub-run and tag.
#include "recorder/sinks/metric_columns.h"

#include <algorithm>

namespace tensortap::recorder {
namespace {

constexpr std::string_view kMeanPrefix = "epoch_";
constexpr std::string_view kStepSeconds = "step_seconds";

}  // namespace

std::optional<MetricColumn> metric_column(std::string_view sub_run, std::string_view tag) {
  if (tag.starts_with("tensortap/")) return std::nullopt;  // what recording itself took
  const bool is_training = sub_run.empty() || sub_run == "train";
  MetricColumn column;
  if (is_training) {
    if (tag == "epoch") return std::nullopt;
    column.of_epochs = tag != kStepSeconds;
    column.is_mean = sub_run == "train" && tag.starts_with(kMeanPrefix) && tag.size() > kMeanPrefix.size();
    column.of_steps = !column.is_mean;
    if (column.is_mean) tag.remove_prefix(kMeanPrefix.size());
    column.name = tag == "step" ? "step_value" : tag == "epoch" ? "epoch_value" : std::string(tag);
  } else {
    column.of_steps = sub_run != "val";
    column.name = std::string(sub_run) + "_" + std::string(tag);
  }
  return column;
}

int column_rank(std::string_view name) {
  if (name == "loss") return 0;
  return name == "learning_rate" || name == kStepSeconds ? 2 : 1;
}

const MetricColumn* MetricNames::of(const CaptureInfo& info) {
  const std::pair<std::string, std::uint32_t> key(info.sub_run, info.tag_number);
  auto found = known_.find(key);
  if (found == known_.end()) found = known_.emplace(key, metric_column(info.sub_run, info.head.tag)).first;
  return found->second ? &*found->second : nullptr;
}

void MetricRow::set(std::size_t column, double value, bool is_mean, std::int64_t step) {
  step_ = std::max(step_, step);
  if (cells_.size() <= column) cells_.resize(column + 1);
  Cell& cell = cells_[column];
  if (cell.is_mean && !is_mean) return;
  cell = {value, true, is_mean};
}

std::optional<double> MetricRow::at(std::size_t column) const {
  if (column >= cells_.size() || !cells_[column].is_set) return std::nullopt;
  return cells_[column].value;
}

}  // namespace tensortap::recorder
