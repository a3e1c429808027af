// Turning dimensions round and sorting them.
#include "stats/memory_order.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tensortap::stats {
namespace {

struct Dimension {
  std::int64_t extent;
  std::int64_t stride_bytes;

  // Broadcast dimensions before all others: repeating a whole sweep beats repeating one element.
  std::int64_t rank() const { return stride_bytes == 0 ? std::numeric_limits<std::int64_t>::max() : stride_bytes; }
};

}  // namespace

TensorView in_memory_order(const TensorView& view) {
  if (view.is_contiguous()) return view;
  const auto* start = static_cast<const std::byte*>(view.data);
  std::vector<Dimension> dimensions;
  dimensions.reserve(view.shape.size());
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    Dimension dimension = {view.shape[axis], view.strides_bytes[axis]};
    if (dimension.extent == 1) continue;
    if (dimension.stride_bytes < 0) {
      start += (dimension.extent - 1) * dimension.stride_bytes;
      dimension.stride_bytes = -dimension.stride_bytes;
    }
    dimensions.push_back(dimension);
  }
  std::stable_sort(dimensions.begin(), dimensions.end(),
                   [](const Dimension& a, const Dimension& b) { return a.rank() > b.rank(); });
  TensorView ordered{start, view.dtype, {}, {}};
  for (const Dimension& dimension : dimensions) {
    ordered.shape.push_back(dimension.extent);
    ordered.strides_bytes.push_back(dimension.stride_bytes);
  }
  return ordered;
}

}  // namespace tensortap::stats
