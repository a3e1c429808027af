// The conversion loops, left to the compiler to vectorise for each instruction set.
#include "stats/widen_kernel.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "tensor/half.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/widen_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tensortap::stats {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename From, typename To>
HWY_INLINE void convert(const void* from, std::size_t count, To* HWY_RESTRICT to) {
  const From* HWY_RESTRICT values = static_cast<const From*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<To>(values[i]);
}

// Squares of floats are exact doubles that neither overflow nor underflow, so this needs no hypot.
HWY_INLINE float float_magnitude(float real, float imaginary) {
  const auto re = static_cast<double>(real);
  const auto im = static_cast<double>(imaginary);
  constexpr float kLargest = std::numeric_limits<float>::max();
  const double magnitude = std::sqrt(re * re + im * im);
  // Two floats of the largest size give 1.5 times that size; an infinite part gives Inf.
  const bool clamped = magnitude > static_cast<double>(kLargest) && magnitude < 0x1p129;
  return clamped ? kLargest : static_cast<float>(magnitude);
}

HWY_INLINE void take_magnitudes(const void* from, std::size_t count, float* HWY_RESTRICT to) {
  const float* HWY_RESTRICT parts = static_cast<const float*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = float_magnitude(parts[2 * i], parts[2 * i + 1]);
}

HWY_INLINE double double_magnitude(double real, double imaginary) {
  // Alone, hypot(Inf, NaN) is Inf.
  if (std::isnan(real) || std::isnan(imaginary)) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = std::hypot(real, imaginary);
  const bool overflowed = std::isinf(magnitude) && !std::isinf(real) && !std::isinf(imaginary);
  return overflowed ? std::numeric_limits<double>::max() : magnitude;
}

HWY_INLINE void take_magnitudes(const void* from, std::size_t count, double* HWY_RESTRICT to) {
  const double* HWY_RESTRICT parts = static_cast<const double*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = double_magnitude(parts[2 * i], parts[2 * i + 1]);
}

HWY_INLINE void convert_float16(const void* from, std::size_t count, float* HWY_RESTRICT to) {
  const std::uint16_t* HWY_RESTRICT bits = static_cast<const std::uint16_t*>(from);
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  // These have an instruction for it. On others Highway 1.0.3 makes finite numbers of Inf and NaN.
  const hn::CappedTag<float, 16> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> halves;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto* half = reinterpret_cast<const hwy::float16_t*>(bits + i);
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(halves, half)), d, to + i);
  }
#endif
  for (; i < count; ++i) to[i] = tensor::float_from_float16(bits[i]);
}

HWY_INLINE void convert_bfloat16(const void* from, std::size_t count, float* HWY_RESTRICT to) {
  const std::uint16_t* HWY_RESTRICT bits = static_cast<const std::uint16_t*>(from);
  for (std::size_t i = 0; i < count; ++i) to[i] = tensor::float_from_bfloat16(bits[i]);
}

void widen_to_floats(DType dtype, const void* from, std::size_t count, float* to) {
  switch (dtype) {
    case DType::kFloat16: return convert_float16(from, count, to);
    case DType::kBfloat16: return convert_bfloat16(from, count, to);
    case DType::kInt16: return convert<std::int16_t>(from, count, to);
    case DType::kUint16: return convert<std::uint16_t>(from, count, to);
    case DType::kComplex64: return take_magnitudes(from, count, to);
    default: return convert<float>(from, count, to);
  }
}

void widen_to_doubles(DType dtype, const void* from, std::size_t count, double* to) {
  switch (dtype) {
    case DType::kInt32: return convert<std::int32_t>(from, count, to);
    case DType::kUint32: return convert<std::uint32_t>(from, count, to);
    case DType::kInt64: return convert<std::int64_t>(from, count, to);
    case DType::kUint64: return convert<std::uint64_t>(from, count, to);
    case DType::kComplex128: return take_magnitudes(from, count, to);
    default: return convert<double>(from, count, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tensortap::stats
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tensortap::stats {

HWY_EXPORT(widen_to_floats);
HWY_EXPORT(widen_to_doubles);

void widen(DType dtype, const void* from, std::size_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(widen_to_floats)(dtype, from, count, to);
}

void widen(DType dtype, const void* from, std::size_t count, double* to) {
  HWY_DYNAMIC_DISPATCH(widen_to_doubles)(dtype, from, count, to);
}

bool needs_doubles(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kInt32:
    case DType::kUint32:
    case DType::kInt64:
    case DType::kUint64:
    case DType::kComplex128: return true;
    default: return false;
  }
}

}  // namespace tensortap::stats
#endif  // HWY_ONCE
