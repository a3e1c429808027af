// Capture records to bytes.
#include <iterator>

#include "event/capture.h"
#include "event/capture_fields.h"
#include "event/histogram_codec.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::add_text;
using wire::MessageWriter;
namespace field = capture_field;

void add_head(MessageWriter& record, const CaptureHead& head) {
  record.add_double(field::kWallTime, head.time.wall_secs);
  if (head.time.step != 0) record.add_int64(field::kStep, head.time.step);
  if (!head.tag.empty()) add_text(record, field::kTag, head.tag);
  if (head.phase != Phase::kNone) record.add_enum(field::kPhase, static_cast<std::int32_t>(head.phase));
  if (head.sequence != 0) record.add_uint64(field::kSequence, head.sequence);
}

void add_count(MessageWriter& message, field::Number number, std::uint64_t count) {
  if (count != 0) message.add_uint64(number, count);
}

void add_body(MessageWriter& record, const CaptureHeader& header) {
  MessageWriter message(record, field::kHeader);
  message.add_uint32(field::kFormatVersion, header.format_version);
  message.add_uint32(field::kLeastReader, header.least_reader_version);
  add_text(message, field::kWriter, header.writer);
  add_text(message, field::kHost, header.host);
  message.add_uint64(field::kProcessId, header.process_id);
}

void add_body(MessageWriter& record, const CapturedStats& body) {
  const TensorStats& stats = body.stats;
  const Histogram& histogram = stats.histogram;
  MessageWriter message(record, field::kStats);
  message.add_enum(field::kStatsDtype, static_cast<std::int32_t>(body.dtype));
  message.add_packed_int64(field::kStatsShape, body.shape.begin(), body.shape.end());
  add_count(message, field::kZeros, stats.zeros);
  add_count(message, field::kNan, stats.nan);
  add_count(message, field::kPositiveInf, stats.positive_inf);
  add_count(message, field::kNegativeInf, stats.negative_inf);
  add_count(message, field::kNegatives, stats.negatives);
  add_count(message, field::kSubnormals, stats.subnormals);
  if (stats.finite_count() == 0) return;
  message.add_double(field::kMin, stats.min);
  message.add_double(field::kMax, stats.max);
  message.add_double(field::kSum, stats.sum);
  message.add_double(field::kSumSquares, stats.sum_squares);
  message.add_double(field::kL1, stats.l1);
  message.add_double(field::kSquaredDeviations, stats.squared_deviations);
  const bool linear = histogram.grid == Histogram::Grid::kLinear;
  if (linear) {
    message.add_sint32(field::kLinearExponent, histogram.linear_exponent);
    message.add_sint64(field::kLinearBase, histogram.linear_base);
  }
  if (!histogram.keys.empty()) {
    add_text(message, linear ? field::kLinearBuckets : field::kLogBuckets, encode_buckets(histogram));
  }
}

void add_body(MessageWriter& record, const CaptureLoss& loss) {
  MessageWriter message(record, field::kLoss);
  message.add_uint64(field::kLossDropped, loss.dropped);
}

void add_body(MessageWriter& record, const CaptureEnd& end) {
  MessageWriter message(record, field::kEnd);
  message.add_bool(field::kSuccess, end.success);
  if (end.offered == 0 && end.dropped == 0) return;
  message.add_uint64(field::kOffered, end.offered);
  message.add_uint64(field::kDropped, end.dropped);
  message.add_double(field::kCallerSeconds, end.caller_secs);
  message.add_double(field::kWorkerSeconds, end.worker_secs);
}

// The start of a length-delimited field whose bytes follow elsewhere.
std::string field_start(field::Number number, std::uint64_t length) {
  std::string bytes;
  auto out = std::back_inserter(bytes);
  protozero::write_varint(out, (std::uint64_t{number} << 3) | 2);
  protozero::write_varint(out, length);
  return bytes;
}

