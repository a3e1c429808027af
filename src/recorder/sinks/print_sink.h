// PrintSink: lines for people, on the standard output.
//
//   epoch 3  step 120  loss 0.1234  accuracy 0.96  val_loss 0.2  (1.2 s)
//     val id 17  label 3  predicted 3 (0.97)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/sink.h"
#include "recorder/sinks/line_output.h"
#include "recorder/sinks/metric_columns.h"

namespace tensortap::recorder {

// A line is printed for each epoch, once something of the next one comes or the run ends; without epochs at most once a
// second. Predictions stand below the line of their epoch.
//
// Threads:  one at a time.
// Failure:  lines that nobody reads are dropped; their captures count as lost.
// Lifetime: the descriptor stays the caller's.
class PrintSink : public Sink {
 public:
  PrintSink(int descriptor, std::uint64_t samples) : output_(descriptor), samples_(samples) {}

  Status begin(const RunInfo& run) override;
  Status scalar(const CaptureInfo& info, double value) override;
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;
  Status flush() override;
  std::uint64_t lost_captures() const override { return lost_; }
  Status close(double wall_secs, const event::CaptureEnd& end) override;

 private:
  void turn_to(const CaptureInfo& info);
  void add_column(const std::string& name);
  void print_row();
  void print(const std::string& lines, std::uint64_t captures);

  LineOutput output_;
  const std::uint64_t samples_;
  MetricNames names_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> order_;  // in which they are printed
  MetricRow row_;
  std::uint64_t row_captures_ = 0;
  std::string below_;  // lines that belong below that of the epoch
  std::uint64_t below_captures_ = 0;
  double began_secs_ = 0;
  double seen_secs_ = 0;
  std::int64_t printed_nanos_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace tensortap::recorder
