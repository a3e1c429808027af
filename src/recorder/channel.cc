// Channel: checks a recording call, takes hold of its tensors, and queues it.
#include "recorder/channel.h"

#include <cmath>

#include "base/clock.h"
#include "base/try.h"
#include "event/plugins.h"
#include "format/feature_map.h"
#include "format/pixels.h"
#include "format/wav.h"
#include "recorder/call_checks.h"
#include "recorder/recorder.h"
#include "recorder/run_writer.h"
#include "stats/pr_curve.h"
#include "tensor/gather.h"

namespace tensortap::recorder {
namespace {

// Up to here computing statistics at once costs the caller less than a copy, a queue entry and a wake-up.
constexpr std::uint64_t kReduceAtOnceBytes = 16 << 10;
// What a queued capture costs beyond its tensors.
constexpr std::uint64_t kEntryBytes = sizeof(QueuedCapture);
constexpr std::uint64_t kStatsBytes = 1024;

// Adds the time it lives to the caller's account.
class CallerTime {
 public:
  explicit CallerTime(CaptureQueue& queue) : queue_(queue), start_nanos_(monotonic_nanos()) {}
  ~CallerTime() { queue_.add_caller_nanos(monotonic_nanos() - start_nanos_); }
  CallerTime(const CallerTime&) = delete;
  CallerTime& operator=(const CallerTime&) = delete;

