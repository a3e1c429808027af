// CallChecks: whether the arguments of a recording call can ever be recorded.
//
// Each is kInvalidArgument with a sentence that says what is wrong and what would do.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tensortap/media.h"
#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::recorder {

// False for a tensor that was left out.
inline bool is_given(const KeptTensor& tensor) { return tensor.view.dtype != DType::kInvalid; }

Status check_tensor(const TensorView& view);
Status check_texts(std::span<const std::string> texts, const Shape& shape);
Status check_predictions(std::string_view name, const Predictions& predictions);
Status check_mesh(const Mesh& mesh);

}  // namespace tensortap::recorder
