// Tests of WAV: the bytes of the files, what is read back, and what is refused.
#include "format/wav.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace tensortap::format {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

std::string encode_one(const TensorView& samples, double rate_hz = 8000) {
  Result<std::vector<std::string>> files = encode_wav(samples, rate_hz);
  EXPECT_TRUE(files.ok()) << files.status().to_string();
  return files.ok() && files.value().size() == 1 ? files.value()[0] : "";
}

std::vector<std::int16_t> samples_of(const std::string& file) { return decode_wav(bytes_of(file)).value().samples; }

std::string two_channels() { return encode_one(view(std::vector<float>{0, 0.5f, -0.5f, 1, -1, 0.25f}, {3, 2}), 8000); }

TEST(Wav, HasTheBytesOfTensorFlow) {
  // tf.audio.encode_wav([[0, 0.5], [-0.5, 1], [-1, 0.25]], 8000)
  const std::string expected(
      "RIFF\x30\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\0\x7d\0\0\x04\0\x10\0data\x0c\0\0\0"
      "\0\0\0\x40\0\xc0\xff\x7f\0\x80\0\x20",
      56);
  EXPECT_EQ(two_channels(), expected);
}

TEST(Wav, RoundsHalvesAwayFromZeroAndClips) {
  const float step = 1.0f / 32768;
  const std::vector<float> values{0.5f * step, -0.5f * step, 1.5f * step, 0.49f * step, -1.51f * step,  1, -1, 2,
                                  -7,          INFINITY,     -INFINITY,   NAN,          32766.5f * step};
  EXPECT_THAT(samples_of(encode_one(view(values))),
              ElementsAre(1, -1, 2, 0, -2, 32767, -32768, 32767, -32768, 32767, -32768, 0, 32767));
}

TEST(Wav, TakesInt16AsItIs) {
  const std::vector<std::int16_t> values{0, 1, -1, 32767, -32768};
  EXPECT_EQ(samples_of(encode_one(view(values))), values);
}

TEST(Wav, TakesEveryFloatDtype) {
  const std::vector<double> doubles{0.5, -1};
  EXPECT_THAT(samples_of(encode_one(view(doubles))), ElementsAre(16384, -32768));
  const std::uint16_t half[] = {0x3800, 0xbc00};
  EXPECT_THAT(samples_of(encode_one({half, DType::kFloat16, {2}, {}})), ElementsAre(16384, -32768));
  const std::uint16_t brain[] = {0x3f00, 0xbf80};
  EXPECT_THAT(samples_of(encode_one({brain, DType::kBfloat16, {2}, {}})), ElementsAre(16384, -32768));
  const std::uint8_t byte[] = {0x30, 0xb8};
  EXPECT_THAT(samples_of(encode_one({byte, DType::kFloat8E4m3fn, {2}, {}})), ElementsAre(16384, -32768));
}

