// Bytes to capture records; whatever the bytes are.
#include <limits>
#include <stdexcept>

#include "event/capture.h"
#include "event/capture_fields.h"
#include "event/histogram_codec.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

using wire::MessageReader;
using wire::text_of;
namespace field = capture_field;

// Ends decoding from any depth; decode_capture() turns it into a Status.
struct Contradiction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

Shape read_shape(MessageReader& message) {
  auto range = message.get_packed_int64();
  return Shape(range.begin(), range.end());
}

// The number of elements `dtype` and `shape` promise, checked against overflow.
std::uint64_t checked_count(DType dtype, const Shape& shape) {
  TensorView view;
  view.dtype = dtype;
  view.shape = shape;
  view.data = &view;  // only the arithmetic is checked
  if (!view.validate().ok()) throw Contradiction("dtype or shape of a tensor make no sense");
  return view.element_count();
}

CaptureHeader read_header(MessageReader message) {
  CaptureHeader header;
  while (message.next()) {
    switch (message.tag()) {
      case field::kFormatVersion: header.format_version = message.get_uint32(); break;
      case field::kLeastReader: header.least_reader_version = message.get_uint32(); break;
      case field::kWriter: header.writer = text_of(message.get_view()); break;
      case field::kHost: header.host = text_of(message.get_view()); break;
      case field::kProcessId: header.process_id = message.get_uint64(); break;
      default: message.skip();
    }
  }
  return header;
}

void read_buckets(MessageReader& message, Histogram& histogram) {
  histogram.grid = message.tag() == field::kLinearBuckets ? Histogram::Grid::kLinear : Histogram::Grid::kLog;
  Status status = decode_buckets(text_of(message.get_view()), histogram);
  if (!status.ok()) throw Contradiction(status.message());
}

void read_stats_field(MessageReader& message, CapturedStats& body) {
  TensorStats& stats = body.stats;
  switch (message.tag()) {
    case field::kStatsDtype: body.dtype = dtype_from_number(static_cast<std::uint64_t>(message.get_enum())); break;
    case field::kStatsShape: body.shape = read_shape(message); break;
    case field::kZeros: stats.zeros = message.get_uint64(); break;
    case field::kNan: stats.nan = message.get_uint64(); break;
    case field::kPositiveInf: stats.positive_inf = message.get_uint64(); break;
    case field::kNegativeInf: stats.negative_inf = message.get_uint64(); break;
    case field::kNegatives: stats.negatives = message.get_uint64(); break;
    case field::kSubnormals: stats.subnormals = message.get_uint64(); break;
    case field::kMin: stats.min = message.get_double(); break;
    case field::kMax: stats.max = message.get_double(); break;
    case field::kSum: stats.sum = message.get_double(); break;
    case field::kSumSquares: stats.sum_squares = message.get_double(); break;
    case field::kL1: stats.l1 = message.get_double(); break;
    case field::kSquaredDeviations: stats.squared_deviations = message.get_double(); break;
    case field::kLinearExponent: stats.histogram.linear_exponent = message.get_sint32(); break;
    case field::kLinearBase: stats.histogram.linear_base = message.get_sint64(); break;
    case field::kLogBuckets:
    case field::kLinearBuckets: read_buckets(message, stats.histogram); break;
    default: message.skip();
  }
}

CapturedStats read_stats(MessageReader message) {
  CapturedStats body;
  TensorStats& stats = body.stats;
  stats.min = std::numeric_limits<double>::infinity();
  stats.max = -stats.min;
  while (message.next()) read_stats_field(message, body);
  stats.count = checked_count(body.dtype, body.shape);
  // Each count is checked before it is subtracted, so that none of the sums can wrap.
  std::uint64_t left = stats.count;
  for (std::uint64_t part : {stats.nan, stats.positive_inf, stats.negative_inf, stats.zeros}) {
    if (part > left) throw Contradiction("the counts of a statistics record do not add up");
    left -= part;
  }
  for (std::uint64_t part : stats.histogram.counts) {
    if (part > left) throw Contradiction("the counts of a statistics record do not add up");
    left -= part;
  }
  if (left != 0 || stats.negatives > stats.count || stats.subnormals > stats.count) {
    throw Contradiction("the counts of a statistics record do not add up");
  }
  return body;
}

