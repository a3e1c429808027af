// TensorFlow's TensorProto, in all its ways of holding values.
//
//   TensorProto := dtype:1 tensor_shape:2 (tensor_content:4 | one typed list, by dtype)
//   typed lists := float_val:5 double_val:6 int_val:7 string_val:8 scomplex_val:9 int64_val:10 bool_val:11
//                  dcomplex_val:12 half_val:13 uint32_val:16 uint64_val:17 float8_val:18
//
// As TensorFlow reads it: tensor_content counts where it is not empty; a typed list shorter than the shape repeats its
// last value, an empty one means zeroes. Lists longer than the shape are damage. Lists may be packed or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::event {

// A tensor beyond this is not decoded: TensorFlow writes none, since a protobuf message ends there.
inline constexpr std::uint64_t kMaxDenseBytes = std::uint64_t{1} << 31;
// Nor one beyond this whose list is shorter than its shape: a few bytes must not become gigabytes.
inline constexpr std::uint64_t kMaxRepeatedBytes = std::uint64_t{256} << 20;

// The number of a tensor that holds exactly one real number, of whatever rank; bool counts as 0 or 1.
// nullopt for strings, complex numbers, other sizes and damage. Neither allocates nor throws where the bytes are those
// that summary writers write for a float.
std::optional<double> scalar_of_tensor(std::string_view untrusted);

struct TensorHead {
  DType dtype = DType::kInvalid;  // also for numbers that we have no dtype for, such as quantized ones
  Shape shape;
};

// kCorrupt for damage, an unknown rank and negative extents. Reads no values.
Result<TensorHead> tensor_head(std::string_view untrusted);

struct DecodedTensor {
  DType dtype = DType::kInvalid;
  Shape shape;
  std::vector<std::byte> data;  // row-major, little-endian; empty for strings
  std::vector<std::string> strings;
};

// kCorrupt as tensor_head(), and where values and shape do not agree.
// kUnsupported for dtypes that are none of ours, and for tensors beyond the limits above: no memory is asked for then.
Result<DecodedTensor> decode_tensor_proto(std::string_view untrusted);

// The strings of a DT_STRING tensor as they stand in it, nothing repeated; nullopt for other dtypes and damage.
// The views point into `untrusted`.
std::optional<std::vector<std::string_view>> strings_of_tensor(std::string_view untrusted);

}  // namespace tensortap::event
