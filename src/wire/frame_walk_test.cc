// The walk finds what decode_frame finds, one frame after the other.
#include "wire/frame_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "wire/frame_testutil.h"

namespace tensortap::wire {
namespace {

constexpr std::uint64_t kNoLimit = 0xffffffffU;

TEST(FrameWalk, FindsFramesOfEveryLength) {
  std::mt19937 random(1);
  std::string bytes;
  std::vector<std::string> records;
  for (std::size_t length = 0; length < 900; length += 1 + length / 20) {
    records.emplace_back(length, static_cast<char>(random()));
    bytes += frame_of(records.back());
  }
  WalkedFrames found;
  const Walk walk = walk_frames(bytes_of(bytes), kNoLimit, found);
  EXPECT_EQ(walk.end, WalkEnd::kAtEnd);
  EXPECT_EQ(walk.size_bytes, bytes.size());
  EXPECT_TRUE(found.misfits.empty());
  ASSERT_EQ(found.frames.size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(bytes.substr(found.frames[i].at, found.frames[i].length), records[i]);
  }
}

TEST(FrameWalk, EveryCutEndsInsideAFrame) {
  const std::string bytes = frame_of("one") + frame_of("two") + frame_of("three");
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    WalkedFrames found;
    const Walk walk = walk_frames(bytes_of(bytes).first(n), kNoLimit, found);
    EXPECT_EQ(walk.end == WalkEnd::kAtEnd, walk.size_bytes == n) << n;
    EXPECT_NE(walk.end, WalkEnd::kBadLength) << n;
  }
}

TEST(FrameWalk, EveryFlippedBitIsAMisfitOrABadLength) {
  const std::string bytes = frame_of("one") + frame_of("two") + frame_of("three");
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    WalkedFrames found;
    const Walk walk = walk_frames(bytes_of(damaged), kNoLimit, found);
    EXPECT_EQ(found.misfits.size() + (walk.end == WalkEnd::kBadLength ? 1U : 0U), 1U) << bit;
    const bool is_whole = decode_frame(bytes_of(damaged).subspan(walk.size_bytes)).ok();
    EXPECT_TRUE(walk.end == WalkEnd::kAtEnd || !is_whole) << bit;
  }
}

TEST(FrameWalk, ALengthAboveTheLimitIsBad) {
  WalkedFrames found;
  EXPECT_EQ(walk_frames(bytes_of(frame_of("12345")), 4, found).end, WalkEnd::kBadLength);
  EXPECT_EQ(walk_frames(bytes_of(frame_of("12345")), 5, found).end, WalkEnd::kAtEnd);
}

}  // namespace
}  // namespace tensortap::wire
