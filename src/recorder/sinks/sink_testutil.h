// Captures for tests of sinks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/sink.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::recorder {

// What a tag's capture would say of itself; `tag` and `sub_run` must stay.
inline CaptureInfo capture_of(std::string_view tag, std::int64_t step, std::int64_t epoch = kNoEpoch,
                              std::string_view sub_run = "", std::uint64_t sequence = 0) {
  static std::map<std::string, std::uint32_t, std::less<>> numbers;
  const auto number = numbers.try_emplace(std::string(tag), static_cast<std::uint32_t>(numbers.size())).first->second;
  return {number, {{1000.0 + static_cast<double>(step), step}, tag, Phase::kNone, sequence}, epoch, sub_run};
}

inline event::CapturedTensor captured_of(const TensorView& view) {
  return {view.dtype, view.shape, Bytes(static_cast<const std::byte*>(view.data), view.size_bytes())};
}

inline event::CapturedPredictions captured_predictions(const TensorView& y_pred, const TensorView& y_true = {},
                                                       std::vector<std::string_view> text_ids = {}) {
  event::CapturedPredictions body;
  body.y_pred = captured_of(y_pred);
  if (y_true.dtype != DType::kInvalid) body.y_true = captured_of(y_true);
  body.text_ids = std::move(text_ids);
  return body;
}

}  // namespace tensortap::recorder
