// CsvSink: metrics, statistics, predictions and weights as tables that a spreadsheet opens. docs/sinks.md lists them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "recorder/sink.h"
#include "recorder/sinks/csv_tables.h"
#include "recorder/sinks/metric_columns.h"
#include "recorder/sinks/metric_table.h"
#include "recorder/sinks/sink_options.h"

namespace tensortap::recorder {

// Threads:  one at a time.
// Failure:  a capture whose rows do not fit on the disk has none of them in its table.
// Lifetime: the file system outlives it.
class CsvSink : public Sink {
 public:
  CsvSink(FileSystem& file_system, std::string target, SinkMode mode);

  Status begin(const RunInfo& run) override;
  std::vector<std::string> notes() const override;

  Status scalar(const CaptureInfo& info, double value) override;
  Status stats(const CaptureInfo& info, const event::CapturedStats& stats) override;
  // Weights alone: "weights/<layer>/<parameter>".
  Status tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) override;
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;

  Status flush() override;
  Status sync() override;
  std::uint64_t lost_captures() const override;
  Status close(double wall_secs, const event::CaptureEnd& end) override;

 private:
  // Appends all that `rows` gives, or nothing.
  template <typename Rows>
  Status append_rows(const std::string& subject, const std::string& stem, const std::string& heads, Rows& rows);

  FileSystem& files_;
  const std::string target_;
  const SinkMode mode_;
  std::vector<std::string> notes_;
  MetricNames names_;
  std::unique_ptr<MetricTable> metrics_;
  std::unique_ptr<MetricTable> steps_;
  CsvTables tables_;
};

}  // namespace tensortap::recorder
