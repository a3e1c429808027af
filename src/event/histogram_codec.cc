// Histograms to compact bytes and back.
#include "event/histogram_codec.h"

#include "base/try.h"
#include "wire/protobuf.h"

namespace tensortap::event {
namespace {

// A run of one key: its gap, its length and its count.
constexpr std::size_t kMostBytesPerKey = 3 * protozero::max_varint_length;

Status corrupt(const char* what) { return Status(StatusCode::kCorrupt, std::string("histogram: ") + what); }

std::uint64_t read_varint(const char*& position, const char* end) { return protozero::decode_varint(&position, end); }

Status decode(std::string_view untrusted, Histogram& histogram) {
  const char* position = untrusted.data();
  const char* end = position + untrusted.size();
  std::uint64_t next_key = 0;
  while (position != end) {
    const std::uint64_t untrusted_gap = read_varint(position, end);
    const std::uint64_t untrusted_run = read_varint(position, end);
    if (untrusted_gap >= Histogram::kKeys || untrusted_run >= Histogram::kKeys) return corrupt("a key leaves the grid");
    next_key += untrusted_gap;
    for (std::uint64_t i = 0; i <= untrusted_run; ++i, ++next_key) {
      if (next_key >= Histogram::kKeys) return corrupt("a key leaves the grid");
      const std::uint64_t count_less_one = read_varint(position, end);
      if (count_less_one == UINT64_MAX) return corrupt("a count is beyond 64 bits");
      histogram.keys.push_back(static_cast<std::uint16_t>(next_key));
      histogram.counts.push_back(count_less_one + 1);
    }
  }
  return {};
}

}  // namespace

std::string encode_buckets(const Histogram& histogram) {
  // As long as it can get, written in one go, and cut: a string that grows byte by byte takes longer than the rest.
  std::string bytes(histogram.keys.size() * kMostBytesPerKey, '\0');
  char* out = bytes.data();
  std::size_t i = 0;
  std::uint32_t next_key = 0;
  while (i < histogram.keys.size()) {
    std::size_t run = 1;
    while (i + run < histogram.keys.size() && histogram.keys[i + run] == histogram.keys[i] + run) ++run;
    out += protozero::add_varint_to_buffer(out, histogram.keys[i] - next_key);
    out += protozero::add_varint_to_buffer(out, run - 1);
    for (std::size_t k = 0; k < run; ++k) out += protozero::add_varint_to_buffer(out, histogram.counts[i + k] - 1);
    next_key = histogram.keys[i] + static_cast<std::uint32_t>(run);
    i += run;
  }
  bytes.resize(static_cast<std::size_t>(out - bytes.data()));
  return bytes;
}

Status decode_buckets(std::string_view untrusted, Histogram& histogram) {
  histogram.keys.clear();
  histogram.counts.clear();
  try {
    return decode(untrusted, histogram);
  } catch (const std::exception& error) {
    return corrupt(error.what());
  }
}

}  // namespace tensortap::event
