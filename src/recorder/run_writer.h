// RunWriter: the sink that is the run directory, with its capture file and its event file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "recorder/sink.h"
#include "tensortap/run_options.h"
#include "wire/record_writer.h"

namespace tensortap::recorder {

// Captures (statistics, tensors, predictions) go to the capture file, everything else to the event file, where stock
// TensorBoard finds it; histograms are derived from statistics for it on the way. Files are made when they are first
// needed, so that TensorBoard never lists a run without data.
//
// Threads:  the worker alone.
// Failure:  as Sink; a file that cannot be made is tried again with the next capture.
// Lifetime: owned by its channel.
class RunWriter : public Sink {
 public:
  // `captures` may be null: made when needed.
  RunWriter(FileSystem& file_system, std::string directory, const RunOptions& options, std::unique_ptr<File> captures,
            double wall_secs);

  Status scalar(const CaptureInfo& info, double value) override;
  Status stats(const CaptureInfo& info, const event::CapturedStats& stats) override;
  Status tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) override;
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;
  Status images(const CaptureInfo& info, std::span<const EncodedImage> images) override;
  Status audio(const CaptureInfo& info, std::span<const std::string> clips) override;
  Status text(const CaptureInfo& info, std::span<const std::string> texts, const Shape& shape) override;
  Status hparams(const CaptureInfo& info, const HParams& hparams, const std::vector<std::string>& metric_tags) override;
  Status graph(const CaptureInfo& info, const std::string& graph_def) override;
  Status keras_model(const CaptureInfo& info, const std::string& json) override;
  Status pr_curve(const CaptureInfo& info, int num_thresholds, std::span<const float> rows) override;
  Status mesh(const CaptureInfo& info, const MeshParts& mesh) override;
  Status loss(double wall_secs, std::uint64_t dropped) override;
  Status flush() override;
  Status sync() override;
  Status close(double wall_secs, const event::CaptureEnd& end) override;

  // Captures the operating system has, those gathered here, and the bytes written; derived records count as bytes only.
  std::uint64_t written_captures() const;
  std::uint64_t waiting_captures() const;
  std::uint64_t written_bytes() const;
  std::uint64_t histograms_thinned() const { return histograms_thinned_; }

 private:
  // What TensorBoard has been told about a tag, and the histogram it may still get.
  struct TagState {
    bool described = false;
    std::uint64_t histograms = 0;
    std::string last_tag;
    std::optional<event::EventTime> thinned_time;  // set: `thinned_stats` was left out and nothing newer came
    TensorStats thinned_stats;
  };

  TagState& state(const CaptureInfo& info);
  // The metadata for an event of this tag: null when the file has it already.
  const event::Metadata* describe(TagState& tag, const event::Metadata& metadata);

  Status open_captures(double wall_secs);
  Status open_events(double wall_secs);
  // Of any body that encode_capture() takes.
  template <typename Body>
  Status append_capture(const CaptureInfo& info, const Body& body, bool counted = true);
  Status append_event(double wall_secs, const std::string& bytes, bool counted = true);
  Status append_histogram(TagState& tag, std::string_view name, event::EventTime time, const TensorStats& stats);
  Status derive_histogram(const CaptureInfo& info, const TensorStats& stats);

  FileSystem& file_system_;
  const std::string directory_;
  const RunOptions options_;
  std::unique_ptr<File> claimed_captures_;
  std::unique_ptr<wire::RecordWriter> captures_;
  std::unique_ptr<wire::RecordWriter> events_;
  std::vector<TagState> tags_;
  bool hparams_written_ = false;
  Status derived_error_;  // shown by the next flush()
  std::uint64_t histograms_thinned_ = 0;
};

}  // namespace tensortap::recorder
