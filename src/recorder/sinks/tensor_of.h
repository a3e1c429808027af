// TensorOf: captured tensors as views, for the formats.
#pragma once

#include "event/capture.h"
#include "format/prediction_rows.h"
#include "tensortap/tensor_view.h"

namespace tensortap::recorder {

inline TensorView tensor_of(const event::CapturedTensor& captured) {
  return {captured.data.data(), captured.dtype, captured.shape, {}};
}

// The views hold on to `captured`.
inline format::PredictionTensors tensors_of(const event::CapturedPredictions& captured) {
  return {tensor_of(captured.y_pred), tensor_of(captured.y_true), tensor_of(captured.number_ids), captured.text_ids};
}

}  // namespace tensortap::recorder
