// The tables of the one-byte dtypes, built once from the formats' definitions.
#include "tensor/float8.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tensortap::tensor {
namespace {

using ByteValues = std::array<float, 256>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// What the patterns at the end of the number range stand for.
enum class Specials { kIeee, kOneNanPerSign, kNegativeZeroIsNan };

struct Float8Format {
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr Float8Format kE5m2 = {2, 15, Specials::kIeee};
constexpr Float8Format kE4m3fn = {3, 7, Specials::kOneNanPerSign};
constexpr Float8Format kE4m3fnuz = {3, 8, Specials::kNegativeZeroIsNan};
constexpr Float8Format kE4m3b11fnuz = {3, 11, Specials::kNegativeZeroIsNan};
constexpr Float8Format kE5m2fnuz = {2, 16, Specials::kNegativeZeroIsNan};

float magnitude_of(int magnitude_bits, const Float8Format& format) {
  const int mantissa_one = 1 << format.mantissa_bits;
  const int mantissa = magnitude_bits & (mantissa_one - 1);
  const int exponent = magnitude_bits >> format.mantissa_bits;
  const int largest_exponent = 127 >> format.mantissa_bits;
  if (format.specials == Specials::kIeee && exponent == largest_exponent) return mantissa == 0 ? kInf : kNan;
  if (format.specials == Specials::kOneNanPerSign && magnitude_bits == 127) return kNan;
  // Subnormals have the exponent of the smallest normals, without the leading one.
  const int significand = exponent == 0 ? mantissa : mantissa_one + mantissa;
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa_bits;
  return std::ldexp(static_cast<float>(significand), scale);
}

ByteValues float8_values(const Float8Format& format) {
  ByteValues values;
  for (int magnitude = 0; magnitude < 128; ++magnitude) {
    const float value = magnitude_of(magnitude, format);
    values[static_cast<std::size_t>(magnitude)] = value;
    values[static_cast<std::size_t>(magnitude) + 128] = -value;
  }
  if (format.specials == Specials::kNegativeZeroIsNan) values[0x80] = kNan;
  return values;
}

template <typename ValueOfByte>
ByteValues values_by(ValueOfByte value_of_byte) {
  ByteValues values;
  for (int byte = 0; byte < 256; ++byte) {
    values[static_cast<std::size_t>(byte)] = static_cast<float>(value_of_byte(byte));
  }
  return values;
}

int signed_nibble(int byte) { return (byte & 15) < 8 ? byte & 15 : (byte & 15) - 16; }

double float8_smallest_normal(const Float8Format& format) { return std::ldexp(1.0, 1 - format.bias); }

}  // namespace

const ByteValues& byte_values(DType dtype) {
  static const ByteValues uint8 = values_by([](int byte) { return byte; });
  static const ByteValues int8 = values_by([](int byte) { return byte < 128 ? byte : byte - 256; });
  static const ByteValues boolean = values_by([](int byte) { return byte != 0 ? 1 : 0; });
  static const ByteValues int4 = values_by(signed_nibble);
  static const ByteValues uint4 = values_by([](int byte) { return byte & 15; });
  static const ByteValues e5m2 = float8_values(kE5m2);
  static const ByteValues e4m3fn = float8_values(kE4m3fn);
  static const ByteValues e4m3fnuz = float8_values(kE4m3fnuz);
  static const ByteValues e4m3b11fnuz = float8_values(kE4m3b11fnuz);
  static const ByteValues e5m2fnuz = float8_values(kE5m2fnuz);
  static const ByteValues none = values_by([](int) { return kNan; });
  switch (dtype) {
    case DType::kUint8: return uint8;
    case DType::kInt8: return int8;
    case DType::kBool: return boolean;
    case DType::kInt4: return int4;
    case DType::kUint4: return uint4;
    case DType::kFloat8E5m2: return e5m2;
    case DType::kFloat8E4m3fn: return e4m3fn;
    case DType::kFloat8E4m3fnuz: return e4m3fnuz;
    case DType::kFloat8E4m3b11fnuz: return e4m3b11fnuz;
    case DType::kFloat8E5m2fnuz: return e5m2fnuz;
    default: return none;
  }
}

double smallest_normal(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
    case DType::kComplex128: return std::numeric_limits<double>::min();
    case DType::kFloat32:
    case DType::kBfloat16:
    case DType::kComplex64: return static_cast<double>(std::numeric_limits<float>::min());
    case DType::kFloat16: return 0x1p-14;
    case DType::kFloat8E5m2: return float8_smallest_normal(kE5m2);
    case DType::kFloat8E4m3fn: return float8_smallest_normal(kE4m3fn);
    case DType::kFloat8E4m3fnuz: return float8_smallest_normal(kE4m3fnuz);
    case DType::kFloat8E4m3b11fnuz: return float8_smallest_normal(kE4m3b11fnuz);
    case DType::kFloat8E5m2fnuz: return float8_smallest_normal(kE5m2fnuz);
    default: return 0;
  }
}

}  // namespace tensortap::tensor
