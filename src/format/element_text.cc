// ElementText: one case for each dtype.
#include "format/element_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "format/number_text.h"
#include "format/values.h"

namespace tensortap::format {
namespace {

void append_float(std::string& out, float number) {
  if (!std::isfinite(number)) return append_number(out, static_cast<double>(number));
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

template <typename T>
T element_at(const TensorView& tensor, std::uint64_t index) {
  T element;
  std::memcpy(&element, static_cast<const std::byte*>(tensor.data) + index * sizeof(T), sizeof(T));
  return element;
}

}  // namespace

std::uint64_t parts_of_element(DType dtype) {
  return dtype == DType::kComplex64 || dtype == DType::kComplex128 ? 2 : 1;
}

void append_element(std::string& out, const TensorView& tensor, std::uint64_t index, std::uint64_t part) {
  switch (tensor.dtype) {
    case DType::kInt64: return append_number(out, element_at<std::int64_t>(tensor, index));
    case DType::kUint64: return append_number(out, element_at<std::uint64_t>(tensor, index));
    case DType::kFloat64: return append_number(out, element_at<double>(tensor, index));
    case DType::kFloat32: return append_float(out, element_at<float>(tensor, index));
    case DType::kComplex64: return append_float(out, element_at<float>(tensor, 2 * index + part));
    case DType::kComplex128: return append_number(out, element_at<double>(tensor, 2 * index + part));
    default: break;
  }
  double value = 0;
  read_values(tensor, index, 1, &value);
  if (is_float(tensor.dtype)) return append_float(out, static_cast<float>(value));
  append_number(out, static_cast<std::int64_t>(value));  // at most 32 bits
}

void append_whole_element(std::string& out, const TensorView& tensor, std::uint64_t index) {
  if (parts_of_element(tensor.dtype) == 1) return append_element(out, tensor, index);
  out += '(';
  append_element(out, tensor, index, 0);
  std::string imaginary;
  append_element(imaginary, tensor, index, 1);
  if (!imaginary.starts_with('-')) out += '+';
  out += imaginary + "j)";
}

}  // namespace tensortap::format
