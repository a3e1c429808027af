// CaptureRows: captures of one run as rows of tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "database/row.h"
#include "recorder/sink.h"

namespace tensortap::database {

// Up to so many numbers of a sample stand in a row as numbers; beyond, they are an .npy file in it.
inline constexpr std::uint64_t kMaxListNumbers = 1024;

// Texts are made valid UTF-8 on the way: bytes that are none become U+FFFD.
//
// Threads:  one at a time.
// Failure:  a capture that cannot be encoded has no rows.
// Lifetime: rows own what they hold.
class CaptureRows {
 public:
  using CaptureInfo = recorder::CaptureInfo;
  using Rows = std::vector<Row>;

  explicit CaptureRows(std::int64_t run_id) : run_id_(run_id) {}

  Row run(const recorder::RunInfo& info) const;

  // The first rows of a tag begin with its row in tag_rows.
  Rows scalar(const CaptureInfo& info, double value);
  Rows stats(const CaptureInfo& info, const event::CapturedStats& stats);
  Result<Rows> tensor(const CaptureInfo& info, const event::CapturedTensor& tensor);
  Result<Rows> predictions(const CaptureInfo& info, const event::CapturedPredictions& predictions);
  Rows images(const CaptureInfo& info, std::span<const recorder::EncodedImage> images);
  Rows audio(const CaptureInfo& info, std::span<const std::string> clips);
  Rows texts(const CaptureInfo& info, std::span<const std::string> texts);
  Rows hparams(const CaptureInfo& info, const HParams& hparams);

  // The rows that began with this tag's row were not kept: the next ones have to.
  void forget_tag(const Rows& rows);

 private:
  // The cells that all captures have; `item` for tables with several rows a capture.
  Row start(TableId table, const CaptureInfo& info, std::int64_t tag_id, std::int64_t item = -1) const;
  std::int64_t tag_id(const CaptureInfo& info, Rows& rows);

  const std::int64_t run_id_;
  std::int64_t next_tag_id_ = 0;
  std::unordered_map<std::string, std::int64_t> tag_ids_;  // by "<sub-run>/<tag>"
};

}  // namespace tensortap::database
