// The payloads made of tensors: statistics, raw values, predictions, PR curves.
#include "base/try.h"
#include "recorder/payload.h"
#include "tensor/gather.h"

namespace tensortap::recorder {
namespace {

// Makes a tensor's values one block in row-major order, where they are not already.
void make_contiguous(KeptTensor& tensor) {
  if (tensor.view.is_contiguous()) {
    tensor.view.strides_bytes.clear();
    return;
  }
  auto block = std::make_shared<std::vector<std::byte>>(tensor.view.size_bytes());
  tensor::gather(tensor.view, 0, tensor.view.element_count(), block->data());
  tensor.view = TensorView{block->data(), tensor.view.dtype, tensor.view.shape, {}};
  tensor.owner = std::move(block);
}

event::CapturedTensor captured(const TensorView& view) {
  return {view.dtype, view.shape, Bytes(static_cast<const std::byte*>(view.data), view.size_bytes())};
}

class StatsPayload : public Payload {
 public:
  explicit StatsPayload(KeptTensor tensor) : tensor_(std::move(tensor)) {}
  explicit StatsPayload(event::CapturedStats stats) : stats_(std::move(stats)) {}

  Status prepare() override {
    if (stats_.dtype != DType::kInvalid) return {};
    Result<TensorStats> computed = compute_stats(tensor_.view);
    if (!computed.ok()) return computed.status();
    stats_ = {tensor_.view.dtype, tensor_.view.shape, std::move(*computed)};
    tensor_ = {};  // the values are not needed any more
    return {};
  }

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.stats(info, stats_); }

 private:
  KeptTensor tensor_;
  event::CapturedStats stats_;
};

class TensorPayload : public Payload {
 public:
  explicit TensorPayload(KeptTensor tensor) : tensor_(std::move(tensor)) {}

  Status prepare() override {
    make_contiguous(tensor_);
    return {};
  }
  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.tensor(info, captured(tensor_.view)); }

 private:
  KeptTensor tensor_;
};

class PredictionsPayload : public Payload {
 public:
  explicit PredictionsPayload(Predictions predictions) : predictions_(std::move(predictions)) {}

  Status prepare() override {
    make_contiguous(predictions_.y_pred);
    if (predictions_.y_true.view.dtype != DType::kInvalid) make_contiguous(predictions_.y_true);
    return {};
  }

  Status deliver(const CaptureInfo& info, Sink& sink) override {
    event::CapturedPredictions body;
    body.y_pred = captured(predictions_.y_pred.view);
    if (predictions_.y_true.view.dtype != DType::kInvalid) body.y_true = captured(predictions_.y_true.view);
    if (!predictions_.number_ids.empty()) body.number_ids = captured(view(predictions_.number_ids));
    body.text_ids.assign(predictions_.text_ids.begin(), predictions_.text_ids.end());
    return sink.predictions(info, body);
  }

 private:
  Predictions predictions_;
};

class PrCurvePayload : public Payload {
 public:
  PrCurvePayload(int num_thresholds, std::vector<float> rows)
      : num_thresholds_(num_thresholds), rows_(std::move(rows)) {}

  Status deliver(const CaptureInfo& info, Sink& sink) override { return sink.pr_curve(info, num_thresholds_, rows_); }

 private:
  int num_thresholds_;
  std::vector<float> rows_;
};

}  // namespace

PayloadPtr stats_payload(KeptTensor tensor) { return std::make_unique<StatsPayload>(std::move(tensor)); }
PayloadPtr computed_stats_payload(event::CapturedStats stats) {
  return std::make_unique<StatsPayload>(std::move(stats));
}
PayloadPtr tensor_payload(KeptTensor tensor) { return std::make_unique<TensorPayload>(std::move(tensor)); }
PayloadPtr predictions_payload(Predictions predictions) {
  return std::make_unique<PredictionsPayload>(std::move(predictions));
}
PayloadPtr pr_curve_payload(int num_thresholds, std::vector<float> rows) {
  return std::make_unique<PrCurvePayload>(num_thresholds, std::move(rows));
}

}  // namespace tensortap::recorder
