// Sink: where captures go: the run directory, and whatever else implements this.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/capture.h"
#include "tensortap/media.h"
#include "tensortap/result.h"

namespace tensortap::recorder {

// No epoch was ever begun.
inline constexpr std::int64_t kNoEpoch = -1;

// What is captured, where on the time axes, and the how-manieth of its tag.
struct CaptureInfo {
  std::uint32_t tag_number = 0;  // dense from 0 within a sub-run
  event::CaptureHead head;
  std::int64_t epoch = kNoEpoch;  // that was running when it was offered
  std::string_view sub_run = {};  // "", "train", "val", ...
};

// What a sink is told before its first capture.
struct RunInfo {
  std::string path;  // absolute
  double opened_secs = 0;
};

// One encoded picture.
struct EncodedImage {
  int width = 0;
  int height = 0;
  std::string png;
};

// A mesh whose parts are contiguous, in the dtypes TensorBoard wants; dtype kInvalid = not there.
struct MeshParts {
  TensorView vertices;  // float32
  TensorView faces;     // int32
  TensorView colors;    // uint8
  std::string_view config_json;
};

// What a sink answers to a capture of a kind that it does not keep: neither written nor lost.
inline Status passed_over() { return Status(StatusCode::kUnsupported, ""); }
inline bool is_passed_over(const Status& status) {
  return status.code() == StatusCode::kUnsupported && status.message().empty();
}

// Takes captures that are already reduced and encoded, in the order they were offered. What a sink has no use for it
// leaves to these defaults.
//
// Threads:  the recorder's worker alone.
// Failure:  an error means that this capture is not in the sink; the next one is offered all the same.
// Lifetime: owned by its channel; close() comes last, once.
class Sink {
 public:
  virtual ~Sink() = default;

  // The run is open. An error here keeps it from being opened: for what the user has to mend.
  virtual Status begin(const RunInfo&) { return {}; }
  // What was decided, in sentences: "out/a holds another run's files; writing to out/a-2".
  virtual std::vector<std::string> notes() const { return {}; }

  virtual Status scalar(const CaptureInfo&, double) { return passed_over(); }
  virtual Status stats(const CaptureInfo&, const event::CapturedStats&) { return passed_over(); }
  virtual Status tensor(const CaptureInfo&, const event::CapturedTensor&) { return passed_over(); }
  virtual Status predictions(const CaptureInfo&, const event::CapturedPredictions&) { return passed_over(); }
  virtual Status images(const CaptureInfo&, std::span<const EncodedImage>) { return passed_over(); }
  virtual Status audio(const CaptureInfo&, std::span<const std::string>) { return passed_over(); }
  virtual Status text(const CaptureInfo&, std::span<const std::string>, const Shape&) { return passed_over(); }
  virtual Status hparams(const CaptureInfo&, const HParams&, const std::vector<std::string>&) { return passed_over(); }
  virtual Status graph(const CaptureInfo&, const std::string&) { return passed_over(); }
  virtual Status keras_model(const CaptureInfo&, const std::string&) { return passed_over(); }
  // rows: [6, num_thresholds], row by row.
  virtual Status pr_curve(const CaptureInfo&, int /*num_thresholds*/, std::span<const float>) { return passed_over(); }
  virtual Status mesh(const CaptureInfo&, const MeshParts&) { return passed_over(); }

  // What the whole run has lost so far.
  virtual Status loss(double /*wall_secs*/, std::uint64_t /*dropped*/) { return {}; }

  virtual Status flush() { return {}; }
  virtual Status sync() { return {}; }
  // Captures that were taken and could not be kept after all, such as those that a database never got.
  virtual std::uint64_t lost_captures() const { return 0; }
  virtual Status close(double /*wall_secs*/, const event::CaptureEnd&) { return {}; }
};

}  // namespace tensortap::recorder
