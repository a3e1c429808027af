// RunWriter: which kind of capture becomes which record in which file.
#include "recorder/run_writer.h"

#include <unistd.h>

#include <utility>

#include "base/try.h"
#include "event/event.h"
#include "event/plugins.h"
#include "recorder/histogram_thinning.h"
#include "recorder/run_directory.h"
#include "tensortap/version.h"

namespace tensortap::recorder {
namespace {

using event::DataClass;
using event::Metadata;

// TensorBoard draws 30 bars out of whatever it gets; twice as many edges keep its percentiles close.
constexpr std::size_t kTensorBoardBuckets = 64;

}  // namespace

RunWriter::RunWriter(FileSystem& file_system, std::string directory, const RunOptions& options,
                     std::unique_ptr<File> captures, double wall_secs)
    : file_system_(file_system),
      directory_(std::move(directory)),
      options_(options),
      claimed_captures_(std::move(captures)) {
  if (claimed_captures_) {
    Status status = open_captures(wall_secs);
    if (status.ok()) (void)captures_->flush();  // a failure shows again, with the first capture
  }
}

RunWriter::TagState& RunWriter::state(const CaptureInfo& info) {
  if (info.tag_number >= tags_.size()) tags_.resize(info.tag_number + 1);
  return tags_[info.tag_number];
}

const Metadata* RunWriter::describe(TagState& tag, const Metadata& metadata) {
  return std::exchange(tag.described, true) ? nullptr : &metadata;
}

Status RunWriter::open_captures(double wall_secs) {
  if (captures_) return {};
  if (!claimed_captures_) {
    auto created = create_captures_file(file_system_, directory_, wall_secs);
    if (!created.ok()) return created.status();
    claimed_captures_ = std::move(created).value();
  }
  captures_ = std::make_unique<wire::RecordWriter>(std::move(claimed_captures_));
  event::CaptureHeader header{event::kCaptureFormatVersion, event::kCaptureLeastReaderVersion,
                              "tensortap " TENSORTAP_VERSION, host_name(), static_cast<std::uint64_t>(::getpid())};
  return append_capture({0, {{wall_secs, 0}, "", Phase::kNone, 0}}, header, false);
}

Status RunWriter::open_events(double wall_secs) {
  if (events_) return {};
  auto created = create_events_file(file_system_, directory_, wall_secs);
  if (!created.ok()) return created.status();
  events_ = std::make_unique<wire::RecordWriter>(std::move(created).value());
  TENSORTAP_TRY(append_event(wall_secs, event::encode_file_version(wall_secs), false));
  // Twice: TensorBoard takes the first START it sees in a run for the run's own, and hides nothing for it.
  for (int i = 0; options_.resume_step && i < 2; ++i) {
    TENSORTAP_TRY(append_event(wall_secs, event::encode_session_start({wall_secs, *options_.resume_step}), false));
  }
  return {};
}

template <typename Body>
Status RunWriter::append_capture(const CaptureInfo& info, const Body& body, bool counted) {
  TENSORTAP_TRY(open_captures(info.head.time.wall_secs));
  return captures_->append(event::encode_capture(info.head, body).pieces(), counted);
}

Status RunWriter::append_event(double wall_secs, const std::string& bytes, bool counted) {
  TENSORTAP_TRY(open_events(wall_secs));
  Bytes piece = bytes_of(bytes);
  return events_->append({&piece, 1}, counted);
}

Status RunWriter::scalar(const CaptureInfo& info, double value) {
  static const Metadata metadata{event::plugin::kScalars, "", DataClass::kScalar, "", false};
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs, event::encode_scalar(time, tag, value, describe(state(info), metadata)));
}

Status RunWriter::stats(const CaptureInfo& info, const event::CapturedStats& stats) {
  TENSORTAP_TRY(append_capture(info, stats));
  if (options_.tensorboard_histograms == TensorBoardHistograms::kNone) return {};
  // The capture is safe: a histogram that TensorBoard does not get is an error to show, but no lost capture.
  Status derived = derive_histogram(info, stats.stats);
  if (!derived.ok()) derived_error_ = std::move(derived);
  return {};
}

