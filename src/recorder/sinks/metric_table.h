// MetricTable: scalars gathered into rows of one CSV file: "epoch,step,loss,accuracy".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "recorder/sinks/csv_file.h"
#include "recorder/sinks/metric_columns.h"

namespace tensortap::recorder {

// A row is finished when another begins. The one that is not is in the file too, after each flush(), and is written
// again when more of it comes. Columns come as they are first seen.
//
// Threads:  one at a time.
// Failure:  rows that the disk refuses wait, up to some megabytes; beyond that they are lost, and counted.
// Lifetime: the file system outlives it.
class MetricTable {
 public:
  MetricTable(FileSystem& file_system, std::string path) : file_(file_system, std::move(path)) {}

  // Goes on in a file that is there.
  Status resume();

  // One row an epoch; without epochs one row a step. `counts`: a loss of this number is a loss of a capture.
  void set(std::int64_t epoch, std::int64_t step, const MetricColumn& column, double value, bool counts);
  // One row a step, whatever the epoch.
  void set_step(std::int64_t epoch, std::int64_t step, const MetricColumn& column, double value);

  Status flush();
  Status sync();
  Status close();
  std::uint64_t lost_captures() const { return lost_; }

 private:
  void put(const MetricColumn& column, double value, std::int64_t step, bool counts);
  std::size_t place_of(const std::string& name);
  void settle_order();
  void finish_row();
  void append_row(std::string& out) const;
  std::string heads() const;

  CsvFile file_;
  std::vector<std::string> columns_;  // as cells, in the order they were seen
  std::vector<std::size_t> order_;    // those whose place in the file is settled
  std::map<std::string, std::size_t> places_;
  std::size_t written_columns_ = 0;
  MetricRow row_;
  bool row_changed_ = false;
  std::uint64_t row_captures_ = 0;
  std::string finished_;  // rows that are not in the file, of finished_columns_ columns
  std::size_t finished_columns_ = 0;
  std::uint64_t finished_captures_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace tensortap::recorder
