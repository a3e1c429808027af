// PixelScale: how the value of an element becomes the brightness of a pixel.
//
//   scale       value                    byte
//   kUnit       0 .. 1                   0 .. 255, as tf.image.convert_image_dtype(saturate=True)
//   kMinMax     low .. high              0 .. 255, rounded to nearest; 128 everywhere if low == high
//   kSymmetric  -m .. m, m = max|value|  0 .. 255, rounded to nearest; 0 gives 128
//
// Values outside are clipped: +Inf is white and -Inf is black on every scale.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "tensortap/tensor_view.h"

namespace tensortap::format {

enum class PixelScale {
  kAuto,  // uint8 as it is; bool 0 or 255; uint16 / 256; other integers clipped to 0..255; floats kUnit
  kUnit,
  kMinMax,
  kSymmetric,
};

// The least and the greatest finite value seen.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value);  // ignores NaN and infinities
  void add(const ValueRange& other);
  bool empty() const { return low > high; }
};

// Of all elements; needs check_values() to be ok.
ValueRange range_of(const TensorView& view);

// True for the scales that look at the range, so that the others need no pass over the values.
bool needs_range(PixelScale scale);

// A scale fitted to one dtype and one range.
//
// Threads:  a value without changing state; share it freely.
// Failure:  cannot. NaN gives 0: whoever draws paints it in the NaN colour.
// Lifetime: owns nothing.
class PixelScaler {
 public:
  // An empty range, of an image without finite values, is taken as 0..0.
  PixelScaler(PixelScale scale, DType dtype, const ValueRange& range);

  std::uint8_t byte(double value) const;

  // bytes[i] = byte(values[i]); the loop for whole images.
  void map(std::span<const double> values, std::uint8_t* bytes) const;

 private:
  enum class Rounding { kNone, kFloat32, kFloat16 };

  void fit_dtype(DType dtype);
  void fit_range(double low, double high);
  void fit_unit(DType dtype);
  template <Rounding rounding>
  std::uint8_t byte_as(double value) const;

  // byte = truncate(round((value * shrink_ - offset_) / width_ * gain_) + bias_), clipped
  double shrink_ = 1;
  double offset_ = 0;
  double width_ = 1;
  double gain_ = 1;
  double bias_ = 0;
  Rounding rounding_ = Rounding::kNone;
};

}  // namespace tensortap::format
