// PrintSink: gathers an epoch, or a second, and prints it.
#include "recorder/sinks/print_sink.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "base/clock.h"
#include "base/try.h"
#include "recorder/sink_makers.h"
#include "recorder/sinks/prediction_lines.h"
#include "recorder/sinks/safe_name.h"
#include "recorder/sinks/sink_options.h"
#include "recorder/sinks/tensor_of.h"

namespace tensortap::recorder {
namespace {

constexpr std::int64_t kPauseNanos = 1'000'000'000;

}  // namespace

Status PrintSink::begin(const RunInfo& run) {
  began_secs_ = seen_secs_ = run.opened_secs;
  return {};
}

// What comes without an epoch goes into one row, for the latest values; steps do not end it.
void PrintSink::turn_to(const CaptureInfo& info) {
  if (info.epoch != row_.epoch()) {
    print_row();
    row_ = MetricRow(info.epoch, info.head.time.step);
  }
  seen_secs_ = std::max(seen_secs_, info.head.time.wall_secs);
}

Status PrintSink::scalar(const CaptureInfo& info, double value) {
  const MetricColumn* column = names_.of(info);
  if (column == nullptr || !column->of_epochs) return passed_over();
  turn_to(info);
  const auto found = std::find(columns_.begin(), columns_.end(), column->name);
  const auto place = static_cast<std::size_t>(found - columns_.begin());
  if (found == columns_.end()) add_column(column->name);
  row_.set(place, value, column->is_mean, info.head.time.step);
  ++row_captures_;
  return {};
}

void PrintSink::add_column(const std::string& name) {
  const auto before = std::find_if(order_.begin(), order_.end(),
                                   [&](std::size_t place) { return column_rank(columns_[place]) > column_rank(name); });
  order_.insert(before, columns_.size());
  columns_.push_back(name);
}

Status PrintSink::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  turn_to(info);
  below_ += prediction_lines(predictions_name(info), tensors_of(predictions), samples_);
  ++below_captures_;
  if (info.epoch == kNoEpoch) {
    print_row();  // so that the numbers of this moment stand above
  }
  return {};
}

void PrintSink::print_row() {
  std::string lines;
  const bool has_epoch = row_.epoch() != kNoEpoch;
  if (row_captures_ > 0 || (has_epoch && !below_.empty())) {
    if (has_epoch) lines += "epoch " + std::to_string(row_.epoch()) + "  ";
    lines += "step " + std::to_string(row_.step());
    for (std::size_t i : order_) {
      if (const std::optional<double> value = row_.at(i))
        lines += "  " + printable(columns_[i]) + " " + short_number(*value);
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "  (%.1f s)", seen_secs_ - began_secs_);
    lines += (has_epoch ? seconds : "") + std::string("\n");
  }
  began_secs_ = seen_secs_;
  lines += std::exchange(below_, {});
  print(lines, std::exchange(row_captures_, 0) + std::exchange(below_captures_, 0));
}

void PrintSink::print(const std::string& lines, std::uint64_t captures) {
  if (lines.empty()) return;
  printed_nanos_ = monotonic_nanos();
  if (!output_.write(lines)) lost_ += captures;
}

Status PrintSink::flush() {
  if (row_.epoch() == kNoEpoch && row_captures_ > 0 && monotonic_nanos() - printed_nanos_ >= kPauseNanos) print_row();
  return {};
}

Status PrintSink::close(double, const event::CaptureEnd&) {
  print_row();
  return {};
}

MadeSink make_print_sink(const SinkSpec& spec) {
  TENSORTAP_TRY(check_options(spec, {"samples"}));
  std::uint64_t samples = 10;
  const std::string text = option_of(spec, "samples");
  const auto read = std::from_chars(text.data(), text.data() + text.size(), samples);
  if (!text.empty() && (read.ec != std::errc() || read.ptr != text.data() + text.size())) {
    return Status(StatusCode::kInvalidArgument, "samples is how many predictions are printed; not '" + text + "'");
  }
  return std::unique_ptr<Sink>(std::make_unique<PrintSink>(STDOUT_FILENO, samples));
}

}  // namespace tensortap::recorder
