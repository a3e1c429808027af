// DType: the element types of a tensor.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tensortap/export.h"
#include "tensortap/result.h"

namespace tensortap {

// The numbers are TensorFlow's DataType and stand in files: never renumber.
enum class DType : std::uint8_t {
  kInvalid = 0,
  kFloat32 = 1,
  kFloat64 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kBfloat16 = 14,
  kUint16 = 17,
  kComplex128 = 18,
  kFloat16 = 19,
  kUint32 = 22,
  kUint64 = 23,
  kFloat8E5m2 = 24,
  kFloat8E4m3fn = 25,
  kFloat8E4m3fnuz = 26,
  kFloat8E4m3b11fnuz = 27,
  kFloat8E5m2fnuz = 28,
  kInt4 = 29,   // one element a byte, as TensorFlow and ml_dtypes hold it
  kUint4 = 30,  // one element a byte
};

// Bytes of one element; 0 for kInvalid and kString, whose elements have no fixed size.
TENSORTAP_API std::size_t dtype_size_bytes(DType dtype);

// The NumPy / TensorFlow name: "float32", "bfloat16", "float8_e4m3fn".
TENSORTAP_API std::string_view dtype_name(DType dtype);

// The inverse of dtype_name. kInvalidArgument lists the names that exist.
TENSORTAP_API Result<DType> dtype_from_name(std::string_view name);

// kInvalid for a number that names none of ours.
TENSORTAP_API DType dtype_from_number(std::uint64_t untrusted_number);

// DType of a C++ element type: dtype_of<float>() is kFloat32.
template <typename T>
constexpr DType dtype_of();

template <> constexpr DType dtype_of<float>() { return DType::kFloat32; }
template <> constexpr DType dtype_of<double>() { return DType::kFloat64; }
template <> constexpr DType dtype_of<std::int8_t>() { return DType::kInt8; }
template <> constexpr DType dtype_of<std::int16_t>() { return DType::kInt16; }
template <> constexpr DType dtype_of<std::int32_t>() { return DType::kInt32; }
template <> constexpr DType dtype_of<std::int64_t>() { return DType::kInt64; }
template <> constexpr DType dtype_of<std::uint8_t>() { return DType::kUint8; }
template <> constexpr DType dtype_of<std::uint16_t>() { return DType::kUint16; }
template <> constexpr DType dtype_of<std::uint32_t>() { return DType::kUint32; }
template <> constexpr DType dtype_of<std::uint64_t>() { return DType::kUint64; }
template <> constexpr DType dtype_of<bool>() { return DType::kBool; }
template <> constexpr DType dtype_of<std::complex<float>>() { return DType::kComplex64; }
template <> constexpr DType dtype_of<std::complex<double>>() { return DType::kComplex128; }

}  // namespace tensortap
