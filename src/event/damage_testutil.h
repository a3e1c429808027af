// Bytes for tests of decoders: out of hex digits, and damaged in every place.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tensortap::event {

inline std::string from_hex(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  }
  return bytes;
}

// Calls decode(bytes) for `bytes` cut at every place and with every bit flipped. Each lies in memory of just its size,
// so that the address sanitizer sees a read beyond it.
template <typename Decode>
void decode_damaged(const std::string& bytes, const Decode& decode) {
  const auto decode_copy = [&](const std::string& damaged) {
    const std::unique_ptr<char[]> copy(new char[damaged.size()]);
    damaged.copy(copy.get(), damaged.size());
    decode(std::string_view(copy.get(), damaged.size()));
  };
  for (std::size_t size = 0; size < bytes.size(); ++size) decode_copy(bytes.substr(0, size));
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    std::string flipped = bytes;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    decode_copy(flipped);
  }
}

}  // namespace tensortap::event
