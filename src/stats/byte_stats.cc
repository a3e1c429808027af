// Counting bytes, and weighing each byte's value by its count.
#include "stats/byte_stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "stats/finish.h"
#include "stats/linear_grid.h"
#include "tensor/float8.h"
#include "tensor/gather.h"

namespace tensortap::stats {
namespace {

using ByteCounts = std::array<std::uint64_t, 256>;

// Four 32-bit counters per byte: equal neighbours need not wait for each other's store, and cannot
// overflow within a stretch.
constexpr std::uint64_t kStretch = std::uint64_t{1} << 30;

void count_stretch(const unsigned char* bytes, std::size_t size, ByteCounts& counts) {
  if (size <= 256) {
    for (std::size_t i = 0; i < size; ++i) ++counts[bytes[i]];
    return;
  }
  std::array<std::array<std::uint32_t, 4>, 256> lanes{};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, sizeof(word));
    for (unsigned k = 0; k < 8; ++k) ++lanes[(word >> (8 * k)) & 255u][k % 4];
  }
  for (; i < size; ++i) ++lanes[bytes[i]][0];
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (const std::uint32_t count : lanes[byte]) counts[byte] += count;
  }
}

ByteCounts count_bytes(const TensorView& view, Workspace& workspace) {
  ByteCounts counts{};
  const std::uint64_t count = view.element_count();
  const bool in_place = view.is_contiguous();
  const std::uint64_t stretch = in_place ? kStretch : workspace.gathered.size();
  for (std::uint64_t first = 0; first < count; first += stretch) {
    const std::uint64_t size = std::min(stretch, count - first);
    const auto* bytes = static_cast<const unsigned char*>(view.data) + first;
    if (!in_place) {
      tensor::gather(view, first, size, workspace.gathered.data());
      bytes = reinterpret_cast<const unsigned char*>(workspace.gathered.data());
    }
    count_stretch(bytes, size, counts);
  }
  return counts;
}

// Calls body(value, count) for each byte that occurs and stands for a finite value.
template <typename Body>
void for_each_finite(const ByteCounts& counts, const std::array<float, 256>& values, Body body) {
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (counts[byte] != 0 && std::isfinite(values[byte])) body(static_cast<double>(values[byte]), counts[byte]);
  }
}

}  // namespace

TensorStats compute_byte_stats(const TensorView& view, Workspace& workspace) {
  const ByteCounts counts = count_bytes(view, workspace);
  const std::array<float, 256>& values = tensor::byte_values(view.dtype);
  Totals totals;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (counts[byte] != 0) totals.add_value(static_cast<double>(values[byte]), counts[byte]);
  }
  for_each_finite(counts, values, [&](double value, std::uint64_t count) {
    if (value != 0) workspace.keys.add(log_key(value), count);
  });
  TensorStats stats = finish(totals, view.dtype, workspace.keys);
  if (!(stats.min < stats.max)) return stats;

  const long double mean = totals.sum / static_cast<long double>(totals.finite_count());
  long double squared_deviations = 0;
  CellCounts cells{};
  const std::optional<LinearGrid> grid = choose_linear_grid(stats.min, stats.max);
  for_each_finite(counts, values, [&](double value, std::uint64_t count) {
    const long double deviation = static_cast<long double>(value) - mean;
    squared_deviations += static_cast<long double>(count) * deviation * deviation;
    if (grid) cells[static_cast<std::size_t>(grid->cell(value))] += count;
  });
  stats.squared_deviations = static_cast<double>(squared_deviations);
  if (grid) write_linear(*grid, cells, stats.histogram);
  return stats;
}

}  // namespace tensortap::stats
