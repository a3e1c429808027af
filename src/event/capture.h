// Capture: one record of a capture file, the truth about everything captured.
//
//   Record      := wall_time:1 step:2 tag:3 phase:4 sequence:5 body
//   body        := header:10 | stats:11 | tensor:12 | predictions:13 | loss:14 | end:15
//
// The first record of a file is a header. docs/format.md has every field, a worked example, and the rules of growth.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/file.h"
#include "event/event.h"
#include "tensortap/media.h"
#include "tensortap/result.h"
#include "tensortap/tensor_stats.h"
#include "tensortap/tensor_view.h"

namespace tensortap::event {

// The version this code writes, and the oldest reader that understands what it writes.
inline constexpr std::uint32_t kCaptureFormatVersion = 1;
inline constexpr std::uint32_t kCaptureLeastReaderVersion = 1;

// Protobuf's own limit on one message; larger tensors are refused when they are offered.
inline constexpr std::uint64_t kMaxTensorBytes = std::uint64_t{1} << 31;

// What every record says about itself.
struct CaptureHead {
  EventTime time;
  std::string_view tag;  // empty for header, loss and end
  Phase phase = Phase::kNone;
  std::uint64_t sequence = 0;  // counts the captures of a tag within one file; never repeats
};

struct CaptureHeader {
  std::uint32_t format_version = 0;
  std::uint32_t least_reader_version = 0;
  std::string_view writer;  // "tensortap 0.1.0"
  std::string_view host;
  std::uint64_t process_id = 0;
};

struct CapturedStats {
  DType dtype = DType::kInvalid;
  Shape shape;
  TensorStats stats;
};

// A tensor with its values; the bytes are not owned.
struct CapturedTensor {
  DType dtype = DType::kInvalid;
  Shape shape;
  Bytes data;  // row-major, little-endian
};

struct CapturedPredictions {
  CapturedTensor y_true;  // kInvalid dtype: not given
  CapturedTensor y_pred;
  CapturedTensor number_ids;  // int64, one per sample; or
  std::vector<std::string_view> text_ids;
};

// What could not be recorded so far, in the whole run.
struct CaptureLoss {
  std::uint64_t dropped = 0;
};

// The last record of a writer that was closed in order. Counts and seconds are those of the whole run; of the files of
// one run and its sub-runs, one has them.
struct CaptureEnd {
  bool success = true;
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
  double caller_secs = 0;  // in the threads that recorded
  double worker_secs = 0;  // of one processor, beside them
};

using CaptureBody = std::variant<std::monostate, CaptureHeader, CapturedStats, CapturedTensor, CapturedPredictions,
                                 CaptureLoss, CaptureEnd>;

// A record in pieces: small fields owned here, tensor data still where the tensor is.
//
// Threads:  one at a time.
// Failure:  none.
// Lifetime: the tensors it was made of must outlive it.
class CaptureBytes {
 public:
  std::span<const Bytes> pieces() const { return pieces_; }
  std::string joined() const;

  void add_owned(std::string bytes);
  void add_borrowed(Bytes bytes) { pieces_.push_back(bytes); }
  void append(CaptureBytes other);

 private:
  // On the heap one by one: pieces point into them, also after a move.
  std::vector<std::unique_ptr<const std::string>> owned_;
  std::vector<Bytes> pieces_;
};

CaptureBytes encode_capture(const CaptureHead& head, const CaptureBody& body);
// The same for the most frequent kind, without a copy of its histogram.
CaptureBytes encode_capture(const CaptureHead& head, const CapturedStats& stats);

struct CaptureView {
  CaptureHead head;
  CaptureBody body;  // monostate: a kind this reader does not know yet
};

// kCorrupt when `untrusted` is not a capture record or contradicts itself (counts that do not add up, data of another
// size than dtype and shape say). Views point into the bytes.
Result<CaptureView> decode_capture(Bytes untrusted);

}  // namespace tensortap::event
