// Tests of PNG: what is written is read back, and damaged bytes are refused or survived.
#include "format/png.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string_view>

namespace tensortap::format {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

// Noise over a slope: rows that filters change and that do not compress away.
Pixels test_picture(int width, int height, int channels) {
  std::mt19937 random(7);
  Pixels pixels{width, height, channels, {}};
  for (int i = 0; i < width * height * channels; ++i) {
    pixels.bytes.push_back(static_cast<std::uint8_t>(i / 3 + static_cast<int>(random() % 16)));
  }
  return pixels;
}

void expect_equal(const Pixels& a, const Pixels& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.bytes, b.bytes);
}

// A PNG from elsewhere: 5x3, palette of 4 colours with 2 bits a pixel, interlaced, transparency and text.
// Pixels in reading order: 0 1 2 3 0 / 1 2 3 0 1 / 2 3 0 1 2.
constexpr std::uint8_t kPalettePng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x05, 0x00, 0x00, 0x00, 0x03, 0x02, 0x03, 0x00, 0x00, 0x01, 0x51, 0x5f, 0x1d, 0xfd, 0x00, 0x00, 0x00,
    0x04, 0x67, 0x41, 0x4d, 0x41, 0x00, 0x00, 0xb1, 0x8f, 0x0b, 0xfc, 0x61, 0x05, 0x00, 0x00, 0x00, 0x0c, 0x50,
    0x4c, 0x54, 0x45, 0xff, 0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00, 0xff, 0x09, 0x09, 0x09, 0x5c, 0x71, 0x7e,
    0x86, 0x00, 0x00, 0x00, 0x03, 0x74, 0x52, 0x4e, 0x53, 0xff, 0x80, 0x00, 0x7f, 0x6d, 0x68, 0x78, 0x00, 0x00,
    0x00, 0x0d, 0x74, 0x45, 0x58, 0x74, 0x54, 0x69, 0x74, 0x6c, 0x65, 0x00, 0x70, 0x61, 0x6c, 0x65, 0x74, 0x74,
    0x65, 0x8d, 0x32, 0x55, 0x1c, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x00,
    0x82, 0x06, 0x86, 0x0e, 0x86, 0x02, 0x86, 0x0b, 0x0c, 0x39, 0x0e, 0x00, 0x10, 0x47, 0x02, 0xf5, 0x03, 0x6d,
    0x96, 0x7d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

// 2x2, gray with 16 bits: 0, 0x8000 / 0xffff, 0x0180.
constexpr std::uint8_t kDeepPng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00, 0x00, 0x00, 0x00, 0x07, 0x4d, 0x8e, 0xbb, 0x00, 0x00, 0x00, 0x12, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x60, 0x68, 0x60, 0x60, 0xf8, 0xff, 0x9f, 0xb1, 0x01, 0x00, 0x0b, 0x05,
    0x03, 0x00, 0xd2, 0x84, 0x3f, 0xe2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

class PngChannels : public testing::TestWithParam<int> {};

TEST_P(PngChannels, ReadsBackWhatWasWritten) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {17, 1}, {64, 33}}) {
    const Pixels pixels = test_picture(width, height, GetParam());
    const Result<std::string> file = encode_png(pixels);
    ASSERT_TRUE(file.ok()) << file.status().to_string();
    const Result<Pixels> read = decode_png(bytes_of(file.value()));
    ASSERT_TRUE(read.ok()) << read.status().to_string();
    expect_equal(read.value(), pixels);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PngChannels, testing::Values(1, 2, 3, 4));

TEST(Png, WritesLargePicturesInSeveralChunks) {
  const Pixels pixels = test_picture(700, 500, 3);
  const std::string file = encode_png(pixels).value();
  EXPECT_NE(file.find("IDAT", file.find("IDAT") + 4), std::string::npos);
  expect_equal(decode_png(bytes_of(file)).value(), pixels);
}

TEST(Png, WritesVeryWidePictures) {
  const Pixels pixels = test_picture(1'200'000, 1, 1);
  expect_equal(decode_png(bytes_of(encode_png(pixels).value())).value(), pixels);
}

