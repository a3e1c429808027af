// Frames survive the round trip, and nothing else does.
#include "wire/frame.h"

#include <gtest/gtest.h>

#include <string>

#include "wire/frame_testutil.h"

namespace tensortap::wire {
namespace {

TEST(Frame, RoundTrips) {
  for (std::string data : {std::string(), std::string("x"), std::string(1000, '\0')}) {
    std::string frame = frame_of(data);
    EXPECT_EQ(frame.size(), data.size() + kHeaderBytes + kFooterBytes);
    Bytes decoded = decode_frame(bytes_of(frame)).value();
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(decoded.data()), decoded.size()), data);
  }
}

TEST(Frame, HeaderIsTheOneTensorFlowWrites) {
  // TensorFlow's own file_version record has 24 bytes; this is the CRC it stores for that length.
  auto header = encode_header(24);
  EXPECT_EQ(static_cast<int>(header[8]), 0xa3);
  EXPECT_EQ(static_cast<int>(header[9]), 0x7f);
  EXPECT_EQ(static_cast<int>(header[10]), 0x4b);
  EXPECT_EQ(static_cast<int>(header[11]), 0x22);
}

TEST(Frame, EveryTruncationAsksForMore) {
  std::string frame = frame_of("some record");
  for (std::size_t n = 0; n < frame.size(); ++n) {
    EXPECT_EQ(decode_frame(bytes_of(frame).first(n)).status().code(), StatusCode::kTruncated) << n;
  }
}

TEST(Frame, EveryFlippedBitIsFound) {
  std::string frame = frame_of("some record");
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::string damaged = frame;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(decode_frame(bytes_of(damaged)).status().code(), StatusCode::kCorrupt) << bit;
  }
}

TEST(Frame, LengthBombsAreOnlyTruncated) {
  for (std::uint64_t length : {std::uint64_t{1} << 31, std::uint64_t{1} << 62, ~std::uint64_t{0}, ~std::uint64_t{3}}) {
    auto header = encode_header(length);
    EXPECT_EQ(decode_frame(Bytes(header)).status().code(), StatusCode::kTruncated);
    std::string with_tail(reinterpret_cast<const char*>(header.data()), header.size());
    with_tail += "abc";
    EXPECT_EQ(decode_frame(bytes_of(with_tail)).status().code(), StatusCode::kTruncated);
  }
}

TEST(Frame, ZeroFilledHeaderIsCorruptNotEmpty) {
  EXPECT_EQ(decode_frame(bytes_of(std::string(64, '\0'))).status().code(), StatusCode::kCorrupt);
}

}  // namespace
}  // namespace tensortap::wire