 private:
  CaptureQueue& queue_;
  std::int64_t start_nanos_;
};

}  // namespace

Channel::Channel(Recorder& recorder, std::string path, std::string sub_run, std::unique_ptr<RunWriter> writer)
    : recorder_(recorder),
      path_(std::move(path)),
      sub_run_(std::move(sub_run)),
      tags_(std::make_unique<TagTable>()),
      writer_(std::move(writer)) {}

Channel::~Channel() = default;

Result<std::shared_ptr<Channel>> Channel::open(const std::string& path, const RunOptions& options) {
  return open(path, options, posix_file_system());
}

Result<std::shared_ptr<Channel>> Channel::open(const std::string& path, const RunOptions& options,
                                               FileSystem& file_system) {
  auto recorder = std::make_shared<Recorder>(options, file_system);
  TENSORTAP_TRY(recorder->start(path));
  return recorder->root();
}

Result<std::shared_ptr<Channel>> Channel::sub(std::string_view name) {
  if (closed()) return Status(StatusCode::kClosed, "run " + path_ + " is closed");
  return recorder_.sub(*this, name);
}

Status Channel::refuse_if_strict() const {
  if (recorder_.options().when_full != WhenFull::kStrict || !recorder_.has_error()) return {};
  return recorder_.first_error();
}

Status Channel::outcome(Admission admission, const Tag& tag, std::int64_t step) {
  Status error;
  switch (admission) {
    case Admission::kAdmitted: return {};
    case Admission::kClosed:
      return Status(StatusCode::kClosed, "run " + path_ + " is closed; open it again with mode resume");
    case Admission::kForked: return {};  // counted; the child opens its own run
    case Admission::kFull:
      error = Status(StatusCode::kIo, "'" + tag.name + "' at step " + std::to_string(step) +
                                          " was dropped: the queue is full (" +
                                          std::to_string(recorder_.options().queue_bytes) +
                                          " bytes); record less often, raise queue_bytes, or wait instead of dropping");
      break;
    case Admission::kTooLarge:
      error = Status(StatusCode::kIo, "'" + tag.name + "' at step " + std::to_string(step) +
                                          " was dropped: it is larger than queue_bytes (" +
                                          std::to_string(recorder_.options().queue_bytes) + ")");
      break;
  }
  recorder_.remember(error);
  return recorder_.options().when_full == WhenFull::kStrict ? error : Status();
}

Status Channel::scalar(std::string_view tag, double value, std::int64_t step) {
  CaptureQueue& queue = recorder_.queue();
  CallerTime time(queue);
  TENSORTAP_TRY(refuse_if_strict());
  if (queue.forked()) return (void)queue.reserve(0), Status();
  auto known = tags_->find_or_add(tag, event::plugin::kScalars);
  if (!known.ok()) return known.status();
  QueuedCapture capture;
  capture.channel = this;
  capture.tag = *known;
  capture.step = step;
  capture.value = value;
  capture.epoch = recorder_.clock().published_epoch();
  capture.bytes = kEntryBytes;
  return outcome(queue.offer(std::move(capture)), **known, step);
}

Status Channel::record(std::string_view tag, std::string_view kind, std::int64_t step, Phase phase,
                       std::initializer_list<const KeptTensor*> tensors, std::uint64_t extra_bytes,
                       const MakePayload& make) {
  CaptureQueue& queue = recorder_.queue();
  TENSORTAP_TRY(refuse_if_strict());
  if (queue.forked()) return (void)queue.reserve(0), Status();
  auto known = tags_->find_or_add(tag, kind);
  if (!known.ok()) return known.status();

  QueuedCapture capture;
  capture.bytes = kEntryBytes + extra_bytes;
  for (const KeptTensor* tensor : tensors) capture.bytes += is_given(*tensor) ? tensor->view.size_bytes() : 0;
  // Memory is set aside before anything is copied into it.
  Admission admission = queue.reserve(capture.bytes);
  if (admission != Admission::kAdmitted) return outcome(admission, **known, step);

  std::vector<KeptTensor> kept;
  for (const KeptTensor* tensor : tensors) {
    kept.push_back(*tensor);
    if (tensor->owner || !is_given(*tensor)) continue;
    std::shared_ptr<std::byte> copy = recorder_.buffers().take(tensor->view.size_bytes());
    if (!copy) {
      queue.count_dropped(1, capture.bytes);
      recorder_.remember(Status(StatusCode::kIo, "no memory to copy '" + std::string(tag) + "'; it was dropped"));
      return {};
    }
    tensor::gather(tensor->view, 0, tensor->view.element_count(), copy.get());
    kept.back() = KeptTensor({copy.get(), tensor->view.dtype, tensor->view.shape, {}}, copy);
  }
  capture.channel = this;
  capture.tag = *known;
  capture.step = step;
  capture.phase = phase;
  capture.epoch = recorder_.clock().published_epoch();
  capture.payload = make(std::move(kept));
  queue.push(std::move(capture));
  return {};
}

Status Channel::record_owned(std::string_view tag, std::string_view kind, std::int64_t step, std::uint64_t bytes,
                             PayloadPtr payload) {
  CallerTime time(recorder_.queue());
  return record(tag, kind, step, Phase::kNone, {}, bytes, [&](const auto&) { return std::move(payload); });
}

Status Channel::histogram(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(values.view.validate());
  const bool shown = recorder_.options().tensorboard_histograms != TensorBoardHistograms::kNone;
  const std::string_view kind = shown ? event::plugin::kHistograms : std::string_view();
  if (values.view.size_bytes() <= kReduceAtOnceBytes) {
    Result<TensorStats> stats = compute_stats(values.view);
    if (!stats.ok()) return stats.status();
    return record(tag, kind, step, phase, {}, kStatsBytes, [&](const auto&) {
      return computed_stats_payload({values.view.dtype, values.view.shape, std::move(*stats)});
    });
  }
  return record(tag, kind, step, phase, {&values}, kStatsBytes,
                [](std::vector<KeptTensor> kept) { return stats_payload(std::move(kept[0])); });
}

Status Channel::tensor(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(check_tensor(values.view));
  return record(tag, "", step, phase, {&values}, 0,
                [](std::vector<KeptTensor> kept) { return tensor_payload(std::move(kept[0])); });
}

Status Channel::image(std::string_view tag, const KeptTensor& pixels, std::int64_t step, ImageScale scale) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(format::check_image(pixels.view));
  return record(tag, event::plugin::kImages, step, Phase::kNone, {&pixels}, 0,
                [&](std::vector<KeptTensor> kept) { return image_payload(std::move(kept[0]), scale); });
}

Status Channel::feature_maps(std::string_view tag, const KeptTensor& output, std::int64_t step,
                             std::int64_t max_samples) {
  CallerTime time(recorder_.queue());
  if (max_samples < 1) return Status(StatusCode::kInvalidArgument, "feature maps are of at least one sample");
  TENSORTAP_TRY(format::check_feature_maps(output.view));
  const KeptTensor first(format::first_samples(output.view, max_samples), output.owner);
  return record(tag, event::plugin::kImages, step, Phase::kNone, {&first}, 0,
                [&](std::vector<KeptTensor> kept) { return feature_maps_payload(std::move(kept[0]), max_samples); });
}

Status Channel::audio(std::string_view tag, const KeptTensor& samples, double rate_hz, std::int64_t step) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(format::check_audio(samples.view, rate_hz));
  return record(tag, event::plugin::kAudio, step, Phase::kNone, {&samples}, 0,
                [&](std::vector<KeptTensor> kept) { return audio_payload(std::move(kept[0]), rate_hz); });
}

