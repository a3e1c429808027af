// FrameWalk: one loop, compiled for the processor's CRC instruction and without it.
#include "wire/frame_walk.h"

#include "wire/crc32c.h"
#include "wire/crc32c_native.h"
#include "wire/frame.h"

namespace tensortap::wire {
namespace {

constexpr std::uint64_t kOverhead = kHeaderBytes + kFooterBytes;

// How CRCs are computed; the loop is the same.
struct Native {
  TENSORTAP_CRC_TARGET static std::uint32_t of_word(std::uint64_t word) { return native::crc_of_word(word); }
  TENSORTAP_CRC_TARGET static std::uint32_t of(Bytes bytes) { return native::extend(0, bytes); }
};
struct Portable {
  static std::uint32_t of_word(std::uint64_t word) { return of(std::as_bytes(std::span(&word, 1))); }
  static std::uint32_t of(Bytes bytes) { return extend_crc32c_portable(0, bytes); }
};

template <typename Crc>
[[gnu::always_inline]] inline Walk walk(Bytes bytes, std::uint64_t max_length, WalkedFrames& found) {
  const std::byte* const start = bytes.data();
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t left = bytes.size() - at;
    if (left < kHeaderBytes) return {WalkEnd::kNeedsMore, at, kOverhead};
    const auto length = native::load<std::uint64_t>(start + at);
    if (native::load<std::uint32_t>(start + at + sizeof length) != mask_crc(Crc::of_word(length)) ||
        length > max_length) {
      return {WalkEnd::kBadLength, at, 0};
    }
    if (length + kOverhead > left) return {WalkEnd::kNeedsMore, at, length + kOverhead};
    const std::byte* data = start + at + kHeaderBytes;
    if (native::load<std::uint32_t>(data + length) != mask_crc(Crc::of({data, static_cast<std::size_t>(length)}))) {
      found.misfits.push_back(static_cast<std::uint32_t>(found.frames.size()));
    }
    found.frames.push_back({static_cast<std::uint32_t>(at + kHeaderBytes), static_cast<std::uint32_t>(length)});
    at += static_cast<std::size_t>(length + kOverhead);
  }
  return {WalkEnd::kAtEnd, at, 0};
}

TENSORTAP_CRC_TARGET Walk walk_native(Bytes bytes, std::uint64_t max_length, WalkedFrames& found) {
  return walk<Native>(bytes, max_length, found);
}
Walk walk_portable(Bytes bytes, std::uint64_t max_length, WalkedFrames& found) {
  return walk<Portable>(bytes, max_length, found);
}
const auto kImplementation = native::is_there() ? walk_native : walk_portable;

}  // namespace

Walk walk_frames(Bytes bytes, std::uint64_t max_length, WalkedFrames& found) {
  return kImplementation(bytes, max_length, found);
}

}  // namespace tensortap::wire
