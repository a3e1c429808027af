// FrameScan: finds the frames of a file, block by block, whatever stands between them.
//
//   whole frames | damaged bytes | whole frames | tail
//
// Checks every CRC. A record that does not fit its own is among a block's misfits; where a length does not fit its CRC
// it goes on at the next frame that fits both its CRCs, and says what it skipped.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "store/read_file.h"
#include "wire/frame_walk.h"

namespace tensortap::store {

// Bytes that are no whole record.
struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::string reason;
  bool operator==(const Damage&) const = default;
};

// What stands behind the last whole frame.
enum class TailKind : std::uint8_t {
  kNone,
  kTorn,        // the start of a frame: being written, or its writer died
  kZeroes,      // not written yet, or never to be: some network file systems fill with zeroes
  kUnreadable,  // no frame, and none behind it
};

struct Tail {
  TailKind kind = TailKind::kNone;
  std::uint64_t size_bytes = 0;
  bool operator==(const Tail&) const = default;
};

// Whole frames as they stand in the file, and the damage before them.
struct FrameBlock {
  using Frame = wire::WalkedFrame;  // places are in `bytes`
  // So many bytes behind the last frame may be read, whatever they are.
  static constexpr std::size_t kSlackBytes = 8;

  std::uint64_t offset = 0;  // of bytes[0] in the file
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size_bytes = 0;
  std::size_t capacity_bytes = 0;
  wire::WalkedFrames found;
  std::vector<Damage> damage;

  void reserve(std::size_t wanted_bytes);
  std::string_view data(const Frame& frame) const {
    return {reinterpret_cast<const char*>(bytes.get()) + frame.at, frame.length};
  }
};

// Threads:  one at a time.
// Failure:  kIo as ReadFile; damage in the file is no failure.
// Lifetime: a value; remembers where it is, not the file.
class FrameScan {
 public:
  // No record is larger: protobuf's limit on a message, with room.
  static constexpr std::uint64_t kMaxRecordBytes = (std::uint64_t{1} << 31) + (std::uint64_t{1} << 20);

  FrameScan() = default;
  explicit FrameScan(std::uint64_t offset) : offset_(offset) {}

  // The next block of a file of `size_bytes`. False when there is no more whole frame: tail() tells what is left.
  // `settled` says that nobody has written for a while, so that frames inside a torn one are looked for, too.
  Result<bool> next(const ReadFile& file, std::uint64_t size_bytes, bool settled, FrameBlock& block);

  std::uint64_t offset() const { return offset_; }  // all before it is read
  const Tail& tail() const { return tail_; }

 private:
  Result<std::size_t> fill(const ReadFile& file, std::uint64_t size_bytes, FrameBlock& block);
  wire::WalkEnd walk(FrameBlock& block, std::size_t filled_bytes);
  Result<bool> skip_damage(const ReadFile& file, std::uint64_t size_bytes, FrameBlock& block);
  Result<bool> hides_behind_bad_frame(const ReadFile& file) const;

  std::uint64_t offset_ = 0;
  std::uint64_t block_bytes_ = kFirstBlockBytes;
  std::uint64_t needed_bytes_ = 0;    // of a frame larger than a block
  std::uint64_t last_frame_ = kNone;  // where the frame that ends at offset_ starts
  Tail tail_;

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  // The first block is small: a decoder learns the tags from it.
  static constexpr std::uint64_t kFirstBlockBytes = 16 << 10;
  static constexpr std::uint64_t kBlockBytes = 1 << 18;
};

// Where the next frame starts whose both CRCs fit, in [from, size_bytes); size_bytes when there is none.
// Frames that end beyond size_bytes do not count.
Result<std::uint64_t> find_frame(const ReadFile& file, std::uint64_t from, std::uint64_t size_bytes);

}  // namespace tensortap::store
