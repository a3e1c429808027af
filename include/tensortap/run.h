// Run: records what a network puts out, into one directory.
//
//   tensortap::Run run = tensortap::Run::open("runs/cpp").value();
//   run.scalar("loss", 0.5, step);
//   run.histogram("w", tensortap::view(weights, {64, 32}), step);
//   tensortap::Status end = run.close();
//
// The directory holds event files, which TensorBoard reads, and capture files; docs/format.md describes both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/export.h"
#include "tensortap/media.h"
#include "tensortap/result.h"
#include "tensortap/run_options.h"
#include "tensortap/run_report.h"
#include "tensortap/tensor_view.h"

namespace tensortap {

namespace recorder {
class Channel;
}

// Threads:  any thread may record; calls of one thread keep their order.
// Failure:  recording calls return nothing and never throw. The first error (a bad tag, a full disk) is kept in
//           status(); what could not be written is counted in report().
// Lifetime: the destructor closes, without reporting. Sub-runs share the run's queue and worker: closing the run
//           closes them. After fork() the child's calls do nothing; open a run there with RunMode::kJoin.
class TENSORTAP_API Run {
 public:
  // Makes the directory and the first file, so that a path which cannot be written fails here and not an hour later.
  static Result<Run> open(const std::string& path, RunOptions options = {});

  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  // A directory below this one, with files of its own: run.sub("val"). The same name gives the same sub-run.
  Result<Run> sub(std::string_view name);

  // Tags are UTF-8, not empty, at most 4 KiB. Without an owner a tensor is copied before the call returns.
  void scalar(std::string_view tag, double value, std::int64_t step);
  // Statistics and a histogram, not the values themselves.
  void histogram(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase = Phase::kNone);
  // The values themselves.
  void tensor(std::string_view tag, const KeptTensor& values, std::int64_t step, Phase phase = Phase::kNone);
  // [height,width], [height,width,channels] or [batch,height,width,channels]; beyond four channels a labelled grid.
  void image(std::string_view tag, const KeptTensor& pixels, std::int64_t step, ImageScale scale = ImageScale::kAuto);
  // [frames], [frames,channels] or [clips,frames,channels]; floats in -1..1, or int16.
  void audio(std::string_view tag, const KeptTensor& samples, double rate_hz, std::int64_t step);
  // Markdown.
  void text(std::string_view tag, std::string_view markdown, std::int64_t step);
  void predictions(std::string_view tag, const Predictions& predictions, std::int64_t step, Phase phase = Phase::kNone);
  // Once per run. `metric_tags` are the scalars by which TensorBoard compares runs; it finds them itself if none.
  void hparams(const HParams& hparams, const std::vector<std::string>& metric_tags = {});
  // A serialised GraphDef.
  void graph(std::string_view graph_def);
  // The JSON of a Keras model.
  void keras_model(std::string_view json);
  // labels: 0 or 1; scores: 0..1, of the same shape.
  void pr_curve(std::string_view tag, const KeptTensor& labels, const KeptTensor& scores, std::int64_t step,
                int num_thresholds = 201);
  void mesh(std::string_view tag, const Mesh& mesh, std::int64_t step);

  // When flush() returns ok, every record offered since the last flush survives the death of the process; when some of
  // them were dropped, it says how many and why.
  Status flush();
  // When sync() returns ok, also power loss.
  Status sync();
  // Flushes, says in the files how the run ended, and stops the worker. Returns the first error since the run was
  // opened. Later calls do nothing. A sub-run ends with its run: closing it only flushes.
  Status close(bool success = true);

  // The first error since the run was opened.
  Status status() const;
  RunReport report() const;
  // Where it records, as an absolute path; with RunMode::kNew not always the one that was asked for.
  const std::string& path() const;
  // What was decided while opening, in sentences: "runs/a exists; recording to runs/a-2".
  const std::vector<std::string>& notes() const;

 private:
  explicit Run(std::shared_ptr<recorder::Channel> channel);

  std::shared_ptr<recorder::Channel> channel_;
  bool is_root_ = false;
};

// A directory below `parent` named by the time ("runs/2026-11-16_14-05-59"), made by this call and by no other process.
TENSORTAP_API Result<std::string> new_run_directory(const std::string& parent, std::string_view name = "");

}  // namespace tensortap
