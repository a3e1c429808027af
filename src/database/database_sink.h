// DatabaseSink: a sink whose captures are rows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "database/capture_rows.h"
#include "database/schema_sql.h"
#include "recorder/sink.h"

namespace tensortap::database {

// Turns captures into rows and leaves them to whoever derives from it. Graphs, Keras models, PR curves and meshes have
// no table: the run's directory has them.
//
// Threads:  as Sink.
// Failure:  as Sink.
// Lifetime: as Sink.
class DatabaseSink : public recorder::Sink {
 public:
  using CaptureInfo = recorder::CaptureInfo;

  // Memory for rows that the database has not taken yet.
  static constexpr std::size_t kMaxWaitingBytes = 64 << 20;

  DatabaseSink();

  Status begin(const recorder::RunInfo& run) override;
  Status scalar(const CaptureInfo& info, double value) override;
  Status stats(const CaptureInfo& info, const event::CapturedStats& stats) override;
  Status tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) override;
  Status predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) override;
  Status images(const CaptureInfo& info, std::span<const recorder::EncodedImage> images) override;
  Status audio(const CaptureInfo& info, std::span<const std::string> clips) override;
  Status text(const CaptureInfo& info, std::span<const std::string> texts, const Shape& shape) override;
  Status hparams(const CaptureInfo& info, const HParams& hparams, const std::vector<std::string>& metric_tags) override;
  Status close(double wall_secs, const event::CaptureEnd& end) override;

 protected:
  std::int64_t run_id() const { return run_id_; }

  // Opens the database and puts the run's row into it.
  virtual Status open(const Row& run) = 0;
  // Takes the rows of one capture, all or none; they may be moved from only if it is ok.
  virtual Status keep(std::vector<Row>& rows) = 0;
  // Writes what waits, and how the run ended.
  virtual Status finish(const RunEnd& end) = 0;

 private:
  Status keep_or_forget(Result<std::vector<Row>> rows);

  const std::int64_t run_id_;
  CaptureRows rows_;
};

}  // namespace tensortap::database
