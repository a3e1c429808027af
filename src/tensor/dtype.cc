// DType's sizes and names, and the way back from a name or a number.
#include "tensortap/dtype.h"

#include <array>
#include <string>

namespace tensortap {
namespace {

struct Entry {
  DType dtype;
  std::size_t size_bytes;
  std::string_view name;
};

constexpr std::array<Entry, 23> kEntries = {{
    {DType::kFloat32, 4, "float32"},
    {DType::kFloat64, 8, "float64"},
    {DType::kFloat16, 2, "float16"},
    {DType::kBfloat16, 2, "bfloat16"},
    {DType::kFloat8E5m2, 1, "float8_e5m2"},
    {DType::kFloat8E4m3fn, 1, "float8_e4m3fn"},
    {DType::kFloat8E4m3fnuz, 1, "float8_e4m3fnuz"},
    {DType::kFloat8E4m3b11fnuz, 1, "float8_e4m3b11fnuz"},
    {DType::kFloat8E5m2fnuz, 1, "float8_e5m2fnuz"},
    {DType::kInt4, 1, "int4"},
    {DType::kInt8, 1, "int8"},
    {DType::kInt16, 2, "int16"},
    {DType::kInt32, 4, "int32"},
    {DType::kInt64, 8, "int64"},
    {DType::kUint4, 1, "uint4"},
    {DType::kUint8, 1, "uint8"},
    {DType::kUint16, 2, "uint16"},
    {DType::kUint32, 4, "uint32"},
    {DType::kUint64, 8, "uint64"},
    {DType::kBool, 1, "bool"},
    {DType::kComplex64, 8, "complex64"},
    {DType::kComplex128, 16, "complex128"},
    {DType::kString, 0, "string"},
}};

// By number, so that sizes and names cost one load: they are asked for with every tensor.
constexpr std::size_t kNumbers = 31;

constexpr std::array<Entry, kNumbers> entries_by_number() {
  std::array<Entry, kNumbers> by_number{};
  for (Entry& entry : by_number) entry = {DType::kInvalid, 0, "invalid"};
  for (const Entry& entry : kEntries) by_number[static_cast<std::size_t>(entry.dtype)] = entry;
  return by_number;
}

constexpr std::array<Entry, kNumbers> kByNumber = entries_by_number();

const Entry& entry_of(std::uint64_t untrusted_number) {
  return kByNumber[untrusted_number < kNumbers ? untrusted_number : 0];
}

}  // namespace

std::size_t dtype_size_bytes(DType dtype) { return entry_of(static_cast<std::uint64_t>(dtype)).size_bytes; }

std::string_view dtype_name(DType dtype) { return entry_of(static_cast<std::uint64_t>(dtype)).name; }

Result<DType> dtype_from_name(std::string_view name) {
  std::string known;
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.dtype;
    if (!known.empty()) known += ", ";
    known += entry.name;
  }
  return Status(StatusCode::kInvalidArgument, "no dtype is called \"" + std::string(name) + "\"; use one of: " + known);
}

DType dtype_from_number(std::uint64_t untrusted_number) { return entry_of(untrusted_number).dtype; }

}  // namespace tensortap
