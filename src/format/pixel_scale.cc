// PixelScale: how the value of an element becomes the brightness of a pixel.
#include "format/pixel_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "format/values.h"

namespace tensortap::format {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The nearest float16 of a product far from its limits: 11 significant bits, ties to even.
float round_to_float16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  bits += 0x0fffu + ((bits >> 13) & 1u);
  return std::bit_cast<float>(bits & ~0x1fffu);
}

}  // namespace

void ValueRange::add(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void ValueRange::add(const ValueRange& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

ValueRange range_of(const TensorView& view) {
  ValueRange range;
  for_each_block(view, [&range](std::uint64_t, std::span<const double> values) {
    for (const double value : values) range.add(value);
  });
  return range;
}

bool needs_range(PixelScale scale) { return scale == PixelScale::kMinMax || scale == PixelScale::kSymmetric; }

PixelScaler::PixelScaler(PixelScale scale, DType dtype, const ValueRange& range) {
  const double low = range.empty() ? 0 : range.low;
  const double high = range.empty() ? 0 : range.high;
  const double magnitude = std::max(std::abs(low), std::abs(high));
  switch (scale) {
    case PixelScale::kMinMax: fit_range(low, high); break;
    case PixelScale::kSymmetric: fit_range(-magnitude, magnitude); break;
    case PixelScale::kUnit: fit_unit(dtype); break;
    case PixelScale::kAuto: fit_dtype(dtype); break;
  }
}

void PixelScaler::fit_dtype(DType dtype) {
  if (is_float(dtype)) fit_unit(dtype);
  if (dtype == DType::kBool) gain_ = 255;
  // As TensorFlow does: 65535 becomes 255, and all steps are equal.
  if (dtype == DType::kUint16) gain_ = 1.0 / 256;
}

void PixelScaler::fit_range(double low, double high) {
  bias_ = 0.5;  // truncation after it rounds to nearest
  gain_ = 255;
  if (low == high) {
    gain_ = 0;
    bias_ = 128;
    return;
  }
  // The distance between two doubles may be no double; that of their halves is.
  shrink_ = std::isfinite(high - low) ? 1.0 : 0.5;
  offset_ = low * shrink_;
  width_ = high * shrink_ - offset_;
}

// TensorFlow multiplies by 255.5 in the dtype of the image and truncates. So must we, to give equal bytes:
// 255.5 is 256 in bfloat16, and products are rounded to the dtype before they are truncated.
void PixelScaler::fit_unit(DType dtype) {
  gain_ = dtype == DType::kBfloat16 ? 256 : 255.5;
  if (dtype == DType::kFloat32) rounding_ = Rounding::kFloat32;
  if (dtype == DType::kFloat16) rounding_ = Rounding::kFloat16;
}

template <PixelScaler::Rounding rounding>
std::uint8_t PixelScaler::byte_as(double value) const {
  double scaled = (value * shrink_ - offset_) / width_ * gain_;
  if constexpr (rounding == Rounding::kFloat32) scaled = static_cast<float>(scaled);
  if constexpr (rounding == Rounding::kFloat16) scaled = round_to_float16(static_cast<float>(scaled));
  scaled += bias_;
  // Infinity times a gain of 0 is NaN: decide by the value itself.
  if (value == kInfinity) scaled = 255;
  if (value == -kInfinity) scaled = 0;
  scaled = scaled > 0 ? scaled : 0;  // NaN ends here as well
  scaled = scaled < 255 ? scaled : 255;
  return static_cast<std::uint8_t>(static_cast<int>(scaled));
}

std::uint8_t PixelScaler::byte(double value) const {
  switch (rounding_) {
    case Rounding::kFloat32: return byte_as<Rounding::kFloat32>(value);
    case Rounding::kFloat16: return byte_as<Rounding::kFloat16>(value);
    case Rounding::kNone: break;
  }
  return byte_as<Rounding::kNone>(value);
}

void PixelScaler::map(std::span<const double> values, std::uint8_t* bytes) const {
  // Local, because a byte pointer may alias the members and would have them loaded again for each pixel.
  const PixelScaler scaler = *this;
  const auto map_as = [&]<Rounding rounding>() {
    for (std::size_t i = 0; i < values.size(); ++i) bytes[i] = scaler.byte_as<rounding>(values[i]);
  };
  switch (rounding_) {
    case Rounding::kFloat32: return map_as.template operator()<Rounding::kFloat32>();
    case Rounding::kFloat16: return map_as.template operator()<Rounding::kFloat16>();
    case Rounding::kNone: return map_as.template operator()<Rounding::kNone>();
  }
}

}  // namespace tensortap::format
