// MetricColumns: what the columns of a table of metrics are called, and one row of them.
//
//   sub-run   tag         column         in rows of steps   in rows of epochs
//   train     loss        loss           yes                yes, the last one
//   train     epoch_loss  loss           no                 yes, and before any other: the mean that Keras shows
//   val       loss        val_loss       no                 yes
//   test      loss        test_loss      yes                yes
//             loss        loss           yes                yes
//
// `epoch` is a column already, and step_seconds is of steps alone. A tag `step` becomes step_value, as `step` is taken.
// tensortap/... has no column: it is about recording, not about the network.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recorder/sink.h"

namespace tensortap::recorder {

struct MetricColumn {
  std::string name;
  bool of_steps = true;
  bool of_epochs = true;
  bool is_mean = false;  // of the whole epoch
};

// nullopt: no column.
std::optional<MetricColumn> metric_column(std::string_view sub_run, std::string_view tag);

// Columns that come together stand by rank, and then as they came: the loss first, what is set rather than measured
// last.
int column_rank(std::string_view name);

// metric_column() with a memory: it is asked for every scalar.
//
// Threads:  one at a time.
// Failure:  none.
// Lifetime: answers stay until it goes.
class MetricNames {
 public:
  // Null: no column.
  const MetricColumn* of(const CaptureInfo& info);

 private:
  std::map<std::pair<std::string, std::uint32_t>, std::optional<MetricColumn>, std::less<>> known_;
};

// Numbers of one epoch or of one step, by column.
//
// Threads:  one at a time.
// Failure:  none.
// Lifetime: owns its numbers.
class MetricRow {
 public:
  MetricRow() = default;
  MetricRow(std::int64_t epoch, std::int64_t step) : epoch_(epoch), step_(step) {}

  // An epoch's row is for all its steps.
  bool takes(std::int64_t epoch, std::int64_t step) const {
    return epoch == epoch_ && (epoch != kNoEpoch || step == step_);
  }
  // A mean stays whatever else comes.
  void set(std::size_t column, double value, bool is_mean, std::int64_t step);

  bool empty() const { return cells_.empty(); }
  std::int64_t epoch() const { return epoch_; }
  // The greatest that was seen.
  std::int64_t step() const { return step_; }
  std::optional<double> at(std::size_t column) const;

 private:
  struct Cell {
    double value = 0;
    bool is_set = false;
    bool is_mean = false;
  };

  std::int64_t epoch_ = kNoEpoch;
  std::int64_t step_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace tensortap::recorder
