// UTF-8 checks by the table of well-formed byte sequences (Unicode standard, table 3-7).
#include "base/utf8.h"

#include <cstddef>
#include <cstdint>

namespace tensortap {
namespace {

// What may follow a lead byte: how many continuation bytes, and the range of the first of them.
struct Sequence {
  int continuation_bytes;
  std::uint8_t low;
  std::uint8_t high;
};

Sequence sequence_of(std::uint8_t lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {1, 0x80, 0xBF};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {2, 0x80, 0xBF};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {3, 0x80, 0xBF};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {0, 1, 0};
}

}  // namespace

bool is_valid_utf8(std::string_view untrusted) {
  std::size_t i = 0;
  while (i < untrusted.size()) {
    auto lead = static_cast<std::uint8_t>(untrusted[i++]);
    if (lead < 0x80) continue;
    Sequence sequence = sequence_of(lead);
    if (sequence.continuation_bytes == 0) return false;
    for (int k = 0; k < sequence.continuation_bytes; ++k, ++i) {
      if (i >= untrusted.size()) return false;
      auto byte = static_cast<std::uint8_t>(untrusted[i]);
      std::uint8_t low = k == 0 ? sequence.low : std::uint8_t{0x80};
      std::uint8_t high = k == 0 ? sequence.high : std::uint8_t{0xBF};
      if (byte < low || byte > high) return false;
    }
  }
  return true;
}

}  // namespace tensortap
