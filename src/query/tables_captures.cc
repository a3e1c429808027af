// The tables of what was captured: statistics, histograms, tensors, predictions.
#include "base/try.h"
#include "query/distributions.h"
#include "query/doubles.h"
#include "query/table_cursors.h"
#include "query/tensors.h"

namespace tensortap::query {
namespace {

Status append_stats(const PlannedPlace& planned, BatchWriter& rows) {
  // Before the cells: a row is added whole or not at all.
  Result<std::vector<double>> percentiles = percentiles_at(planned.place);
  if (!percentiles.ok()) return percentiles.status();
  add_capture_cells(planned, rows);
  const store::StatsRow row = stats_at(planned.place);
  for (std::uint64_t count :
       {row.count, row.zeros, row.nan, row.positive_inf, row.negative_inf, row.negatives, row.subnormals}) {
    rows.add_uint64(count);
  }
  for (double number : {row.min, row.max, row.mean, row.std, row.l1, row.l2}) rows.add_float64(number);
  for (double number : *percentiles) rows.add_float64(number);
  return {};
}

Status append_histogram(const PlannedPlace& planned, BatchWriter& rows) {
  Result<HistogramAt> histogram = histogram_at(planned.place);
  if (!histogram.ok()) return histogram.status();
  add_value_cells(planned, rows);
  rows.add_list(histogram->left);
  rows.add_list(histogram->right);
  rows.add_list(histogram->count);
  return {};
}

Status append_tensor(const PlannedPlace& planned, BatchWriter& rows) {
  Result<OwnedTensor> tensor = tensor_at(planned.place);
  // A dtype that is not read, say: what can be said about such a tensor is said, and the table goes on.
  const bool is_unread = tensor.status().code() == StatusCode::kUnsupported;
  if (!tensor.ok() && !is_unread) return tensor.status();
  Result<TensorDescription> description =
      is_unread ? describe_tensor(planned.place) : TensorDescription{tensor->dtype, tensor->shape};
  if (!description.ok()) return description.status();
  add_capture_cells(planned, rows);
  rows.add_text(std::string(dtype_name(description->dtype)));
  rows.add_text(shape_to_string(description->shape));
  if (is_unread || tensor->dtype == DType::kString) {
    rows.add_null();
  } else {
    rows.add_list(doubles_of(*tensor));
  }
  return {};
}

// The outputs or labels of samples, one after the other.
class SampleLists {
 public:
  SampleLists(const OwnedTensor& tensor, std::size_t samples)
      : numbers_(doubles_of(tensor)),
        each_(samples == 0 ? 0 : numbers_.size() / samples),
        is_there_(tensor.dtype != DType::kInvalid) {}

  void add(std::size_t sample, BatchWriter& rows) const {
    if (!is_there_) return rows.add_null();
    rows.add_list(std::span(numbers_).subspan(sample * each_, each_));
  }

 private:
  std::vector<double> numbers_;
  std::size_t each_;
  bool is_there_;
};

Status append_predictions(const PlannedPlace& planned, BatchWriter& rows) {
  Result<PredictionSet> set = predictions_at(planned.place);
  if (!set.ok()) return set.status();
  const bool has_texts = !set->text_ids.empty();
  const std::size_t samples = has_texts ? set->text_ids.size() : set->number_ids.size();
  const SampleLists labels(set->y_true, samples);
  const SampleLists outputs(set->y_pred, samples);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    add_value_cells(planned, rows);
    rows.add_int64(static_cast<std::int64_t>(sample));
    rows.add_text(has_texts ? std::move(set->text_ids[sample]) : std::to_string(set->number_ids[sample]));
    labels.add(sample, rows);
    outputs.add(sample, rows);
  }
  return {};
}

}  // namespace

PlaceTable stats_table() {
  std::vector<ColumnHead> more;
  for (const char* name : {"count", "zeros", "nan", "positive_inf", "negative_inf", "negatives", "subnormals"}) {
    more.push_back({name, ColumnType::kUint64});
  }
  for (const char* name : {"min", "max", "mean", "std", "l1", "l2"}) more.push_back({name, ColumnType::kFloat64});
  for (int percentile : kPercentiles) more.push_back({"p" + std::to_string(percentile), ColumnType::kFloat64});
  return {heads_of_captures(std::move(more)), {phase_words()}, append_stats};
}

PlaceTable histograms_table() {
  return {heads_of_values({{"left", ColumnType::kFloat64List},
                           {"right", ColumnType::kFloat64List},
                           {"count", ColumnType::kFloat64List}}),
          {},
          append_histogram};
}

PlaceTable tensors_table() {
  return {heads_of_captures(
              {{"dtype", ColumnType::kText}, {"shape", ColumnType::kText}, {"values", ColumnType::kFloat64List, true}}),
          {phase_words()},
          append_tensor};
}

PlaceTable predictions_table() {
  return {heads_of_values({{"sample", ColumnType::kInt64},
                           {"id", ColumnType::kText},
                           {"y_true", ColumnType::kFloat64List, true},
                           {"y_pred", ColumnType::kFloat64List}}),
          {},
          append_predictions};
}

}  // namespace tensortap::query
