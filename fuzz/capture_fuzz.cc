// Fuzzes the decoder of capture records: what it accepts must encode to something equal.
#include <cstdint>
#include <cstdlib>

#include "event/capture.h"

namespace event = tensortap::event;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tensortap::Bytes input(reinterpret_cast<const std::byte*>(data), size);
  auto record = event::decode_capture(input);
  if (!record.ok()) return 0;
  const std::string again = event::encode_capture(record->head, record->body).joined();
  auto second = event::decode_capture(tensortap::bytes_of(again));
  if (!second.ok() || second->body.index() != record->body.index()) std::abort();
  if (const auto* stats = std::get_if<event::CapturedStats>(&record->body)) {
    // What accepted statistics are asked for must never leave their range either.
    (void)stats->stats.percentile(0.5);
    (void)stats->stats.buckets(64);
    const auto& back = std::get<event::CapturedStats>(second->body).stats;
    if (back.count != stats->stats.count || back.histogram.keys != stats->stats.histogram.keys) std::abort();
  }
  return 0;
}
