// Frames to bytes and back.
#include "wire/frame.h"

#include <bit>
#include <cstring>

#include "wire/crc32c.h"

namespace tensortap::wire {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and so are x86-64 and aarch64");

std::uint32_t load32(const std::byte* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

std::array<std::byte, kHeaderBytes> encode_header(std::uint64_t length) {
  std::array<std::byte, kHeaderBytes> header;
  std::memcpy(header.data(), &length, sizeof length);
  std::uint32_t crc = mask_crc(crc32c(Bytes(header).first(sizeof length)));
  std::memcpy(header.data() + sizeof length, &crc, sizeof crc);
  return header;
}

std::array<std::byte, kFooterBytes> encode_footer(std::span<const Bytes> pieces) {
  std::uint32_t crc = 0;
  for (Bytes piece : pieces) crc = extend_crc32c(crc, piece);
  crc = mask_crc(crc);
  std::array<std::byte, kFooterBytes> footer;
  std::memcpy(footer.data(), &crc, sizeof crc);
  return footer;
}

bool header_fits(const std::byte* header, std::uint64_t& length) {
  std::memcpy(&length, header, sizeof length);
  return load32(header + sizeof length) == mask_crc(crc32c({header, sizeof length}));
}

bool data_fits(const std::byte* data, std::uint64_t length) {
  return load32(data + length) == mask_crc(crc32c({data, static_cast<std::size_t>(length)}));
}

Result<std::uint64_t> decode_header(Bytes header) {
  std::uint64_t length;
  if (!header_fits(header.data(), length)) {
    return Status(StatusCode::kCorrupt, "the length of the record does not fit its CRC");
  }
  return length;
}

Result<Bytes> decode_frame(Bytes bytes) {
  if (bytes.size() < kHeaderBytes) return Status(StatusCode::kTruncated, "the record's header is not complete");
  Result<std::uint64_t> untrusted_length = decode_header(bytes);
  if (!untrusted_length.ok()) return untrusted_length.status();
  std::uint64_t room = bytes.size() - kHeaderBytes;
  if (room < kFooterBytes || *untrusted_length > room - kFooterBytes) {
    return Status(StatusCode::kTruncated, "the record is not complete");
  }
  Bytes data = bytes.subspan(kHeaderBytes, *untrusted_length);
  if (!data_fits(data.data(), data.size())) {
    return Status(StatusCode::kCorrupt, "the record does not fit its CRC");
  }
  return data;
}

}  // namespace tensortap::wire
