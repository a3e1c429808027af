// Channel: one run's end of the recorder; every recording call comes through here.
//
// This is the recorder's capture interface: the C++ Run, the Python binding and the tap op are faces of it. Its calls
// say what went wrong, where Run only remembers it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/batch_clock.h"
#include "tensortap/export.h"
#include "tensortap/media.h"
#include "tensortap/result.h"
#include "tensortap/run_options.h"
#include "tensortap/run_report.h"

namespace tensortap {
class FileSystem;
}

namespace tensortap::recorder {

class Payload;
class Recorder;
class RunWriter;
class TagTable;
class TapWatch;
struct Tag;
struct TapValue;
enum class Admission;

// Threads:  any.
// Failure:  kInvalidArgument for a call that can never work, kClosed after close(). A full queue or disk is no error
//           of the call, but for WhenFull::kStrict: it is counted, and kept in status().
// Lifetime: owned by the Recorder; handles share its life.
class TENSORTAP_API Channel {
 public:
  // Opens a run and its recorder.
  static Result<std::shared_ptr<Channel>> open(const std::string& path, const RunOptions& options);
  // The same with another file system: for tests.
  static Result<std::shared_ptr<Channel>> open(const std::string& path, const RunOptions& options,
                                               FileSystem& file_system);
  ~Channel();

  Result<std::shared_ptr<Channel>> sub(std::string_view name);

  Status scalar(std::string_view tag, double value, std::int64_t step);
  Status histogram(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase);
  Status tensor(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase);
  Status image(std::string_view tag, const KeptTensor& pixels, std::int64_t step, ImageScale scale);
  // What a layer puts out, [samples, ...] of any rank, as pictures of its first samples.
  Status feature_maps(std::string_view tag, const KeptTensor& output, std::int64_t step, std::int64_t max_samples);
  Status audio(std::string_view tag, const KeptTensor& samples, double rate_hz, std::int64_t step);
  // One text, or a table of them: `shape` as for tensors.
  Status text(std::string_view tag, std::vector<std::string> texts, const Shape& shape, std::int64_t step);
  Status predictions(std::string_view name, const Predictions& predictions, std::int64_t step, Phase phase);
  Status hparams(const HParams& hparams, const std::vector<std::string>& metric_tags);
  Status graph(std::string_view graph_def);
  Status keras_model(std::string_view json);
  Status pr_curve(std::string_view tag, const KeptTensor& labels, const KeptTensor& scores, std::int64_t step,
                  int num_thresholds);
  Status mesh(std::string_view tag, const Mesh& mesh, std::int64_t step);

  // What an op has seen of one watch; see tap_watch.h. What cannot be recorded is counted.
  void record_taps(std::span<TapValue> values, std::int64_t step);

  Status flush();
  Status sync();
  Status close(bool success);

  // A batch of a watched model begins.
  void begin_batch(std::int64_t step, Phase phase);
  // No batch runs any more.
  void end_batches();
  BatchMark batch() const;

  // The step of the batch that just ran, for calls without one; shared by all sub-runs. Empty until it is set.
  void publish_step(std::int64_t step);
  std::optional<std::int64_t> published_step() const;
  // How often the program itself has published one.
  std::uint64_t published_serial() const;
  // The epoch that runs from now on, for sinks that number by epochs; shared by all sub-runs. -1: none.
  void publish_epoch(std::int64_t epoch);
  std::int64_t published_epoch() const;

  Status status() const;
  // Keeps the first error.
  void remember(const Status& error);
  // Counts an offer that can never be recorded, and remembers why.
  void refuse(std::string_view tag, std::int64_t step, const Status& error);
  RunReport report() const;
  const std::string& path() const { return path_; }
  // The path below the run's own: "" for the run itself, "val" and so on.
  const std::string& sub_run() const { return sub_run_; }
  const std::vector<std::string>& notes() const { return notes_; }
  bool closed() const;
  // That of open_runs.h.
  std::int64_t number() const { return number_; }
  const Channel& root() const;

 private:
  friend class Recorder;
  friend class TapWatch;
  Channel(Recorder& recorder, std::string path, std::string sub_run, std::unique_ptr<RunWriter> writer);

  using MakePayload = std::function<std::unique_ptr<Payload>(std::vector<KeptTensor>)>;
  // A capture that holds `tensors` and `extra_bytes`; those without an owner are copied.
  Status record(std::string_view tag, std::string_view kind, std::int64_t step, Phase phase,
                std::initializer_list<const KeptTensor*> tensors, std::uint64_t extra_bytes, const MakePayload& make);
  // A capture that owns what it holds.
  Status record_owned(std::string_view tag, std::string_view kind, std::int64_t step, std::uint64_t bytes,
                      std::unique_ptr<Payload> payload);
  Status outcome(Admission admission, const Tag& tag, std::int64_t step);
  Status refuse_if_strict() const;

  Recorder& recorder_;
  const std::string path_;
  const std::string sub_run_;
  std::int64_t number_ = 0;
  std::vector<std::string> notes_;
  std::unique_ptr<TagTable> tags_;
  std::unique_ptr<RunWriter> writer_;
  std::atomic<bool> hparams_recorded_{false};
};

}  // namespace tensortap::recorder
