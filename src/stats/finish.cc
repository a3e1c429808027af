// Reading zeros, negatives and subnormals off the histogram, where they cost nothing per element.
#include "stats/finish.h"

#include "stats/histogram.h"
#include "tensor/float8.h"

namespace tensortap::stats {
namespace {

struct KeyClasses {
  std::uint64_t total = 0;
  std::uint64_t negatives = 0;
  std::uint64_t subnormals = 0;
};

// The smallest normal number of every dtype up to float32 is a power of two, and so a bucket's edge.
KeyClasses classify(const Histogram& histogram, double smallest_normal) {
  const auto normal = static_cast<std::int64_t>(magnitude_of(static_cast<float>(smallest_normal)));
  KeyClasses classes;
  for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
    const std::int64_t cell = cell_of(histogram, i);
    const std::int64_t magnitude = cell < 0 ? -1 - cell : cell;
    classes.total += histogram.counts[i];
    if (cell < 0) classes.negatives += histogram.counts[i];
    if (magnitude < normal) classes.subnormals += histogram.counts[i];
  }
  return classes;
}

}  // namespace

TensorStats finish(const Totals& totals, DType dtype, KeyCounts& keys) {
  TensorStats stats;
  totals.write_to(stats);
  keys.move_to(stats.histogram);
  const KeyClasses classes = classify(stats.histogram, tensor::smallest_normal(dtype));
  stats.zeros = stats.finite_count() - classes.total;
  stats.negatives = classes.negatives + stats.negative_inf;
  stats.subnormals = classes.subnormals + totals.subnormal_doubles;
  return stats;
}

}  // namespace tensortap::stats
