// PngSink: one .png file for each image, and for each prediction that is a map.
#pragma once

#include <string>
#include <vector>

#include "recorder/sink.h"
#include "recorder/sinks/named_files.h"

namespace tensortap::recorder {

// Threads:  one at a time.
// Failure:  a file that could not be written is not there; the others of its capture are.
// Lifetime: the file system outlives it.
class PngSink : public Sink {
 public:
  static Result<std::unique_ptr<PngSink>> make(FileSystem& file_system, const SinkSpec& spec);

  Status begin(const RunInfo&) override { return files_.begin(); }
  std::vector<std::string> notes() const override { return files_.notes(); }

  Status images(const CaptureInfo& info, std::span<const EncodedImage> images) override;
  // Outputs of [n,h,w] and [n,h,w,c]; others are no pictures.
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;
  Status sync() override { return files_.sync(); }

 private:
  explicit PngSink(NamedFiles files) : files_(std::move(files)) {}

  NamedFiles files_;
};

}  // namespace tensortap::recorder
