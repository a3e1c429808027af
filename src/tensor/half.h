// Conversions between float32 and the two 16-bit float formats, on their bit patterns.
//
//   float16   sign 1, exponent 5 (bias 15), mantissa 10
//   bfloat16  sign 1, exponent 8 (bias 127), mantissa 7: the upper half of a float32
//
// Free of branches where loops over them should become vector code.
#pragma once

#include <bit>
#include <cstdint>

namespace tensortap::tensor {

inline float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline float float_from_float16(std::uint16_t bits) {
  constexpr std::uint32_t kExponent = 0x7c00u << 13;
  constexpr float kRebias = 0x1p112f;  // 127 - 15; normalises subnormals on the way
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fffu) << 13;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * kRebias);
  const std::uint32_t special = magnitude | 0x7f800000u;
  return std::bit_cast<float>(sign | (magnitude >= kExponent ? special : finite));
}

// Rounds to nearest even; NaN stays NaN.
inline std::uint16_t bfloat16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>((bits >> 16) | 0x0040u);
  const std::uint32_t odd = (bits >> 16) & 1u;
  return static_cast<std::uint16_t>((bits + 0x7fffu + odd) >> 16);
}

// Rounds to nearest even; too large becomes Inf; NaN stays NaN.
inline std::uint16_t float16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  // 65520 is half-way between the largest float16 and the first that is not.
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves the value in the low bits of the sum, rounded by the adder.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  const std::uint32_t rounded = magnitude + 0x0fffu + odd - (112u << 23);
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

}  // namespace tensortap::tensor