Status Channel::text(std::string_view tag, std::vector<std::string> texts, const Shape& shape, std::int64_t step) {
  TENSORTAP_TRY(check_texts(texts, shape));
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return record_owned(tag, event::plugin::kText, step, bytes, text_payload(std::move(texts), shape));
}

Status Channel::predictions(std::string_view name, const Predictions& predictions, std::int64_t step, Phase phase) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(check_predictions(name, predictions));
  std::uint64_t id_bytes = predictions.number_ids.size() * sizeof(std::int64_t);
  for (const std::string& id : predictions.text_ids) id_bytes += id.size() + sizeof(std::string);
  return record("predictions/" + std::string(name), "", step, phase, {&predictions.y_pred, &predictions.y_true},
                id_bytes, [&](std::vector<KeptTensor> kept) {
                  return predictions_payload(
                      {std::move(kept[0]), std::move(kept[1]), predictions.number_ids, predictions.text_ids});
                });
}

Status Channel::hparams(const HParams& hparams, const std::vector<std::string>& metric_tags) {
  if (hparams_recorded_.exchange(true)) {
    return Status(StatusCode::kInvalidArgument,
                  "the hyperparameters of run " + path_ + " are recorded already; they are given once");
  }
  return record_owned(event::kHParamsStartTag, event::plugin::kHParams, 0, 64 * (hparams.size() + 1),
                      hparams_payload(hparams, metric_tags));
}

Status Channel::graph(std::string_view graph_def) {
  if (graph_def.empty()) return Status(StatusCode::kInvalidArgument, "the graph is empty");
  return record_owned("__run_graph__", "graphs", 0, graph_def.size(), graph_payload(std::string(graph_def)));
}

Status Channel::keras_model(std::string_view json) {
  if (json.empty()) return Status(StatusCode::kInvalidArgument, "the JSON of the model is empty");
  return record_owned(event::kKerasModelTag, event::plugin::kKerasModel, 0, json.size(),
                      keras_model_payload(std::string(json)));
}

Status Channel::pr_curve(std::string_view tag, const KeptTensor& labels, const KeptTensor& scores, std::int64_t step,
                         int num_thresholds) {
  // At once: only a look at every score can tell whether the call makes sense, and what is left is small.
  Result<stats::PrCurve> curve = stats::compute_pr_curve(labels.view, scores.view, num_thresholds);
  if (!curve.ok()) return curve.status();
  return record_owned(tag, event::plugin::kPrCurves, step, curve->rows.size() * sizeof(float),
                      pr_curve_payload(curve->num_thresholds, std::move(curve->rows)));
}

Status Channel::mesh(std::string_view tag, const Mesh& mesh, std::int64_t step) {
  CallerTime time(recorder_.queue());
  TENSORTAP_TRY(check_mesh(mesh));
  return record(tag, event::plugin::kMesh, step, Phase::kNone, {&mesh.vertices, &mesh.faces, &mesh.colors},
                mesh.config_json.size(), [&](std::vector<KeptTensor> kept) {
                  return mesh_payload({std::move(kept[0]), std::move(kept[1]), std::move(kept[2]), mesh.config_json});
                });
}

Status Channel::flush() { return recorder_.flush(false); }
Status Channel::sync() { return recorder_.flush(true); }
Status Channel::close(bool success) { return recorder_.close(success); }
void Channel::begin_batch(std::int64_t step, Phase phase) { recorder_.clock().begin_batch(step, phase); }
void Channel::end_batches() { recorder_.clock().end_batches(); }
BatchMark Channel::batch() const { return recorder_.clock().batch(); }
void Channel::publish_step(std::int64_t step) { recorder_.clock().publish_step(step); }
std::optional<std::int64_t> Channel::published_step() const { return recorder_.clock().published_step(); }
std::uint64_t Channel::published_serial() const { return recorder_.clock().published_serial(); }
void Channel::publish_epoch(std::int64_t epoch) { recorder_.clock().publish_epoch(epoch); }
std::int64_t Channel::published_epoch() const { return recorder_.clock().published_epoch(); }
Status Channel::status() const { return recorder_.first_error(); }
void Channel::remember(const Status& error) { recorder_.remember(error); }
const Channel& Channel::root() const { return recorder_.root_channel(); }

void Channel::refuse(std::string_view tag, std::int64_t step, const Status& error) {
  recorder_.queue().count_refused();
  recorder_.remember(
      Status(error.code(), "'" + std::string(tag) + "' at step " + std::to_string(step) + ": " + error.message()));
}

RunReport Channel::report() const { return recorder_.report(); }
bool Channel::closed() const { return recorder_.queue().closed(); }

}  // namespace tensortap::recorder
