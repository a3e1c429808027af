// Where a value falls on the histogram's two grids.
//
//   log grid     cell m >= 0 holds the positive magnitudes whose float32 bits >> 20 are m,
//                cell -1 - m the negative ones; key = cell + 2048
//   linear grid  cell c holds [c, c + 1) * 2^exponent; key = cell - base
//
// On both, cell c lies between edge c and edge c + 1, and coarser cells are c >> level.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tensortap/tensor_stats.h"

namespace tensortap::stats {

// float32 bits are shifted by this to give sign, exponent and 3 mantissa bits.
inline constexpr int kBucketShift = 23 - Histogram::kMantissaBits;

// Magnitudes from here on are Inf and NaN.
inline constexpr std::uint32_t kInfMagnitude = 255u << Histogram::kMantissaBits;

// Position in a table by raw float32 bits: sign bit and magnitude, 0 .. 4095.
inline std::uint32_t raw_bucket(float value) { return std::bit_cast<std::uint32_t>(value) >> kBucketShift; }

inline std::uint32_t magnitude_of(float value) {
  return raw_bucket(value) & static_cast<std::uint32_t>(Histogram::kMagnitudes - 1);
}

// The float32 that stands for a finite value on the log grid. Never turns a finite value into Inf, nor
// one that is not zero into zero.
inline float float_for_log_grid(double value) {
  constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max());
  constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
  const auto nearest = static_cast<float>(std::clamp(value, -kLargest, kLargest));
  return nearest == 0.0f && value != 0.0 ? std::copysign(kSmallest, static_cast<float>(value)) : nearest;
}

// The key of a raw bucket; of one that holds finite values.
inline std::uint16_t key_from_raw(std::uint32_t raw) {
  constexpr std::uint32_t kMagnitudes = Histogram::kMagnitudes;
  const bool negative = raw >= kMagnitudes;
  return static_cast<std::uint16_t>(negative ? 2 * kMagnitudes - 1 - raw : kMagnitudes + raw);
}

// The key of a finite value that is not zero.
inline std::uint16_t log_key(float value) { return key_from_raw(raw_bucket(value)); }
inline std::uint16_t log_key(double value) { return log_key(float_for_log_grid(value)); }

// The cell of histogram.keys[index].
std::int64_t cell_of(const Histogram& histogram, std::size_t index);

// The left edge of `cell`, where cells are 2^level of the histogram's together.
// Beyond the outermost cells of the log grid every edge is +-2^128.
double edge_of(const Histogram& histogram, std::int64_t cell, int level = 0);

}  // namespace tensortap::stats
