// CsvSink: which capture goes to which table.
#include "recorder/sinks/csv_sink.h"

#include <utility>

#include "base/try.h"
#include "format/csv.h"
#include "format/element_rows.h"
#include "format/number_text.h"
#include "format/prediction_rows.h"
#include "recorder/sink_makers.h"
#include "recorder/sinks/safe_name.h"
#include "recorder/sinks/sink_directory.h"
#include "recorder/sinks/tensor_of.h"

namespace tensortap::recorder {
namespace {

constexpr std::string_view kWeights = "weights/";
constexpr std::string_view kStatsHeads =
    "epoch,step,tag,phase,sequence,count,min,max,mean,std,l2,zeros,nan,positive_inf,negative_inf,p5,p25,p50,p75,p95";

std::string heads_line(std::string_view heads) { return std::string(heads).append(format::kCsvLineEnd); }

bool is_table(const std::string& name) {
  constexpr std::string_view kExtension = ".csv";
  std::string_view stem = name;
  if (!stem.ends_with(kExtension)) return false;
  stem.remove_suffix(kExtension.size());
  if (stem == "metrics" || stem == "steps" || stem == "predictions") return true;
  if (stem.starts_with("predictions-") || stem.starts_with("predictions_")) return true;
  for (std::string_view table : {"stats", "weights"}) {
    if (!stem.starts_with(table)) continue;
    const std::string_view number = stem.substr(table.size());
    if (number.empty()) return true;
    return number.size() > 1 && number[0] == '-' && number.find_first_not_of("0123456789", 1) == number.npos;
  }
  return false;
}

// "3,120,": the cells that every row begins with.
std::string time_cells(const CaptureInfo& info) {
  std::string cells;
  if (info.epoch != kNoEpoch) format::append_number(cells, info.epoch);
  cells += ',';
  format::append_number(cells, info.head.time.step);
  return cells + ',';
}

std::string stats_row(const CaptureInfo& info, const TensorStats& stats) {
  std::string row = time_cells(info);
  format::append_csv_text(row, full_tag(info));
  row += "," + std::string(phase_name(info.head.phase)) + ",";
  format::append_number(row, info.head.sequence);
  const auto add = [&row](auto number) {
    row += ',';
    format::append_number(row, number);
  };
  const bool has_values = stats.finite_count() > 0;
  const auto add_value = [&](double number) { has_values ? add(number) : void(row += ','); };
  add(stats.count);
  for (double value : {stats.min, stats.max, stats.mean(), stats.std(), stats.l2()}) add_value(value);
  for (std::uint64_t count : {stats.zeros, stats.nan, stats.positive_inf, stats.negative_inf}) add(count);
  for (double fraction : {0.05, 0.25, 0.5, 0.75, 0.95}) add_value(has_values ? stats.percentile(fraction) : 0);
  return row.append(format::kCsvLineEnd);
}

// One row that is made already, as the rows of larger things come.
struct OneRow {
  std::optional<std::string> row;
  std::optional<std::string> next() { return std::exchange(row, std::nullopt); }
};

}  // namespace

CsvSink::CsvSink(FileSystem& file_system, std::string target, SinkMode mode)
    : files_(file_system), target_(std::move(target)), mode_(mode), tables_(file_system) {}

Status CsvSink::begin(const RunInfo&) {
  Result<ClaimedSinkDirectory> claimed = claim_sink_directory(files_, target_, mode_, {is_table});
  if (!claimed.ok()) return claimed.status();
  notes_ = claimed->notes;
  const bool resumes = mode_ == SinkMode::kAppend;
  tables_.begin(claimed->path, resumes);
  metrics_ = std::make_unique<MetricTable>(files_, claimed->path + "/metrics.csv");
  steps_ = std::make_unique<MetricTable>(files_, claimed->path + "/steps.csv");
  if (!resumes) return {};
  TENSORTAP_TRY(metrics_->resume());
  return steps_->resume();
}

std::vector<std::string> CsvSink::notes() const {
  std::vector<std::string> all = notes_;
  all.insert(all.end(), tables_.notes().begin(), tables_.notes().end());
  return all;
}

Status CsvSink::scalar(const CaptureInfo& info, double value) {
  const MetricColumn* column = names_.of(info);
  if (column == nullptr) return passed_over();
  const std::int64_t step = info.head.time.step;
  if (info.epoch == kNoEpoch) {
    metrics_->set(kNoEpoch, step, *column, value, true);
    return {};
  }
  // A capture that is in both tables is lost with its row of steps alone.
  if (column->of_epochs) metrics_->set(info.epoch, step, *column, value, !column->of_steps);
  if (column->of_steps) steps_->set_step(info.epoch, step, *column, value);
  return {};
}

template <typename Rows>
Status CsvSink::append_rows(const std::string& subject, const std::string& stem, const std::string& heads, Rows& rows) {
  Result<CsvFile*> table = tables_.table(subject, stem, heads_line(heads));
  if (!table.ok()) return table.status();
  CsvFile& file = **table;
  while (std::optional<std::string> piece = rows.next()) {
    if (Status status = file.append(*piece); !status.ok()) {
      (void)file.cut();  // tried again before anything else is appended
      return status;
    }
  }
  file.keep();
  return {};
}

Status CsvSink::stats(const CaptureInfo& info, const event::CapturedStats& stats) {
  OneRow row{stats_row(info, stats.stats)};
  return append_rows("", "stats", std::string(kStatsHeads), row);
}

Status CsvSink::tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) {
  if (!info.head.tag.starts_with(kWeights)) return passed_over();
  std::string layer(info.head.tag.substr(kWeights.size()));
  if (!info.sub_run.empty()) layer = std::string(info.sub_run) + "/" + layer;
  const std::size_t slash = layer.rfind('/');
  const std::string parameter = slash == std::string::npos ? layer : layer.substr(slash + 1);
  layer.resize(slash == std::string::npos ? 0 : slash);
  std::string before = time_cells(info);
  if (!layer.empty()) format::append_csv_text(before, layer);
  before += ',';
  format::append_csv_text(before, parameter);
  format::ElementRows rows(tensor_of(tensor), before + ",");
  return append_rows("", "weights", "epoch,step,layer,parameter,index,value", rows);
}