// A message that consists of `fields` and then of the tensor's data, which is never copied.
struct TensorPieces {
  std::string fields;
  Bytes data;
  std::uint64_t length() const { return fields.size() + data.size(); }
};

TensorPieces tensor_pieces(const CapturedTensor& tensor) {
  TensorPieces pieces;
  MessageWriter message(pieces.fields);
  message.add_enum(field::kDtype, static_cast<std::int32_t>(tensor.dtype));
  message.add_packed_int64(field::kShape, tensor.shape.begin(), tensor.shape.end());
  pieces.fields += field_start(field::kData, tensor.data.size());
  pieces.data = tensor.data;
  return pieces;
}

void add_pieces(CaptureBytes& out, field::Number number, const TensorPieces& pieces) {
  out.add_owned(field_start(number, pieces.length()) + pieces.fields);
  out.add_borrowed(pieces.data);
}

void add_predictions(CaptureBytes& out, const CapturedPredictions& predictions) {
  // Inner messages first: the outer one has to know their length.
  CaptureBytes inner;
  const std::pair<field::Number, const CapturedTensor*> tensors[] = {{field::kTrue, &predictions.y_true},
                                                                     {field::kPred, &predictions.y_pred},
                                                                     {field::kNumberIds, &predictions.number_ids}};
  for (const auto& [number, tensor] : tensors) {
    if (tensor->dtype != DType::kInvalid) add_pieces(inner, number, tensor_pieces(*tensor));
  }
  std::string ids;
  MessageWriter message(ids);
  for (std::string_view id : predictions.text_ids) add_text(message, field::kTextIds, id);
  inner.add_owned(std::move(ids));

  std::uint64_t length = 0;
  for (Bytes piece : inner.pieces()) length += piece.size();
  out.add_owned(field_start(field::kPredictions, length));
  out.append(std::move(inner));
}

}  // namespace

void CaptureBytes::add_owned(std::string bytes) {
  owned_.push_back(std::make_unique<const std::string>(std::move(bytes)));
  pieces_.push_back(bytes_of(*owned_.back()));
}

void CaptureBytes::append(CaptureBytes other) {
  pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
  owned_.insert(owned_.end(), std::make_move_iterator(other.owned_.begin()),
                std::make_move_iterator(other.owned_.end()));
}

std::string CaptureBytes::joined() const {
  std::string bytes;
  for (Bytes piece : pieces_) bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  return bytes;
}

CaptureBytes encode_capture(const CaptureHead& head, const CapturedStats& stats) {
  std::string fields;
  // Room for about all there is: head, sums, and a byte or two for each bucket.
  fields.reserve(160 + head.tag.size() + 3 * stats.stats.histogram.keys.size());
  MessageWriter record(fields);
  add_head(record, head);
  add_body(record, stats);
  CaptureBytes out;
  out.add_owned(std::move(fields));
  return out;
}

CaptureBytes encode_capture(const CaptureHead& head, const CaptureBody& body) {
  if (const auto* stats = std::get_if<CapturedStats>(&body)) return encode_capture(head, *stats);
  std::string fields;
  MessageWriter record(fields);
  add_head(record, head);
  CaptureBytes out;
  if (const auto* tensor = std::get_if<CapturedTensor>(&body)) {
    out.add_owned(std::move(fields));
    add_pieces(out, field::kTensor, tensor_pieces(*tensor));
    return out;
  }
  if (const auto* predictions = std::get_if<CapturedPredictions>(&body)) {
    out.add_owned(std::move(fields));
    add_predictions(out, *predictions);
    return out;
  }
  if (const auto* header = std::get_if<CaptureHeader>(&body)) add_body(record, *header);
  if (const auto* loss = std::get_if<CaptureLoss>(&body)) add_body(record, *loss);
  if (const auto* end = std::get_if<CaptureEnd>(&body)) add_body(record, *end);
  out.add_owned(std::move(fields));
  return out;
}

}  // namespace tensortap::event
