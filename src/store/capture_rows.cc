// BlockDecoder for capture files.
#include <string>
#include <variant>

#include "store/block_decoder.h"

namespace tensortap::store {
namespace {

StatsRow row_of(const TensorStats& stats) {
  StatsRow row;
  row.count = stats.count;
  row.zeros = stats.zeros;
  row.nan = stats.nan;
  row.positive_inf = stats.positive_inf;
  row.negative_inf = stats.negative_inf;
  row.negatives = stats.negatives;
  row.subnormals = stats.subnormals;
  row.min = stats.min;
  row.max = stats.max;
  row.mean = stats.mean();
  row.std = stats.std();
  row.l1 = stats.l1;
  row.l2 = stats.l2();
  return row;
}

}  // namespace

void BlockDecoder::decode_capture(std::string_view record, Entry place) {
  auto capture = event::decode_capture(bytes_of(record));
  if (!capture.ok()) return note_damage(place, capture.status().message());
  const event::CaptureHead& head = capture->head;
  notes_.see(head.time.wall_secs);
  place.step = head.time.step;
  place.wall_secs = head.time.wall_secs;
  place.sequence = head.sequence;
  place.phase = head.phase;
  decode_body(*capture, place);
}

void BlockDecoder::decode_body(event::CaptureView& capture, const Entry& place) {
  const std::string_view tag = capture.head.tag;
  if (auto* stats = std::get_if<event::CapturedStats>(&capture.body)) {
    entries_.push_back({place, local_tag(tag).index, Kind::kStats, static_cast<std::uint32_t>(stats_.size())});
    stats_.push_back(row_of(stats->stats));
  } else if (std::holds_alternative<event::CapturedTensor>(capture.body)) {
    entries_.push_back({place, local_tag(tag).index, Kind::kTensors});
  } else if (std::holds_alternative<event::CapturedPredictions>(capture.body)) {
    entries_.push_back({place, local_tag(tag).index, Kind::kPredictions});
  } else if (auto* header = std::get_if<event::CaptureHeader>(&capture.body)) {
    notes_.writer = CaptureWriter{header->format_version, std::string(header->writer), std::string(header->host),
                                  header->process_id};
    if (header->least_reader_version > event::kCaptureFormatVersion) {
      notes_.unsupported = "written by " + std::string(header->writer) +
                           " in a format newer than this program reads (" +
                           std::to_string(header->least_reader_version) + "): update Tensortap to read it";
    }
  } else if (auto* loss = std::get_if<event::CaptureLoss>(&capture.body)) {
    notes_.dropped = loss->dropped;
  } else if (auto* end = std::get_if<event::CaptureEnd>(&capture.body)) {
    notes_.ending = CaptureEnding{end->success, end->offered, end->dropped, end->caller_secs, end->worker_secs};
    notes_.dropped = end->dropped;
  }
}

}  // namespace tensortap::store
