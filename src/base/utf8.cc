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

bool drives_terminal(char32_t point) {
  return point < 0x20 || (point >= 0x7f && point <= 0x9f) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0x200e || point == 0x200f || point == 0x2028 ||
         point == 0x2029;
}

bool next_code_point(std::string_view text, std::size_t& at, char32_t& point) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) {
    point = lead;
    ++at;
    return true;
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (at + length > text.size() || !is_valid_utf8(text.substr(at, length))) {
    ++at;
    return false;
  }
  point = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  at += length;
  return true;
}

}  // namespace tensortap
