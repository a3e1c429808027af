// compute_stats(): one pass over blocks, and a second where the values lie close together.
#include "stats/compute_stats.h"

#include "stats/block_reader.h"
#include "stats/byte_stats.h"
#include "stats/exact_subnormals.h"
#include "stats/finish.h"
#include "stats/linear_kernel.h"
#include "stats/memory_order.h"
#include "stats/totals.h"
#include "stats/widen_kernel.h"
#include "stats/workspace.h"

namespace tensortap {
namespace stats {
namespace {

// Up to this many elements, finding the occupied buckets would take longer than filling them.
constexpr std::uint64_t kSmallTensor = 64;

template <typename T>
Totals add_blocks(BlockReader& reader, Workspace& workspace, std::uint64_t drain_every) {
  Totals totals;
  BucketTable* table = reader.count() > kSmallTensor ? &workspace.table : nullptr;
  std::uint64_t in_table = 0;
  for_each_block<T>(reader, [&](const T* values, std::size_t size) {
    totals.add_block(values, size, table, workspace.keys);
    in_table += size;
    if (table != nullptr && in_table >= drain_every) {
      table->drain(kAllBuckets, workspace.keys);
      in_table = 0;
    }
  });
  if (table != nullptr) table->drain(totals.bucket_range(), workspace.keys);
  return totals;
}

template <typename T>
void use_linear_grid(BlockReader& reader, const Totals& totals, const LinearGrid& grid, TensorStats& stats) {
  LinearPass pass;
  pass.grid = grid;
  // Rounded to T, so that deviations of narrow floats are exact.
  pass.center = static_cast<double>(static_cast<T>(totals.sum / static_cast<long double>(totals.finite_count())));
  for_each_block<T>(reader, [&](const T* values, std::size_t size) { add_linear_block(values, size, pass); });
  write_linear(grid, pass.cell_counts(), stats.histogram);
  stats.squared_deviations = pass.squared_deviations_from_mean(totals.finite_count());
}

template <typename T>
TensorStats compute_wide_stats(const TensorView& view, Workspace& workspace, std::uint64_t drain_every) {
  BlockReader reader(view, workspace);
  const Totals totals = add_blocks<T>(reader, workspace, drain_every);
  TensorStats stats = finish(totals, view.dtype, workspace.keys);
  const std::optional<LinearGrid> grid = choose_linear_grid(totals.min, totals.max);
  if (grid) use_linear_grid<T>(reader, totals, *grid, stats);
  return stats;
}

TensorStats compute_valid_stats(const TensorView& view, std::uint64_t drain_every) {
  Workspace& workspace = thread_workspace();
  if (dtype_size_bytes(view.dtype) == 1) return compute_byte_stats(view, workspace);
  if (needs_doubles(view.dtype)) return compute_wide_stats<double>(view, workspace, drain_every);
  return compute_wide_stats<float>(view, workspace, drain_every);
}

}  // namespace

Result<TensorStats> compute_stats(const TensorView& view, std::uint64_t drain_every) {
  if (const Status status = view.validate(); !status.ok()) return status;
  const ExactSubnormals exact_subnormals;
  if (view.is_contiguous()) return compute_valid_stats(view, drain_every);
  return compute_valid_stats(in_memory_order(view), drain_every);
}

}  // namespace stats

Result<TensorStats> compute_stats(const TensorView& view) { return stats::compute_stats(view, stats::kDrainEvery); }

}  // namespace tensortap
