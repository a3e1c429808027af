// NpySink: one .npy file for each tensor, and for the outputs, labels and ids of predictions.
#pragma once

#include <string>
#include <vector>

#include "recorder/sink.h"
#include "recorder/sinks/named_files.h"

namespace tensortap::recorder {

// Threads:  one at a time.
// Failure:  a file that could not be written is not there.
// Lifetime: the file system outlives it.
class NpySink : public Sink {
 public:
  static Result<std::unique_ptr<NpySink>> make(FileSystem& file_system, const SinkSpec& spec);

  Status begin(const RunInfo&) override { return files_.begin(); }
  std::vector<std::string> notes() const override { return files_.notes(); }

  Status tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) override;
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;
  Status sync() override { return files_.sync(); }

 private:
  explicit NpySink(NamedFiles files) : files_(std::move(files)) {}

  Status write(const CaptureInfo& info, const FileSubject& subject, const event::CapturedTensor& tensor);
  Status write_ids(const CaptureInfo& info, const FileSubject& subject, const event::CapturedPredictions& predictions);

  NamedFiles files_;
};

}  // namespace tensortap::recorder