TEST(Png, RefusesPixelsThatContradictTheirSizes) {
  const auto code = [](Pixels pixels) { return encode_png(pixels).status().code(); };
  EXPECT_EQ(code({0, 1, 1, {}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, -1, 1, {0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, 1, 5, {0, 0, 0, 0, 0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({2, 2, 1, {0, 0, 0}}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1 << 20, 65, 1, {}}), StatusCode::kInvalidArgument);
  EXPECT_THAT(encode_png({2, 2, 1, {0, 0, 0}}).status().message(), testing::HasSubstr("2x2x1"));
}

TEST(Png, ReadsPalettesWithTransparencyAndInterlacing) {
  const Result<Pixels> read = decode_png(std::as_bytes(std::span(kPalettePng)));
  ASSERT_TRUE(read.ok()) << read.status().to_string();
  const std::vector<std::vector<std::uint8_t>> palette{
      {255, 0, 0, 255}, {0, 255, 0, 128}, {0, 0, 255, 0}, {9, 9, 9, 255}};
  Pixels expected{5, 3, 4, {}};
  for (const std::size_t index : {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2}) {
    expected.bytes.insert(expected.bytes.end(), palette[index].begin(), palette[index].end());
  }
  expect_equal(read.value(), expected);
}

TEST(Png, ScalesSixteenBitsToEight) {
  const Result<Pixels> read = decode_png(std::as_bytes(std::span(kDeepPng)));
  ASSERT_TRUE(read.ok()) << read.status().to_string();
  expect_equal(read.value(), {2, 2, 1, {0, 128, 255, 1}});
}

TEST(Png, SaysTruncatedForEveryPrefix) {
  const std::string written = encode_png(test_picture(13, 7, 3)).value();
  const std::string palette(reinterpret_cast<const char*>(kPalettePng), sizeof(kPalettePng));
  for (const std::string& file : {written, palette}) {
    for (std::size_t size = 0; size < file.size(); ++size) {
      // Copied, so that a read beyond the end is seen.
      const std::vector<char> prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const Result<Pixels> read = decode_png(std::as_bytes(std::span(prefix)));
      ASSERT_FALSE(read.ok()) << size;
      EXPECT_EQ(read.status().code(), StatusCode::kTruncated) << size << ": " << read.status().to_string();
    }
  }
}

TEST(Png, SurvivesEveryFlippedBitAndNeverGivesOtherPixels) {
  const Pixels pixels = test_picture(13, 7, 3);
  const std::string file = encode_png(pixels).value();
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const Result<Pixels> read = decode_png(bytes_of(damaged));
    if (read.ok()) expect_equal(read.value(), pixels);
  }
}

TEST(Png, SurvivesFlippedBitsInAncillaryChunks) {
  for (std::size_t bit = 0; bit < sizeof(kPalettePng) * 8; ++bit) {
    std::vector<std::uint8_t> damaged(std::begin(kPalettePng), std::end(kPalettePng));
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1 << bit % 8));
    const Result<Pixels> read = decode_png(std::as_bytes(std::span(damaged)));
    if (!read.ok()) continue;
    EXPECT_EQ(read.value().bytes.size(), 5u * 3u * static_cast<unsigned>(read.value().channels));
  }
}

TEST(Png, SkipsAncillaryChunksOfAnySize) {
  const Pixels pixels = test_picture(13, 7, 3);
  std::string file = encode_png(pixels).value();
  // Behind the header: 9 MiB of text with a wrong checksum.
  const std::size_t after_header = 33;
  file.insert(after_header, std::string("\0\x90\0\0tEXt", 8) + std::string((9 << 20) + 4, 'a'));
  expect_equal(decode_png(bytes_of(file)).value(), pixels);
}

TEST(Png, SaysCorruptForOtherFiles) {
  EXPECT_EQ(decode_png(bytes_of("GIF89a, and long enough for a signature")).status().code(), StatusCode::kCorrupt);
}

TEST(Png, IgnoresBytesAfterTheEnd) {
  const Pixels pixels = test_picture(3, 3, 1);
  expect_equal(decode_png(bytes_of(encode_png(pixels).value() + "more")).value(), pixels);
}

// A header with a right checksum, and nothing behind it.
std::string header_of(std::string_view ihdr_and_crc) {
  return std::string("\x89PNG\r\n\x1a\n\0\0\0\x0d", 12) + std::string(ihdr_and_crc);
}

TEST(Png, RefusesHugeSizesBeforeItAllocates) {
  // 2147483647 x 2147483647 RGBA, and 8000 x 8000 RGBA, each followed by the header of an empty IDAT.
  const std::string_view idat("\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
  const std::string huge = header_of(std::string_view("\111\110\104\122\177\377\377\377\177\377\377\377"
                                                      "\010\006\000\000\000\024\311\013\146",
                                                      21)) +
                           std::string(idat);
  EXPECT_EQ(decode_png(bytes_of(huge)).status().code(), StatusCode::kUnsupported);
  const std::string empty = header_of(std::string_view("\111\110\104\122\000\000\037\100\000\000\037\100"
                                                       "\010\006\000\000\000\006\361\255\364",
                                                       21)) +
                            std::string(idat);
  const Status status = decode_png(bytes_of(empty)).status();
  EXPECT_EQ(status.code(), StatusCode::kTruncated);
  EXPECT_THAT(status.message(), testing::HasSubstr("too short for 8000x8000"));
}

}  // namespace
}  // namespace tensortap::format
