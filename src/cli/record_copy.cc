// RecordCopy: frames go out as they came in, neighbours in one write.
#include "cli/record_copy.h"

#include <span>
#include <utility>
#include <variant>

#include "base/try.h"
#include "event/capture.h"
#include "event/event_scan.h"
#include "wire/frame.h"

namespace tensortap::cli {
namespace {

using store::RunFileKind;

constexpr std::size_t kRememberedPlaces = 1000;

std::string tail_reason(store::TailKind kind) {
  switch (kind) {
    case store::TailKind::kTorn: return "the file ends inside a record";
    case store::TailKind::kZeroes: return "zeroes that were never filled in";
    default: return "no record, and none behind it";
  }
}

// Both forms begin alike; only a capture file begins with a header.
RunFileKind kind_of_first(std::string_view data) {
  auto capture = event::decode_capture(bytes_of(data));
  const bool is_header = capture.ok() && std::holds_alternative<event::CaptureHeader>(capture->body);
  return is_header ? RunFileKind::kCaptures : RunFileKind::kEvents;
}

}  // namespace

bool RecordCopy::is_record(std::string_view data) {
  if (!kind_) kind_ = kind_of_first(data);
  if (*kind_ == RunFileKind::kCaptures) return event::decode_capture(bytes_of(data)).ok();
  event::ScannedEvent event;
  return event::scan_event(data, event);
}

void RecordCopy::lose(std::string reason) {
  if (lost_reason_.empty()) lost_reason_ = std::move(reason);
}

// What lies between the last kept record and `offset` is lost.
void RecordCopy::close_gap(std::uint64_t offset) {
  if (offset > kept_until_) {
    const std::uint64_t size = offset - kept_until_;
    ++copied_.lost_places;
    copied_.lost_bytes += size;
    if (copied_.lost.size() < kRememberedPlaces) copied_.lost.push_back({kept_until_, size, lost_reason_});
  }
  lost_reason_.clear();
}

Status RecordCopy::keep(const store::FrameBlock& block, std::size_t from, std::size_t to) {
  if (from == to) return {};
  const Bytes piece(block.bytes.get() + from, to - from);
  TENSORTAP_TRY(to_.append(std::span(&piece, 1)));
  copied_.kept_bytes += piece.size();
  return {};
}

Status RecordCopy::copy_block(const store::FrameBlock& block) {
  for (const store::Damage& damage : block.damage) lose(damage.reason);
  std::size_t waiting_from = 0, waiting_to = 0;  // neighbours that are not written yet
  auto misfit = block.found.misfits.begin();
  for (std::uint32_t i = 0; i < block.found.frames.size(); ++i) {
    const store::FrameBlock::Frame& frame = block.found.frames[i];
    const std::size_t start = frame.at - wire::kHeaderBytes;
    const std::size_t end = std::size_t{frame.at} + frame.length + wire::kFooterBytes;
    if (misfit != block.found.misfits.end() && *misfit == i) {
      ++misfit;
      lose("the record does not fit its CRC");
      continue;
    }
    if (!is_record(block.data(frame))) {
      lose(kind_ == RunFileKind::kEvents ? "the record is not an Event" : "the record is not a capture");
      continue;
    }
    close_gap(block.offset + start);
    kept_until_ = block.offset + end;
    ++copied_.kept_records;
    if (start != waiting_to) {
      TENSORTAP_TRY(keep(block, waiting_from, waiting_to));
      waiting_from = start;
    }
    waiting_to = end;
  }
  return keep(block, waiting_from, waiting_to);
}

Result<CopiedRecords> RecordCopy::run(std::atomic<std::uint64_t>& read_bytes) {
  copied_.input_bytes = from_.identity().size_bytes;
  store::FrameScan scan;
  store::FrameBlock block;
  while (true) {
    auto more = scan.next(from_, copied_.input_bytes, true, block);
    if (!more.ok()) return more.status();
    if (!*more) break;
    TENSORTAP_TRY(copy_block(block));
    read_bytes = scan.offset();
  }
  lose(tail_reason(scan.tail().kind));
  close_gap(copied_.input_bytes);
  copied_.kind = kind_.value_or(RunFileKind::kEvents);
  return std::move(copied_);
}

}  // namespace tensortap::cli