TEST(Wav, WritesOneFileForEachClip) {
  std::vector<float> values(2 * 3 * 2);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 32768;
  const std::vector<std::string> files = encode_wav(view(values, {2, 3, 2}), 44100).value();
  ASSERT_EQ(files.size(), 2u);
  const WavClip second = decode_wav(bytes_of(files[1])).value();
  EXPECT_EQ(second.rate_hz, 44100u);
  EXPECT_EQ(second.channels, 2);
  EXPECT_THAT(second.samples, ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_TRUE(encode_wav(view<float>(nullptr, {0, 3, 2}), 44100).value().empty());
}

TEST(Wav, FollowsStridesAcrossBlocks) {
  std::vector<std::int16_t> planes(2 * 3000);
  for (std::size_t i = 0; i < planes.size(); ++i) planes[i] = static_cast<std::int16_t>(i);
  const TensorView turned{planes.data(), DType::kInt16, {3000, 2}, {2, 6000}};
  const std::vector<std::int16_t> samples = samples_of(encode_one(turned));
  ASSERT_EQ(samples.size(), 6000u);
  for (std::size_t i = 0; i < 6000; ++i) ASSERT_EQ(samples[i], static_cast<std::int16_t>(i / 2 + i % 2 * 3000));
}

TEST(Wav, MayHoldNoFrames) {
  EXPECT_EQ(encode_one(view<float>(nullptr, {0})).size(), 44u);
  EXPECT_TRUE(samples_of(encode_one(view<float>(nullptr, {0, 2}))).empty());
}

TEST(Wav, RefusesOtherShapesAndDtypes) {
  const std::vector<std::complex<double>> memory(16);
  const auto status = [&](DType dtype, Shape shape) {
    return encode_wav({memory.data(), dtype, std::move(shape), {}}, 8000).status();
  };
  EXPECT_THAT(status(DType::kFloat32, {}).message(), HasSubstr("[frames,channels]"));
  EXPECT_EQ(status(DType::kFloat32, {1, 1, 1, 1}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status(DType::kFloat32, {3, 0}).code(), StatusCode::kInvalidArgument);
  for (const DType dtype : {DType::kInt32, DType::kUint8, DType::kInt8, DType::kUint16, DType::kInt64, DType::kBool}) {
    EXPECT_EQ(status(dtype, {2}).code(), StatusCode::kInvalidArgument);
  }
  EXPECT_THAT(status(DType::kInt32, {2}).message(), HasSubstr("int32"));
  EXPECT_EQ(status(DType::kComplex128, {2}).code(), StatusCode::kUnsupported);
}

TEST(Wav, RefusesRatesThatAreNoWholePositiveNumber) {
  const std::vector<float> values(4);
  for (const double rate : {0.0, -1.0, 0.5, 44100.5, 4294967296.0, 1e300, static_cast<double>(NAN),
                            static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    EXPECT_EQ(encode_wav(view(values), rate).status().code(), StatusCode::kInvalidArgument) << rate;
  }
  EXPECT_TRUE(encode_wav(view(values), 1).ok());
  EXPECT_TRUE(encode_wav(view(values), 2147483647).ok());
  // Four bytes a frame, four thousand million frames a second: more than the header can say.
  EXPECT_EQ(encode_wav(view(values, {2, 2}), 4294967295).status().code(), StatusCode::kInvalidArgument);
}

TEST(Wav, RefusesSizesBeyondTheHeaderBeforeItAllocates) {
  const float value = 0;
  const auto code = [&](Shape shape) {
    std::vector<std::int64_t> strides(shape.size(), 0);
    return encode_wav({&value, DType::kFloat32, std::move(shape), strides}, 8000).status().code();
  };
  EXPECT_EQ(code({std::int64_t{1} << 31}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1 << 30, 4}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({1, 32768}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({std::int64_t{1} << 40, 1, 1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({std::int64_t{1} << 60, 0, 1}), StatusCode::kInvalidArgument);
}

TEST(Wav, SaysTruncatedForEveryPrefix) {
  const std::string file = two_channels();
  for (std::size_t size = 0; size < file.size(); ++size) {
    // Copied, so that a read beyond the end is seen.
    const std::vector<char> prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const Result<WavClip> read = decode_wav(std::as_bytes(std::span(prefix)));
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(read.status().code(), StatusCode::kTruncated) << size << ": " << read.status().to_string();
  }
}

TEST(Wav, SurvivesEveryFlippedBit) {
  const std::string file = two_channels();
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const Result<WavClip> read = decode_wav(bytes_of(damaged));
    if (read.ok()) {
      EXPECT_EQ(read.value().samples.size() % static_cast<std::size_t>(read.value().channels), 0u);
      EXPECT_LE(read.value().samples.size(), 6u);
    }
  }
}

TEST(Wav, SkipsOtherChunksWithTheirPadding) {
  std::string file = two_channels();
  file.insert(36, std::string("LIST\x03\0\0\0abc\0", 12));
  EXPECT_EQ(decode_wav(bytes_of(file + "trailing")).value().samples.size(), 6u);
}

TEST(Wav, ReadsTheExtensibleHeaderOfPcm) {
  std::string file = two_channels();
  file[16] = 40;
  file[20] = static_cast<char>(0xfe);
  file[21] = static_cast<char>(0xff);
  file.insert(36, std::string("\x16\0\x10\0\x03\0\0\0\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71", 24));
  EXPECT_EQ(decode_wav(bytes_of(file)).value().samples.size(), 6u);
}

TEST(Wav, TellsDamageFromOtherEncodings) {
  const auto code_with = [](std::size_t offset, char byte) {
    std::string file = two_channels();
    file[offset] = byte;
    return decode_wav(bytes_of(file)).status().code();
  };
  EXPECT_EQ(code_with(0, 'X'), StatusCode::kCorrupt);
  EXPECT_EQ(code_with(8, 'X'), StatusCode::kCorrupt);
  EXPECT_EQ(code_with(20, 3), StatusCode::kUnsupported);
  EXPECT_EQ(code_with(34, 24), StatusCode::kUnsupported);
  EXPECT_EQ(code_with(22, 0), StatusCode::kCorrupt);
  EXPECT_EQ(code_with(32, 2), StatusCode::kCorrupt);
  EXPECT_EQ(code_with(40, 11), StatusCode::kCorrupt);
  EXPECT_EQ(code_with(12, 'X'), StatusCode::kCorrupt);
}

}  // namespace
}  // namespace tensortap::format
