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
  // Keys kZero - normal to kZero + normal - 1 are the magnitudes below the smallest normal one.
  constexpr unsigned kZero = Histogram::kMagnitudes;
  const unsigned normal = magnitude_of(static_cast<float>(smallest_normal));
  KeyClasses classes;
  for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
    const unsigned key = histogram.keys[i];
    const std::uint64_t count = histogram.counts[i];
    classes.total += count;
    classes.negatives += key < kZero ? count : 0;
    classes.subnormals += key + normal - kZero < 2 * normal ? count : 0;
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
