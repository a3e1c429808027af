// Predictions: the first samples, what they are and what they were taken for.
#include <fmt/format.h>

#include <algorithm>

#include "cli/show/show_request.h"
#include "cli/show/tensor_text.h"
#include "cli/table_print.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "format/values.h"
#include "query/tensors.h"

namespace tensortap::cli {
namespace {

using query::OwnedTensor;
using query::PredictionSet;

constexpr std::uint64_t kUsualSamples = 20;
constexpr std::uint64_t kMostValues = 8;  // of one sample

std::uint64_t sample_count(const PredictionSet& set) {
  return std::max<std::uint64_t>(set.number_ids.size(), set.text_ids.size());
}

std::uint64_t values_a_sample(const OwnedTensor& tensor, std::uint64_t samples) {
  return samples == 0 ? 0 : element_count(tensor) / samples;
}

std::string sample_text(const OwnedTensor& tensor, std::uint64_t sample, std::uint64_t values) {
  std::string text;
  for (std::uint64_t i = 0; i < std::min(values, kMostValues); ++i) {
    text += (i > 0 ? " " : "") + element_text(tensor, sample * values + i, 4);
  }
  return values > kMostValues ? text + " ..." : text;
}

std::string id_text(const PredictionSet& set, std::uint64_t sample) {
  return set.text_ids.empty() ? std::to_string(set.number_ids[sample]) : visible_text(set.text_ids[sample]);
}

// The index of a sample's greatest output, for outputs that are scores of classes.
std::string class_text(const TensorView& outputs, std::uint64_t sample, std::uint64_t values) {
  std::uint64_t best = 0;
  double greatest = 0;
  for (std::uint64_t i = 0; i < values; ++i) {
    double value = 0;
    format::read_values(outputs, sample * values + i, 1, &value);
    if (i > 0 && !(value > greatest)) continue;
    best = i;
    greatest = value;
  }
  return std::to_string(best);
}

void print_samples(const PredictionSet& set, std::uint64_t shown) {
  const std::uint64_t samples = sample_count(set);
  const bool has_labels = set.y_true.dtype != DType::kInvalid;
  const std::uint64_t outputs = values_a_sample(set.y_pred, samples);
  const std::uint64_t labels = has_labels ? values_a_sample(set.y_true, samples) : 0;
  const TensorView scores{set.y_pred.data.data(), set.y_pred.dtype, set.y_pred.shape, {}};
  const bool has_classes = labels <= 1 && outputs > 1 && format::check_values(scores).ok();
  std::vector<std::vector<std::string>> rows;
  rows.reserve(std::min(samples, shown));
  for (std::uint64_t i = 0; i < std::min(samples, shown); ++i) {
    rows.push_back({id_text(set, i), has_labels ? sample_text(set.y_true, i, labels) : "-",
                    has_classes ? class_text(scores, i, outputs) : "", sample_text(set.y_pred, i, outputs)});
  }
  print_table(
      {{"ID", Align::kRight}, {"TRUE", Align::kRight}, {has_classes ? "CLASS" : "", Align::kRight}, {"PREDICTED"}},
      rows);
  if (samples > shown) fmt::print("and {} more; --height shows more of them\n", count_text(samples - shown));
}

void put_tensor(JsonOut& json, std::string_view name, const OwnedTensor& tensor) {
  json.key(name);
  json.begin_object();
  json.member("dtype", dtype_name(tensor.dtype));
  json.list("shape", tensor.shape);
  put_elements(json, "values", tensor);
  json.end_object();
}

void print_json(const ShowRequest& request, const query::Place& place, const PredictionSet& set) {
  JsonOut json;
  begin_json(json, request, place);
  set.text_ids.empty() ? json.list("ids", set.number_ids) : json.list("ids", set.text_ids);
  if (set.y_true.dtype != DType::kInvalid) put_tensor(json, "y_true", set.y_true);
  put_tensor(json, "y_pred", set.y_pred);
  json.end_object();
}

}  // namespace

Status show_predictions(const ShowRequest& request) {
  auto place = chosen_place(request);
  if (!place.ok()) return place.status();
  auto set = query::predictions_at(*place);
  if (!set.ok()) return set.status();
  if (request.json) {
    print_json(request, *place, *set);
    return {};
  }
  print_heading(request, *place,
                fmt::format("{}  y_pred {} {}", counted(sample_count(*set), "sample", "samples"),
                            dtype_name(set->y_pred.dtype), shape_to_string(set->y_pred.shape)));
  print_samples(*set, request.height > 0 ? request.height : kUsualSamples);
  return {};
}

}  // namespace tensortap::cli
