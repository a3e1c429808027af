// CRC-32C (Castagnoli), plain and masked as TFRecord files carry it.
#pragma once

#include <cstdint>

#include "base/file.h"

namespace tensortap::wire {

// The CRC of what was covered by `crc` followed by `bytes`; start with 0.
std::uint32_t extend_crc32c(std::uint32_t crc, Bytes bytes);

inline std::uint32_t crc32c(Bytes bytes) { return extend_crc32c(0, bytes); }

// TFRecord stores CRCs rotated and offset, so that a CRC over bytes that hold CRCs stays strong.
inline std::uint32_t mask_crc(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

// The portable implementation, for machines without the instruction and for tests.
std::uint32_t extend_crc32c_portable(std::uint32_t crc, Bytes bytes);

}  // namespace tensortap::wire