Status RunWriter::derive_histogram(const CaptureInfo& info, const TensorStats& stats) {
  TagState& tag = state(info);
  const bool all = options_.tensorboard_histograms == TensorBoardHistograms::kAll;
  if (all || keeps_histogram(tag.histograms++)) {
    tag.thinned_time.reset();
    return append_histogram(tag, info.head.tag, info.head.time, stats);
  }
  ++histograms_thinned_;
  tag.last_tag = info.head.tag;
  tag.thinned_time = info.head.time;
  tag.thinned_stats = stats;
  return {};
}

Status RunWriter::append_histogram(TagState& tag, std::string_view name, event::EventTime time,
                                   const TensorStats& stats) {
  static const Metadata metadata{event::plugin::kHistograms, "", DataClass::kTensor, "", true};
  std::vector<double> rows;
  for (const HistogramBucket& bucket : stats.buckets(kTensorBoardBuckets)) {
    rows.insert(rows.end(), {bucket.left, bucket.right, static_cast<double>(bucket.count)});
  }
  const auto count = static_cast<std::int64_t>(rows.size() / 3);
  return append_event(time.wall_secs,
                      event::encode_tensor(time, name, view(rows.data(), {count, 3}), describe(tag, metadata)), false);
}

Status RunWriter::tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) {
  return append_capture(info, tensor);
}

Status RunWriter::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  return append_capture(info, predictions);
}

Status RunWriter::images(const CaptureInfo& info, std::span<const EncodedImage> images) {
  static const Metadata metadata{event::plugin::kImages, "", DataClass::kBlobSequence, "", false};
  std::vector<std::string> strings = {"0", "0"};
  if (!images.empty()) strings = {std::to_string(images[0].width), std::to_string(images[0].height)};
  for (const EncodedImage& image : images) strings.push_back(image.png);
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs,
                      event::encode_strings(time, tag, strings, {static_cast<std::int64_t>(strings.size())},
                                            describe(state(info), metadata)));
}

Status RunWriter::audio(const CaptureInfo& info, std::span<const std::string> clips) {
  static const std::string content = event::audio_content();
  static const Metadata metadata{event::plugin::kAudio, content, DataClass::kBlobSequence, "", false};
  // [clips] without labels: TensorBoard's Python reader does not drop them where the metadata has a data class.
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs, event::encode_strings(time, tag, clips, {static_cast<std::int64_t>(clips.size())},
                                                            describe(state(info), metadata)));
}

Status RunWriter::text(const CaptureInfo& info, std::span<const std::string> texts, const Shape& shape) {
  static const Metadata metadata{event::plugin::kText, "", DataClass::kTensor, "", false};
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs, event::encode_strings(time, tag, texts, shape, describe(state(info), metadata)));
}

Status RunWriter::hparams(const CaptureInfo& info, const HParams& hparams,
                          const std::vector<std::string>& metric_tags) {
  const event::EventTime time = info.head.time;
  auto append = [&](std::string_view tag, const std::string& content, bool counted) {
    Metadata metadata{event::plugin::kHParams, content, DataClass::kTensor, "", false};
    return append_event(time.wall_secs, event::encode_tensor(time, tag, view<float>(nullptr, {0}), &metadata), counted);
  };
  if (!metric_tags.empty()) {
    TENSORTAP_TRY(append(event::kHParamsExperimentTag,
                         event::hparams_experiment_content(hparams, metric_tags, time.wall_secs), false));
  }
  hparams_written_ = true;
  return append(event::kHParamsStartTag, event::hparams_start_content(hparams, "", time.wall_secs), true);
}

Status RunWriter::graph(const CaptureInfo& info, const std::string& graph_def) {
  return append_event(info.head.time.wall_secs, event::encode_graph_def(info.head.time, bytes_of(graph_def)));
}

Status RunWriter::keras_model(const CaptureInfo& info, const std::string& json) {
  static const Metadata metadata{event::plugin::kKerasModel, "1", DataClass::kBlobSequence, "", false};
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs,
                      event::encode_strings(time, tag, {&json, 1}, {1}, describe(state(info), metadata)));
}

