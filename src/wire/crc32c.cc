// CRC-32C by the processor's own instruction, by table where there is none.
#include "wire/crc32c.h"

#include <array>
#include "wire/crc32c_native.h"

namespace tensortap::wire {
namespace {

using native::kPolynomial;
using native::load64;

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
const auto kImplementation = native::is_there() ? native::extend : extend_crc32c_portable;
}  // namespace

std::uint32_t extend_crc32c(std::uint32_t crc, Bytes bytes) { return kImplementation(crc, bytes); }

}  // namespace tensortap::wire
