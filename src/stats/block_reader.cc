// Reading blocks: in place, gathered, converted, or both.
#include "stats/block_reader.h"

#include "stats/widen_kernel.h"
#include "tensor/gather.h"

namespace tensortap::stats {
namespace {

// Rows of packed records can start anywhere; reading them in place would be undefined.
bool is_aligned(const TensorView& view) {
  const std::size_t size = dtype_size_bytes(view.dtype);
  const std::size_t alignment = size < 8 ? size : 8;
  return reinterpret_cast<std::uintptr_t>(view.data) % alignment == 0;
}

}  // namespace

BlockReader::BlockReader(const TensorView& view, Workspace& workspace)
    : view_(view),
      workspace_(workspace),
      count_(view.element_count()),
      in_place_(view.is_contiguous() && is_aligned(view)) {}

const void* BlockReader::read_raw(std::uint64_t first, std::size_t size) {
  if (in_place_) return static_cast<const std::byte*>(view_.data) + first * dtype_size_bytes(view_.dtype);
  tensor::gather(view_, first, size, workspace_.gathered.data());
  return workspace_.gathered.data();
}

template <typename T>
const T* BlockReader::read(std::uint64_t first, std::size_t size) {
  const void* raw = read_raw(first, size);
  if (view_.dtype == dtype_of<T>()) return static_cast<const T*>(raw);
  auto* converted = reinterpret_cast<T*>(workspace_.converted.data());
  widen(view_.dtype, raw, size, converted);
  return converted;
}

template const float* BlockReader::read<float>(std::uint64_t, std::size_t);
template const double* BlockReader::read<double>(std::uint64_t, std::size_t);

}  // namespace tensortap::stats
