// Tensors: out of captures, and out of the tensors of event files.
#include "query/tensors.h"

#include <cstring>
#include <numeric>

#include "base/try.h"
#include "event/event_fields.h"
#include "event/tensor_proto.h"
#include "query/place_values.h"
#include "query/tensor_slices.h"
#include "wire/field_cursor.h"

namespace tensortap::query {
namespace {

using event::CapturedPredictions;
using event::CapturedStats;
using event::CapturedTensor;
using event::ScannedValue;
using event::ValueForm;

// Samples of shape [n,0] cost the file nothing; numbering them must not cost gigabytes.
constexpr std::int64_t kMaxEmptySamples = std::int64_t{1} << 20;

Status corrupt(std::string message) { return Status(StatusCode::kCorrupt, std::move(message)); }

TensorView view_of(const CapturedTensor& tensor) { return {tensor.data.data(), tensor.dtype, tensor.shape, {}}; }

// Most writers put the elements into tensor_content as they are: then no copy of the whole is needed.
// nullopt where the elements stand elsewhere, or do not fit; decode_tensor_proto() knows what to say then.
std::optional<TensorView> view_of_content(std::string_view tensor_proto) {
  Result<event::TensorHead> head = event::tensor_head(tensor_proto);
  if (!head.ok()) return std::nullopt;
  std::string_view content;
  wire::FieldCursor fields(tensor_proto);
  for (wire::Field at; fields.next(at);) {
    if (at.is(event::field::kTensorContent, wire::WireType::kBytes)) content = at.bytes;
  }
  const Bytes elements = bytes_of(content);
  TensorView whole{elements.data(), head->dtype, std::move(head->shape), {}};
  const bool fits = !content.empty() && whole.validate().ok() && whole.size_bytes() == content.size();
  return fits ? std::optional(std::move(whole)) : std::nullopt;
}

Result<OwnedTensor> tensor_of(std::string_view tensor_proto, const std::vector<Slice>& slices) {
  if (auto whole = view_of_content(tensor_proto)) return sliced_copy(*whole, slices);
  Result<event::DecodedTensor> decoded = event::decode_tensor_proto(tensor_proto);
  if (!decoded.ok()) return decoded.status();
  if (decoded->dtype == DType::kString) return sliced_strings(std::move(decoded->strings), decoded->shape, slices);
  if (slices.empty()) return OwnedTensor{decoded->dtype, std::move(decoded->shape), std::move(decoded->data), {}};
  return sliced_copy({decoded->data.data(), decoded->dtype, decoded->shape, {}}, slices);
}

// Whether every tensor has as many samples, and which number that is.
Status check_samples(const CapturedPredictions& predictions, std::int64_t& samples) {
  const Shape& outputs = predictions.y_pred.shape;
  if (predictions.y_pred.dtype == DType::kInvalid || outputs.empty()) {
    return corrupt("the predictions have no y_pred with a dimension of samples");
  }
  samples = outputs[0];
  if (predictions.y_pred.data.empty() && samples > kMaxEmptySamples) {
    return corrupt("the predictions have " + std::to_string(samples) + " samples without a value");
  }
  const Shape& labels = predictions.y_true.shape;
  const bool has_labels = predictions.y_true.dtype != DType::kInvalid;
  if (has_labels && (labels.empty() || labels[0] != samples)) {
    return corrupt("y_true of shape " + shape_to_string(labels) + " and y_pred of shape " + shape_to_string(outputs) +
                   " do not have the same number of samples");
  }
  const CapturedTensor& numbers = predictions.number_ids;
  const bool has_numbers = numbers.dtype != DType::kInvalid;
  if (has_numbers && (numbers.dtype != DType::kInt64 || numbers.shape != Shape{samples})) {
    return corrupt("the ids of the predictions are not one int64 a sample");
  }
  const std::size_t texts = predictions.text_ids.size();
  if (texts != 0 && (has_numbers || texts != static_cast<std::uint64_t>(samples))) {
    return corrupt(std::to_string(texts) + " ids do not fit " + std::to_string(samples) + " samples");
  }
  return {};
}

OwnedTensor copy_of(const CapturedTensor& tensor) {
  return {tensor.dtype, tensor.shape, {tensor.data.begin(), tensor.data.end()}, {}};
}

Result<PredictionSet> predictions_of(const CapturedPredictions& predictions) {
  std::int64_t samples = 0;
  TENSORTAP_TRY(check_samples(predictions, samples));
  PredictionSet set{copy_of(predictions.y_true), copy_of(predictions.y_pred), {}, {}};
  set.text_ids.assign(predictions.text_ids.begin(), predictions.text_ids.end());
  if (!set.text_ids.empty()) return set;
  set.number_ids.resize(static_cast<std::size_t>(samples));
  std::iota(set.number_ids.begin(), set.number_ids.end(), 0);
  const Bytes ids = predictions.number_ids.data;
  if (!ids.empty()) std::memcpy(set.number_ids.data(), ids.data(), ids.size());
  return set;
}

}  // namespace

Result<OwnedTensor> tensor_at(const Place& place, const std::vector<Slice>& slices) {
  if (is_in_captures(place)) {
    return use_capture<CapturedTensor>(
        place, "tensor", [&](const CapturedTensor& tensor) { return sliced_copy(view_of(tensor), slices); });
  }
  return use_value(place, "tensor", [&](const ScannedValue& value) -> Result<OwnedTensor> {
    if (value.form != ValueForm::kTensor) return not_there(place, "tensor");
    return tensor_of(value.body, slices);
  });
}

Result<TensorDescription> describe_tensor(const Place& place) {
  if (is_in_captures(place) && place.kind == store::Kind::kStats) {
    return use_capture<CapturedStats>(place, "statistics", [](const CapturedStats& stats) -> Result<TensorDescription> {
      return TensorDescription{stats.dtype, stats.shape};
    });
  }
  if (is_in_captures(place)) {
    return use_capture<CapturedTensor>(place, "tensor", [](const CapturedTensor& tensor) -> Result<TensorDescription> {
      return TensorDescription{tensor.dtype, tensor.shape};
    });
  }
  return use_value(place, "tensor", [&](const ScannedValue& value) -> Result<TensorDescription> {
    if (value.form != ValueForm::kTensor) return not_there(place, "tensor");
    Result<event::TensorHead> head = event::tensor_head(value.body);
    if (!head.ok()) return head.status();
    return TensorDescription{head->dtype, std::move(head->shape)};
  });
}

Result<PredictionSet> predictions_at(const Place& place) {
  return use_capture<CapturedPredictions>(place, "predictions", predictions_of);
}

}  // namespace tensortap::query
