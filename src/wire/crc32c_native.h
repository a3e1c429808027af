// Crc32cNative: CRC-32C by the processor's own instruction, for functions that are compiled for it.
//
// Only for those who ask has_native() first: wire/crc32c.h is the way for everybody else.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "base/file.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#define TENSORTAP_CRC_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#define TENSORTAP_CRC_TARGET __attribute__((target("+crc")))
#endif

namespace tensortap::wire::native {

inline constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // reflected

// Three lanes of this many bytes are summed side by side: the instruction takes three cycles, one can start in each.
inline constexpr std::size_t kLaneBytes = 256;

// shift[k][b]: what kLaneBytes zero bytes make of a register that holds byte b at place k.
// A CRC is linear, so that a register is shifted by the sum of its bytes' shifts.
using ShiftTable = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr ShiftTable make_shift_table() {
  std::array<std::uint32_t, 32> of_bit{};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    std::uint32_t state = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < 8 * kLaneBytes; ++i) state = (state >> 1) ^ ((state & 1U) != 0 ? kPolynomial : 0U);
    of_bit[bit] = state;
  }
  ShiftTable table{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1U) != 0) table[k][byte] ^= of_bit[8 * k + bit];
      }
    }
  }
  return table;
}

inline constexpr ShiftTable kShift = make_shift_table();

inline std::uint32_t shift_lane(std::uint32_t state) {
  return kShift[0][state & 0xff] ^ kShift[1][state >> 8 & 0xff] ^ kShift[2][state >> 16 & 0xff] ^
         kShift[3][state >> 24];
}

template <typename Word>
Word load(const std::byte* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}
inline std::uint64_t load64(const std::byte* bytes) { return load<std::uint64_t>(bytes); }

#if defined(__x86_64__)
TENSORTAP_CRC_TARGET inline std::uint32_t extend(std::uint32_t crc, Bytes bytes) {
  std::uint64_t state = ~crc;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 3 * kLaneBytes; left -= 3 * kLaneBytes, p += 3 * kLaneBytes) {
    std::uint64_t second = 0, third = 0;
    for (std::size_t i = 0; i < kLaneBytes; i += 8) {
      state = _mm_crc32_u64(state, load64(p + i));
      second = _mm_crc32_u64(second, load64(p + kLaneBytes + i));
      third = _mm_crc32_u64(third, load64(p + 2 * kLaneBytes + i));
    }
    state = shift_lane(static_cast<std::uint32_t>(state)) ^ second;
    state = shift_lane(static_cast<std::uint32_t>(state)) ^ third;
  }
  for (; left >= 8; left -= 8, p += 8) state = _mm_crc32_u64(state, load64(p));
  auto tail = static_cast<std::uint32_t>(state);
  if ((left & 4U) != 0) tail = _mm_crc32_u32(tail, load<std::uint32_t>(p)), p += 4;
  if ((left & 2U) != 0) tail = _mm_crc32_u16(tail, load<std::uint16_t>(p)), p += 2;
  if ((left & 1U) != 0) tail = _mm_crc32_u8(tail, static_cast<std::uint8_t>(*p));
  return ~tail;
}
TENSORTAP_CRC_TARGET inline std::uint32_t crc_of_word(std::uint64_t word) {
  return ~static_cast<std::uint32_t>(_mm_crc32_u64(0xffffffffU, word));
}
inline bool is_there() { return __builtin_cpu_supports("sse4.2") != 0; }
#elif defined(__aarch64__)
TENSORTAP_CRC_TARGET inline std::uint32_t extend(std::uint32_t crc, Bytes bytes) {
  std::uint32_t state = ~crc;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 3 * kLaneBytes; left -= 3 * kLaneBytes, p += 3 * kLaneBytes) {
    std::uint32_t second = 0, third = 0;
    for (std::size_t i = 0; i < kLaneBytes; i += 8) {
      state = __crc32cd(state, load64(p + i));
      second = __crc32cd(second, load64(p + kLaneBytes + i));
      third = __crc32cd(third, load64(p + 2 * kLaneBytes + i));
    }
    state = shift_lane(state) ^ second;
    state = shift_lane(state) ^ third;
  }
  for (; left >= 8; left -= 8, p += 8) state = __crc32cd(state, load64(p));
  if ((left & 4U) != 0) state = __crc32cw(state, load<std::uint32_t>(p)), p += 4;
  if ((left & 2U) != 0) state = __crc32ch(state, load<std::uint16_t>(p)), p += 2;
  if ((left & 1U) != 0) state = __crc32cb(state, static_cast<std::uint8_t>(*p));
  return ~state;
}
TENSORTAP_CRC_TARGET inline std::uint32_t crc_of_word(std::uint64_t word) { return ~__crc32cd(0xffffffffU, word); }
inline bool is_there() { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#endif

}  // namespace tensortap::wire::native
