// FrameWalk: the frames that stand in a stretch of memory, one after the other, with both their CRCs checked.
//
// decode_frame() says what is wrong with one frame. This goes over millions, in one loop without calls.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file.h"

namespace tensortap::wire {

// Where a frame's data stands in the memory that was walked.
struct WalkedFrame {
  std::uint32_t at = 0;
  std::uint32_t length = 0;
};

// Why a walk ended.
enum class WalkEnd : std::uint8_t {
  kAtEnd,      // behind a whole frame
  kNeedsMore,  // inside a frame
  kBadLength,  // at a length that does not fit its CRC, or is above the limit
};

struct Walk {
  WalkEnd end = WalkEnd::kAtEnd;
  std::size_t size_bytes = 0;      // of the whole frames
  std::uint64_t needed_bytes = 0;  // kNeedsMore: of the frame that is not whole, as far as is known
};

struct WalkedFrames {
  std::vector<WalkedFrame> frames;
  std::vector<std::uint32_t> misfits;  // which of them have data that does not fit its CRC; ascending
};

// Appends to `found`. `bytes` holds less than 4 GiB.
Walk walk_frames(Bytes bytes, std::uint64_t max_length, WalkedFrames& found);

}  // namespace tensortap::wire
