// CallChecks, one per kind of call that needs more than its tensors to be valid.
#include "recorder/call_checks.h"

#include "base/try.h"
#include "base/utf8.h"
#include "event/capture.h"

namespace tensortap::recorder {
namespace {

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

Status check_mesh_part(const KeptTensor& part, std::string_view what) {
  if (!is_given(part)) return {};
  TENSORTAP_TRY(part.view.validate());
  const Shape& shape = part.view.shape;
  if (shape.size() != 3 || shape[2] != 3) {
    return invalid(std::string(what) + " of a mesh have the shape [batch,n,3], not " + shape_to_string(shape));
  }
  switch (part.view.dtype) {
    case DType::kFloat32:
    case DType::kFloat64:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint32:
    case DType::kUint64:
    case DType::kInt16:
    case DType::kUint16:
    case DType::kInt8:
    case DType::kUint8: return {};
    default: return invalid(std::string(what) + " of a mesh cannot be " + std::string(dtype_name(part.view.dtype)));
  }
}

}  // namespace

Status check_tensor(const TensorView& view) {
  TENSORTAP_TRY(view.validate());
  if (view.size_bytes() < event::kMaxTensorBytes) return {};
  return invalid("a tensor of " + std::to_string(view.size_bytes()) +
                 " bytes is more than one record holds (2 GiB); record a slice of it, or its histogram");
}

Status check_texts(std::span<const std::string> texts, const Shape& shape) {
  std::uint64_t count = 1;
  for (std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  if (count != texts.size()) {
    return invalid(std::to_string(texts.size()) + " texts do not fit the shape " + shape_to_string(shape));
  }
  for (const std::string& text : texts) {
    if (!is_valid_utf8(text)) return invalid("text must be valid UTF-8");
  }
  return {};
}

Status check_predictions(std::string_view name, const Predictions& predictions) {
  if (name.empty()) return invalid("the name of predictions must not be empty");
  TENSORTAP_TRY(check_tensor(predictions.y_pred.view));
  if (is_given(predictions.y_true)) TENSORTAP_TRY(check_tensor(predictions.y_true.view));
  const Shape& outputs = predictions.y_pred.view.shape;
  if (outputs.empty()) return invalid("predictions need a first dimension that counts the samples; y_pred is a scalar");
  const auto samples = static_cast<std::uint64_t>(outputs[0]);
  if (is_given(predictions.y_true)) {
    const Shape& labels = predictions.y_true.view.shape;
    if (labels.empty() || labels[0] != outputs[0]) {
      return invalid("y_true of shape " + shape_to_string(labels) + " and y_pred of shape " + shape_to_string(outputs) +
                     " do not have the same number of samples");
    }
  }
  for (std::size_t ids : {predictions.number_ids.size(), predictions.text_ids.size()}) {
    if (ids != 0 && ids != samples) {
      return invalid(std::to_string(ids) + " ids do not fit " + std::to_string(samples) + " samples");
    }
  }
  if (!predictions.number_ids.empty() && !predictions.text_ids.empty())
    return invalid("ids are numbers or texts, not both");
  return {};
}

Status check_mesh(const Mesh& mesh) {
  if (!is_given(mesh.vertices)) return invalid("a mesh needs vertices");
  TENSORTAP_TRY(check_mesh_part(mesh.vertices, "vertices"));
  TENSORTAP_TRY(check_mesh_part(mesh.faces, "faces"));
  return check_mesh_part(mesh.colors, "colors");
}

}  // namespace tensortap::recorder
