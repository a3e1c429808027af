// Frame: how one record stands in a file.
//
//   frame := length:u64le  masked_crc(length):u32le  data[length]  masked_crc(data):u32le
//
// The framing of TFRecord, event files and capture files; docs/format.md has a worked example.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/file.h"
#include "tensortap/result.h"

namespace tensortap::wire {

inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::size_t kFooterBytes = 4;

// What stands before a record of `length` bytes.
std::array<std::byte, kHeaderBytes> encode_header(std::uint64_t length);

// What stands behind a record made of `pieces`.
std::array<std::byte, kFooterBytes> encode_footer(std::span<const Bytes> pieces);

// The length out of a header. `header` holds at least kHeaderBytes.
// kCorrupt when the CRC does not fit, so that a length can be trusted before memory is asked for it.
Result<std::uint64_t> decode_header(Bytes header);

// The same for loops over millions of frames: false where decode_header() is kCorrupt.
bool header_fits(const std::byte* header, std::uint64_t& length);

// Whether `data`, followed by its CRC in memory, fits it.
bool data_fits(const std::byte* data, std::uint64_t length);

// The record at the start of `bytes`, its CRC checked.
// kTruncated when more bytes are needed; kCorrupt when header or data do not fit their CRC.
Result<Bytes> decode_frame(Bytes bytes);

}  // namespace tensortap::wire
