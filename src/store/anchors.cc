// Anchors: two small reads.
#include "store/anchors.h"

#include <algorithm>
#include <array>

#include "wire/crc32c.h"

namespace tensortap::store {
namespace {

constexpr std::uint64_t kAnchorBytes = 1024;

Result<std::uint32_t> crc_of(const ReadFile& file, std::uint64_t from, std::uint64_t count) {
  std::array<std::byte, kAnchorBytes> bytes;
  const std::span<std::byte> wanted = std::span(bytes).first(static_cast<std::size_t>(count));
  auto got = file.read(from, wanted);
  if (!got.ok()) return got.status();
  return wire::crc32c(wanted.first(*got));
}

}  // namespace

Result<Anchors> anchors_of(const ReadFile& file, std::uint64_t offset) {
  const std::uint64_t count = std::min(offset, kAnchorBytes);
  auto head = crc_of(file, 0, count);
  if (!head.ok()) return head.status();
  auto tail = crc_of(file, offset - count, count);
  if (!tail.ok()) return tail.status();
  return Anchors{offset, *head, *tail};
}

}  // namespace tensortap::store