Status CsvSink::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  const format::PredictionTensors tensors = tensors_of(predictions);
  const std::string before = time_cells(info);
  const std::string name = predictions_name(info);
  const std::string stem = name == "val" ? "predictions" : "predictions_" + safe_name(name);
  constexpr std::string_view kElements = "epoch,step,id,index,value";
  format::PredictionRows rows(tensors, before);
  Status first;
  if (rows.has_table()) first = append_rows(name, stem, "epoch,step," + rows.heads(), rows);
  if (!rows.outputs_fit()) {
    format::SampleElements elements(tensors, tensors.y_pred, before);
    if (Status status = append_rows(name, stem + "_values", std::string(kElements), elements); first.ok())
      first = status;
  }
  if (!rows.labels_fit()) {
    format::SampleElements elements(tensors, tensors.y_true, before);
    if (Status status = append_rows(name, stem + "_labels", std::string(kElements), elements); first.ok())
      first = status;
  }
  return first;
}

Status CsvSink::flush() {
  Status metrics = metrics_->flush();
  Status steps = steps_->flush();
  return metrics.ok() ? steps : metrics;
}

Status CsvSink::sync() {
  TENSORTAP_TRY(metrics_->sync());
  TENSORTAP_TRY(steps_->sync());
  return tables_.sync();
}

std::uint64_t CsvSink::lost_captures() const { return metrics_->lost_captures() + steps_->lost_captures(); }

Status CsvSink::close(double, const event::CaptureEnd&) {
  Status first = metrics_->close();
  if (Status steps = steps_->close(); first.ok()) first = steps;
  if (Status tables = tables_.close(); first.ok()) first = tables;
  return first;
}

MadeSink make_csv_sink(const SinkSpec& spec) {
  TENSORTAP_TRY(check_directory_sink(spec, {"mode"}));
  Result<SinkMode> mode = sink_mode(spec);
  if (!mode.ok()) return mode.status();
  return std::unique_ptr<Sink>(std::make_unique<CsvSink>(posix_file_system(), spec.target, *mode));
}

}  // namespace tensortap::recorder
