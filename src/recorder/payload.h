// Payload: what a capture carries besides a number, from the trainer's call to the sinks.
#pragma once

#include <memory>
#include <utility>

#include "recorder/sink.h"
#include "tensortap/result.h"

namespace tensortap::recorder {

// Made on the trainer's thread, used and destroyed on the worker's.
//
// Threads:  one at a time.
// Failure:  an error of prepare() or deliver() costs this capture alone.
// Lifetime: holds whatever keeps its tensors alive.
class Payload {
 public:
  virtual ~Payload() = default;

  // Reduces or encodes, once, on the worker.
  virtual Status prepare() { return {}; }

  virtual Status deliver(const CaptureInfo& info, Sink& sink) = 0;
};

using PayloadPtr = std::unique_ptr<Payload>;

PayloadPtr stats_payload(KeptTensor tensor);
PayloadPtr computed_stats_payload(event::CapturedStats stats);
PayloadPtr tensor_payload(KeptTensor tensor);
PayloadPtr predictions_payload(Predictions predictions);
// Statistics of `after` - `before`; and, delivered later, the norm of that change over the norm of `before`.
std::pair<PayloadPtr, PayloadPtr> update_payloads(KeptTensor before, KeptTensor after);
PayloadPtr pr_curve_payload(int num_thresholds, std::vector<float> rows);

PayloadPtr image_payload(KeptTensor pixels, ImageScale scale);
PayloadPtr feature_maps_payload(KeptTensor output, std::int64_t max_samples);
PayloadPtr audio_payload(KeptTensor samples, double rate_hz);
PayloadPtr text_payload(std::vector<std::string> texts, Shape shape);
PayloadPtr hparams_payload(HParams hparams, std::vector<std::string> metric_tags);
PayloadPtr graph_payload(std::string graph_def);
PayloadPtr keras_model_payload(std::string json);
PayloadPtr mesh_payload(Mesh mesh);

}  // namespace tensortap::recorder
