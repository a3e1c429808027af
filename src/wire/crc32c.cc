// CRC-32C by the processor's own instruction, by table where there is none.
#include "wire/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace tensortap::wire {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78U;  // reflected

// table[k][b]: the CRC of byte b followed by k zero bytes; eight of them take eight bytes a turn.
std::array<std::array<std::uint32_t, 256>, 8> make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) ? kPolynomial : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      std::uint32_t previous = tables[k - 1][byte];
      tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xff];
    }
  }
  return tables;
}

// Three lanes of this many bytes are summed side by side: the instruction takes three cycles, one can start in each.
constexpr std::size_t kLaneBytes = 256;

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

constexpr ShiftTable kShift = make_shift_table();

std::uint32_t shift_lane(std::uint32_t state) {
  return kShift[0][state & 0xff] ^ kShift[1][state >> 8 & 0xff] ^ kShift[2][state >> 16 & 0xff] ^
         kShift[3][state >> 24];
}

template <typename Word>
Word load(const std::byte* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}
std::uint64_t load64(const std::byte* bytes) { return load<std::uint64_t>(bytes); }

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t extend_native(std::uint32_t crc, Bytes bytes) {
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
bool has_native() { return __builtin_cpu_supports("sse4.2") != 0; }
#elif defined(__aarch64__)
__attribute__((target("+crc"))) std::uint32_t extend_native(std::uint32_t crc, Bytes bytes) {
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
bool has_native() { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }
#endif

}  // namespace

std::uint32_t extend_crc32c_portable(std::uint32_t crc, Bytes bytes) {
  static const auto tables = make_tables();
  std::uint32_t state = ~crc;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    std::uint64_t word = load64(p) ^ state;
    state = 0;
    for (std::size_t k = 0; k < 8; ++k) state ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; left > 0; --left, ++p) state = (state >> 8) ^ tables[0][(state ^ static_cast<std::uint32_t>(*p)) & 0xff];
  return ~state;
}

namespace {
// Chosen when the library is loaded; a constant from then on.
const auto kImplementation = has_native() ? extend_native : extend_crc32c_portable;
}  // namespace

std::uint32_t extend_crc32c(std::uint32_t crc, Bytes bytes) { return kImplementation(crc, bytes); }

}  // namespace tensortap::wire