CapturedTensor read_tensor(MessageReader message) {
  CapturedTensor tensor;
  while (message.next()) {
    switch (message.tag()) {
      case field::kDtype: tensor.dtype = dtype_from_number(static_cast<std::uint64_t>(message.get_enum())); break;
      case field::kShape: tensor.shape = read_shape(message); break;
      case field::kData: tensor.data = bytes_of(text_of(message.get_view())); break;
      default: message.skip();
    }
  }
  if (checked_count(tensor.dtype, tensor.shape) * dtype_size_bytes(tensor.dtype) != tensor.data.size()) {
    throw Contradiction("a tensor's data has another size than its dtype and shape say");
  }
  return tensor;
}

CapturedPredictions read_predictions(MessageReader message) {
  CapturedPredictions predictions;
  while (message.next()) {
    switch (message.tag()) {
      case field::kTrue: predictions.y_true = read_tensor(message.get_message()); break;
      case field::kPred: predictions.y_pred = read_tensor(message.get_message()); break;
      case field::kNumberIds: predictions.number_ids = read_tensor(message.get_message()); break;
      case field::kTextIds: predictions.text_ids.push_back(text_of(message.get_view())); break;
      default: message.skip();
    }
  }
  return predictions;
}

CaptureLoss read_loss(MessageReader message) {
  CaptureLoss loss;
  while (message.next()) {
    if (message.tag() == field::kLossDropped) {
      loss.dropped = message.get_uint64();
    } else {
      message.skip();
    }
  }
  return loss;
}

CaptureEnd read_end(MessageReader message) {
  CaptureEnd end;
  end.success = false;
  while (message.next()) {
    switch (message.tag()) {
      case field::kSuccess: end.success = wire::bool_of(message); break;
      case field::kOffered: end.offered = message.get_uint64(); break;
      case field::kDropped: end.dropped = message.get_uint64(); break;
      case field::kCallerSeconds: end.caller_secs = message.get_double(); break;
      case field::kWorkerSeconds: end.worker_secs = message.get_double(); break;
      default: message.skip();
    }
  }
  return end;
}

CaptureView read_record(MessageReader message) {
  CaptureView record;
  CaptureHead& head = record.head;
  while (message.next()) {
    switch (message.tag()) {
      case field::kWallTime: head.time.wall_secs = message.get_double(); break;
      case field::kStep: head.time.step = message.get_int64(); break;
      case field::kTag: head.tag = text_of(message.get_view()); break;
      case field::kPhase: head.phase = static_cast<Phase>(message.get_enum() & 3); break;
      case field::kSequence: head.sequence = message.get_uint64(); break;
      case field::kHeader: record.body = read_header(message.get_message()); break;
      case field::kStats: record.body = read_stats(message.get_message()); break;
      case field::kTensor: record.body = read_tensor(message.get_message()); break;
      case field::kPredictions: record.body = read_predictions(message.get_message()); break;
      case field::kLoss: record.body = read_loss(message.get_message()); break;
      case field::kEnd: record.body = read_end(message.get_message()); break;
      default: message.skip();
    }
  }
  return record;
}

}  // namespace

Result<CaptureView> decode_capture(Bytes untrusted) {
  try {
    return read_record(MessageReader(reinterpret_cast<const char*>(untrusted.data()), untrusted.size()));
  } catch (const std::exception& error) {
    return Status(StatusCode::kCorrupt, std::string("not a capture record: ") + error.what());
  }
}

}  // namespace tensortap::event