Status RunWriter::pr_curve(const CaptureInfo& info, int num_thresholds, std::span<const float> rows) {
  const std::string content = event::pr_curve_content(num_thresholds);
  const Metadata metadata{event::plugin::kPrCurves, content, DataClass::kTensor, "", false};
  const auto& [time, tag, phase, sequence] = info.head;
  return append_event(time.wall_secs, event::encode_tensor(time, tag, view(rows.data(), {6, num_thresholds}),
                                                           describe(state(info), metadata)));
}

Status RunWriter::mesh(const CaptureInfo& info, const MeshParts& mesh) {
  using event::MeshPart;
  const auto& [time, tag, phase, sequence] = info.head;
  // Vertices come last: they are always there, and it is they that count.
  const std::pair<MeshPart, const TensorView*> parts[] = {
      {MeshPart::kFaces, &mesh.faces}, {MeshPart::kColors, &mesh.colors}, {MeshPart::kVertices, &mesh.vertices}};
  unsigned components = 0;
  for (const auto& [part, tensor] : parts) {
    if (tensor->dtype != DType::kInvalid) components |= 1U << static_cast<unsigned>(part);
  }
  TagState& tag_state = state(info);
  const bool described = std::exchange(tag_state.described, true);
  for (const auto& [part, tensor] : parts) {
    if (tensor->dtype == DType::kInvalid) continue;
    const std::string content = event::mesh_content(tag, part, components, tensor->shape, mesh.config_json);
    const Metadata metadata{event::plugin::kMesh, content, DataClass::kTensor, "", false};
    TENSORTAP_TRY(append_event(
        time.wall_secs,
        event::encode_tensor(time, event::mesh_part_tag(tag, part), *tensor, described ? nullptr : &metadata),
        part == MeshPart::kVertices));
  }
  return {};
}

Status RunWriter::loss(double wall_secs, std::uint64_t dropped) {
  return append_capture({0, {{wall_secs, 0}, "", Phase::kNone, 0}}, event::CaptureLoss{dropped}, false);
}

Status RunWriter::flush() {
  Status captures = captures_ ? captures_->flush() : Status();
  Status events = events_ ? events_->flush() : Status();
  Status derived = std::exchange(derived_error_, Status());
  if (!captures.ok()) return captures;
  return events.ok() ? derived : events;
}

Status RunWriter::sync() {
  Status captures = captures_ ? captures_->sync() : Status();
  Status events = events_ ? events_->sync() : Status();
  if (!captures.ok()) return captures;
  if (!events.ok()) return events;
  return file_system_.sync_directory(directory_);
}

Status RunWriter::close(double wall_secs, const event::CaptureEnd& end) {
  for (TagState& tag : tags_) {
    if (tag.thinned_time) (void)append_histogram(tag, tag.last_tag, *tag.thinned_time, tag.thinned_stats);
  }
  if (hparams_written_) {
    const std::string content = event::hparams_end_content(end.success, wall_secs);
    Metadata metadata{event::plugin::kHParams, content, DataClass::kTensor, "", false};
    (void)append_event(
        wall_secs, event::encode_tensor({wall_secs, 0}, event::kHParamsEndTag, view<float>(nullptr, {0}), &metadata),
        false);
  }
  if (captures_) (void)append_capture({0, {{wall_secs, 0}, "", Phase::kNone, 0}}, end, false);
  Status captures = captures_ ? captures_->close() : Status();
  Status events = events_ ? events_->close() : Status();
  return captures.ok() ? events : captures;
}

std::uint64_t RunWriter::written_captures() const {
  return (captures_ ? captures_->written_records() : 0) + (events_ ? events_->written_records() : 0);
}

std::uint64_t RunWriter::waiting_captures() const {
  return (captures_ ? captures_->waiting_records() : 0) + (events_ ? events_->waiting_records() : 0);
}

std::uint64_t RunWriter::written_bytes() const {
  return (captures_ ? captures_->written_bytes() : 0) + (events_ ? events_->written_bytes() : 0);
}

}  // namespace tensortap::recorder
