// FrameScan: the walk over lengths, and the search behind damage.
#include "store/frame_scan.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "wire/crc32c.h"
#include "wire/frame.h"

namespace tensortap::store {
namespace {

constexpr std::uint64_t kOverhead = wire::kHeaderBytes + wire::kFooterBytes;
constexpr std::size_t kWindowBytes = std::size_t{1} << 20;

// Most positions fail on the upper half of the length, before any CRC is computed.
bool may_be_header(const std::byte* at) {
  std::uint32_t upper;
  std::memcpy(&upper, at + 4, sizeof upper);
  return upper == 0;
}

// Whether the data of a frame fits its CRC; read in pieces, so that a length costs no memory.
Result<bool> frame_fits(const ReadFile& file, std::uint64_t offset, std::uint64_t length,
                        std::span<std::byte> scratch) {
  std::uint32_t crc = 0;
  std::uint64_t at = offset + wire::kHeaderBytes;
  for (std::uint64_t left = length; left > 0;) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(left, scratch.size()));
    auto got = file.read(at, scratch.first(piece));
    if (!got.ok()) return got.status();
    if (*got < piece) return false;
    crc = wire::extend_crc32c(crc, scratch.first(piece));
    at += piece;
    left -= piece;
  }
  std::uint32_t stored = 0;
  auto got = file.read(at, std::as_writable_bytes(std::span(&stored, 1)));
  if (!got.ok()) return got.status();
  return *got == sizeof stored && stored == wire::mask_crc(crc);
}

Result<bool> is_zero(const ReadFile& file, std::uint64_t from, std::uint64_t to) {
  std::vector<std::byte> window(static_cast<std::size_t>(std::min<std::uint64_t>(to - from, kWindowBytes)));
  while (from < to) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(to - from, window.size()));
    auto got = file.read(from, std::span(window).first(piece));
    if (!got.ok()) return got.status();
    if (std::any_of(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(*got),
                    [](std::byte each) { return each != std::byte{0}; })) {
      return false;
    }
    if (*got < piece) break;
    from += piece;
  }
  return true;
}

}  // namespace

void FrameBlock::reserve(std::size_t wanted_bytes) {
  // A block that one huge record blew up does not stay so.
  if (wanted_bytes <= capacity_bytes && capacity_bytes <= std::max<std::size_t>(wanted_bytes, std::size_t{8} << 20)) {
    return;
  }
  bytes = std::make_unique_for_overwrite<std::byte[]>(wanted_bytes);
  capacity_bytes = wanted_bytes;
}

Result<std::uint64_t> find_frame(const ReadFile& file, std::uint64_t from, std::uint64_t size_bytes) {
  std::vector<std::byte> window, scratch;
  while (from + kOverhead <= size_bytes) {
    // Windows overlap by a header, so that none is cut in two.
    window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes - from, kWindowBytes)));
    auto got = file.read(from, window);
    if (!got.ok()) return got.status();
    if (*got < wire::kHeaderBytes) break;
    const std::size_t last = *got - wire::kHeaderBytes;
    for (std::size_t at = 0; at <= last; ++at) {
      std::uint64_t length = 0;
      if (!may_be_header(&window[at]) || !wire::header_fits(&window[at], length)) continue;
      if (length > size_bytes - from - at - std::min(kOverhead, size_bytes - from - at)) continue;
      scratch.resize(std::max<std::size_t>(scratch.size(), std::min<std::uint64_t>(length, kWindowBytes)));
      auto fits = frame_fits(file, from + at, length, scratch);
      if (!fits.ok()) return fits.status();
      if (*fits) return from + at;
    }
    from += last + 1;
  }
  return size_bytes;
}

Result<std::size_t> FrameScan::fill(const ReadFile& file, std::uint64_t size_bytes, FrameBlock& block) {
  const std::uint64_t wanted = std::min(size_bytes - offset_, std::max(block_bytes_, needed_bytes_));
  block.reserve(static_cast<std::size_t>(wanted) + FrameBlock::kSlackBytes);
  block.offset = offset_;
  return file.read(offset_, {block.bytes.get(), static_cast<std::size_t>(wanted)});
}

// Collects the frames that lie whole in the block; needed_bytes_ is what the next one takes.
wire::WalkEnd FrameScan::walk(FrameBlock& block, std::size_t filled_bytes) {
  const wire::Walk walked = wire::walk_frames({block.bytes.get(), filled_bytes}, kMaxRecordBytes, block.found);
  if (!block.found.frames.empty()) last_frame_ = offset_ + block.found.frames.back().at - wire::kHeaderBytes;
  needed_bytes_ = walked.needed_bytes;
  block.size_bytes = walked.size_bytes;
  offset_ += walked.size_bytes;
  return walked.end;
}

// A writer that died inside a record and another that went on behind it: the frame that ends here has a sound length
// and foreign data, and whole frames may lie inside it.
Result<bool> FrameScan::hides_behind_bad_frame(const ReadFile& file) const {
  if (last_frame_ == kNone) return false;
  std::vector<std::byte> scratch(kWindowBytes);
  auto fits = frame_fits(file, last_frame_, offset_ - last_frame_ - kOverhead, scratch);
  if (!fits.ok()) return fits.status();
  return !*fits;
}

// Goes to the next frame behind damage. False, and a tail, when there is none.
Result<bool> FrameScan::skip_damage(const ReadFile& file, std::uint64_t size_bytes, FrameBlock& block) {
  auto hidden = hides_behind_bad_frame(file);
  if (!hidden.ok()) return hidden.status();
  auto found = find_frame(file, (*hidden ? last_frame_ : offset_) + 1, size_bytes);
  if (!found.ok()) return found.status();
  if (*found == size_bytes) {
    auto zero = is_zero(file, offset_, size_bytes);
    if (!zero.ok()) return zero.status();
    tail_ = {*zero ? TailKind::kZeroes : TailKind::kUnreadable, size_bytes - offset_};
    return false;
  }
  if (*found > offset_) {
    block.damage.push_back({offset_, *found - offset_, "the length of the record does not fit its CRC"});
  }
  offset_ = *found;
  last_frame_ = kNone;
  return true;
}

Result<bool> FrameScan::next(const ReadFile& file, std::uint64_t size_bytes, bool settled, FrameBlock& block) {
  block.found.frames.clear();
  block.found.misfits.clear();
  block.damage.clear();
  tail_ = {};
  while (offset_ < size_bytes) {
    auto filled = fill(file, size_bytes, block);
    if (!filled.ok()) return filled.status();
    if (*filled == 0) break;  // cut since it was looked at
    const wire::WalkEnd end = walk(block, *filled);
    if (!block.found.frames.empty()) {
      block_bytes_ = kBlockBytes;
      return true;
    }
    const bool is_more = *filled < size_bytes - offset_ && needed_bytes_ <= size_bytes - offset_;
    if (end == wire::WalkEnd::kNeedsMore && is_more) continue;
    if (end == wire::WalkEnd::kNeedsMore && !settled) {
      tail_ = {TailKind::kTorn, size_bytes - offset_};
      return false;
    }
    auto found = skip_damage(file, size_bytes, block);
    if (!found.ok()) return found.status();
    if (!*found) {
      if (end == wire::WalkEnd::kNeedsMore) tail_.kind = TailKind::kTorn;
      return false;
    }
  }
  return false;
}

}  // namespace tensortap::store
