// Gzip: what goes in comes out, and damage is told.
#include "format/gzip.h"

#include <gtest/gtest.h>

namespace tensortap::format {
namespace {

std::string repetitive(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i) + ",";
  return text;
}

TEST(Gzip, ComesBackAsItWas) {
  for (const std::size_t size : {0, 1, 100, 70'000, 1'000'000}) {
    const std::string text = repetitive(size);
    auto back = gunzip(gzip(text), text.size());
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(*back, text);
  }
}

TEST(Gzip, PiecesMakeOneStream) {
  GzipWriter writer;
  const std::string text = repetitive(300'000);
  std::string packed;
  for (std::size_t at = 0; at < text.size(); at += 7001) packed += writer.add(std::string_view(text).substr(at, 7001));
  packed += writer.finish();
  EXPECT_LT(packed.size(), text.size() / 2);
  EXPECT_EQ(gunzip(packed, text.size()).value(), text);
}

TEST(Gzip, CutAnywhereIsTruncated) {
  const std::string packed = gzip(repetitive(500));
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT_EQ(gunzip(packed.substr(0, size), 10'000).status().code(), StatusCode::kTruncated) << size;
  }
}

TEST(Gzip, DamageIsToldOrHarmless) {
  const std::string text = repetitive(500);
  const std::string packed = gzip(text);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    std::string damaged = packed;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    auto back = gunzip(damaged, 10'000);
    if (back.ok()) {
      EXPECT_EQ(*back, text) << i;
    }
  }
}

TEST(Gzip, NeverMoreThanAllowed) {
  const std::string packed = gzip(std::string(10'000'000, 'a'));
  EXPECT_LT(packed.size(), 60'000U);
  EXPECT_EQ(gunzip(packed, 9'999'999).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tensortap::format
