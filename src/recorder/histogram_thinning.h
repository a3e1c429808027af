// HistogramThinning: which of a tag's captured histograms TensorBoard gets.
#pragma once

#include <bit>
#include <cstdint>

namespace tensortap::recorder {

inline constexpr std::uint64_t kHistogramsBeforeThinning = 50;

// The first 50 of a tag, every 2nd up to 100, every 4th up to 200, every 8th up to 400, and so on: 25 more with every
// doubling. TensorBoard keeps 100 of them and draws 51, and the capture file has them all.
inline bool keeps_histogram(std::uint64_t index) {
  if (index < kHistogramsBeforeThinning) return true;
  const std::uint64_t stride = std::bit_floor(index / kHistogramsBeforeThinning) * 2;
  return index % stride == 0;
}

}  // namespace tensortap::recorder
