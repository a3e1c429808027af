// Gathering by runs: dimensions that continue each other count as one, the innermost is copied at once.
#include "tensor/gather.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace tensortap::tensor {
namespace {

struct Dimension {
  std::uint64_t extent;
  std::int64_t stride_bytes;
  std::uint64_t index = 0;
};

// From the innermost dimension outwards. A valid tensor has at most 2^60 elements, so no more than 60 of
// its extents exceed 1.
struct Walk {
  std::array<Dimension, 60> dimensions;
  std::size_t rank = 0;
  const std::byte* position = nullptr;
};

// Whether stepping past the end of `inner` lands where one step of the outer stride does.
bool continues(const Dimension& inner, std::int64_t outer_stride_bytes) {
  // Unsigned, as strides come from outside and may be absurd.
  return static_cast<std::uint64_t>(inner.stride_bytes) * inner.extent ==
         static_cast<std::uint64_t>(outer_stride_bytes);
}

Walk make_walk(const TensorView& view) {
  Walk walk;
  walk.position = static_cast<const std::byte*>(view.data);
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(view.shape[axis]);
    const std::int64_t stride_bytes = view.strides_bytes[axis];
    if (extent == 1) continue;
    if (walk.rank > 0 && continues(walk.dimensions[walk.rank - 1], stride_bytes)) {
      walk.dimensions[walk.rank - 1].extent *= extent;
      continue;
    }
    walk.dimensions[walk.rank++] = {extent, stride_bytes};
  }
  if (walk.rank == 0) walk.dimensions[walk.rank++] = {1, 0};
  return walk;
}

void move_to(Walk& walk, std::uint64_t element) {
  for (std::size_t i = 0; i < walk.rank; ++i) {
    Dimension& dimension = walk.dimensions[i];
    dimension.index = element % dimension.extent;
    element /= dimension.extent;
    walk.position += static_cast<std::int64_t>(dimension.index) * dimension.stride_bytes;
  }
}

// Advances by `steps` within the innermost dimension, and to the next outer index at its end.
void advance(Walk& walk, std::uint64_t steps) {
  walk.dimensions[0].index += steps;
  walk.position += static_cast<std::int64_t>(steps) * walk.dimensions[0].stride_bytes;
  for (std::size_t i = 0; i + 1 < walk.rank && walk.dimensions[i].index == walk.dimensions[i].extent; ++i) {
    walk.position -= static_cast<std::int64_t>(walk.dimensions[i].extent) * walk.dimensions[i].stride_bytes;
    walk.dimensions[i].index = 0;
    walk.dimensions[i + 1].index += 1;
    walk.position += walk.dimensions[i + 1].stride_bytes;
  }
}

// A size known to the compiler turns each memcpy into one load and one store.
template <std::size_t kSize>
void copy_strided(const std::byte* from, std::int64_t stride_bytes, std::uint64_t count, std::byte* to) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * kSize, from + static_cast<std::int64_t>(i) * stride_bytes, kSize);
  }
}

void copy_run(const std::byte* from, std::int64_t stride_bytes, std::uint64_t count, std::size_t size, std::byte* to) {
  if (stride_bytes == static_cast<std::int64_t>(size)) {
    std::memcpy(to, from, count * size);
    return;
  }
  switch (size) {
    case 1: return copy_strided<1>(from, stride_bytes, count, to);
    case 2: return copy_strided<2>(from, stride_bytes, count, to);
    case 4: return copy_strided<4>(from, stride_bytes, count, to);
    case 8: return copy_strided<8>(from, stride_bytes, count, to);
    default: return copy_strided<16>(from, stride_bytes, count, to);
  }
}

}  // namespace

void gather(const TensorView& view, std::uint64_t first, std::uint64_t count, void* out) {
  if (count == 0) return;
  const std::size_t size = dtype_size_bytes(view.dtype);
  auto* to = static_cast<std::byte*>(out);
  if (view.is_contiguous()) {
    std::memcpy(to, static_cast<const std::byte*>(view.data) + first * size, count * size);
    return;
  }
  Walk walk = make_walk(view);
  move_to(walk, first);
  while (count > 0) {
    const Dimension& inner = walk.dimensions[0];
    const std::uint64_t run = std::min(count, inner.extent - inner.index);
    copy_run(walk.position, inner.stride_bytes, run, size, to);
    to += run * size;
    count -= run;
    advance(walk, run);
  }
}

}  // namespace tensortap::tensor
