// DatabaseSink: captures to rows.
#include "database/database_sink.h"

#include <random>

namespace tensortap::database {
namespace {

// Any number of processes write to one database, with nobody to hand out numbers: 63 random bits do not meet.
std::int64_t random_run_id() {
  std::random_device device;
  const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
  return static_cast<std::int64_t>(bits >> 1);
}

}  // namespace

DatabaseSink::DatabaseSink() : run_id_(random_run_id()), rows_(run_id_) {}

Status DatabaseSink::begin(const recorder::RunInfo& run) { return open(rows_.run(run)); }

Status DatabaseSink::keep_or_forget(Result<std::vector<Row>> rows) {
  if (!rows.ok()) return rows.status();
  Status kept = keep(*rows);
  if (!kept.ok()) rows_.forget_tag(*rows);
  return kept;
}

Status DatabaseSink::scalar(const CaptureInfo& info, double value) { return keep_or_forget(rows_.scalar(info, value)); }

Status DatabaseSink::stats(const CaptureInfo& info, const event::CapturedStats& stats) {
  return keep_or_forget(rows_.stats(info, stats));
}

Status DatabaseSink::tensor(const CaptureInfo& info, const event::CapturedTensor& tensor) {
  return keep_or_forget(rows_.tensor(info, tensor));
}

Status DatabaseSink::predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions) {
  return keep_or_forget(rows_.predictions(info, predictions));
}

Status DatabaseSink::images(const CaptureInfo& info, std::span<const recorder::EncodedImage> images) {
  return keep_or_forget(rows_.images(info, images));
}

Status DatabaseSink::audio(const CaptureInfo& info, std::span<const std::string> clips) {
  return keep_or_forget(rows_.audio(info, clips));
}

Status DatabaseSink::text(const CaptureInfo& info, std::span<const std::string> texts, const Shape&) {
  return keep_or_forget(rows_.texts(info, texts));
}

Status DatabaseSink::hparams(const CaptureInfo& info, const HParams& hparams, const std::vector<std::string>&) {
  return keep_or_forget(rows_.hparams(info, hparams));
}

Status DatabaseSink::close(double wall_secs, const event::CaptureEnd& end) {
  return finish({wall_secs, end.success, end.offered, end.dropped});
}

}  // namespace tensortap::database
