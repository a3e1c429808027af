// NPY: a header by hand, then the elements.
#include "format/npy.h"

#include <algorithm>
#include <cstring>

#include "base/try.h"
#include "format/values.h"
#include "tensor/gather.h"

namespace tensortap::format {
namespace {

// As NumPy spells the dtypes that npy_dtype() gives; empty for the others.
std::string_view description_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return "<f2";
    case DType::kFloat32: return "<f4";
    case DType::kFloat64: return "<f8";
    case DType::kInt8: return "|i1";
    case DType::kInt16: return "<i2";
    case DType::kInt32: return "<i4";
    case DType::kInt64: return "<i8";
    case DType::kUint8: return "|u1";
    case DType::kUint16: return "<u2";
    case DType::kUint32: return "<u4";
    case DType::kUint64: return "<u8";
    case DType::kBool: return "|b1";
    case DType::kComplex64: return "<c8";
    case DType::kComplex128: return "<c16";
    default: return {};
  }
}

std::string header_of(std::string_view description, const Shape& shape) {
  std::string text = "{'descr': '" + std::string(description) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += (axis > 0 ? " " : "") + std::to_string(shape[axis]) + ",";
  }
  text += "), }";
  // Version 2 only where the text is beyond 64 KiB: thousands of dimensions.
  const bool is_long = text.size() + 80 > 0xffff;
  const std::size_t before = is_long ? 12 : 10;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += is_long ? '\2' : '\1';
  header += '\0';
  for (std::size_t i = 0; i < before - 8; ++i) header += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return header + text;
}

template <typename T>
void append_values(const TensorView& tensor, std::string& out) {
  for_each_block(tensor, [&](std::uint64_t, std::span<const double> values) {
    for (double value : values) {
      const T element = static_cast<T>(value);
      out.append(reinterpret_cast<const char*>(&element), sizeof(T));
    }
  });
}

}  // namespace

DType npy_dtype(DType dtype) {
  if (dtype == DType::kInt4) return DType::kInt8;
  if (dtype == DType::kUint4) return DType::kUint8;
  return is_float(dtype) && description_of(dtype).empty() ? DType::kFloat32 : dtype;
}

Result<std::string> npy_header(DType dtype, const Shape& shape) {
  const std::string_view description = description_of(npy_dtype(dtype));
  if (description.empty()) {
    return Status(StatusCode::kUnsupported, "npy has no dtype '" + std::string(dtype_name(dtype)) + "'");
  }
  return header_of(description, shape);
}

Result<std::string> encode_npy(const TensorView& tensor) {
  TENSORTAP_TRY(tensor.validate());
  Result<std::string> header = npy_header(tensor.dtype, tensor.shape);
  if (!header.ok()) return header.status();
  const DType stored = npy_dtype(tensor.dtype);
  std::string file = std::move(*header);
  const std::size_t start = file.size();
  const std::uint64_t size_bytes = tensor.element_count() * dtype_size_bytes(stored);
  file.reserve(start + size_bytes);
  if (stored == tensor.dtype) {
    file.resize(start + size_bytes);
    tensor::gather(tensor, 0, tensor.element_count(), file.data() + start);
  } else if (stored == DType::kFloat32) {
    append_values<float>(tensor, file);
  } else if (stored == DType::kInt8) {
    append_values<std::int8_t>(tensor, file);
  } else {
    append_values<std::uint8_t>(tensor, file);
  }
  return file;
}

Result<std::string> encode_npy_strings(std::span<const std::string> strings, const Shape& shape,
                                       std::uint64_t max_bytes) {
  std::size_t width = 1;
  for (const std::string& each : strings) {
    if (!each.empty() && each.back() == '\0') {
      return Status(StatusCode::kUnsupported, "a string ends with NUL, which npy would lose; ask for format=json");
    }
    width = std::max(width, each.size());
  }
  if (width > max_bytes / std::max<std::size_t>(strings.size(), 1)) {
    return Status(StatusCode::kUnsupported, std::to_string(strings.size()) + " strings of up to " +
                                                std::to_string(width) +
                                                " bytes are too much for npy, where all have the same width; ask for "
                                                "format=json, or for a slice");
  }
  std::string file = header_of("|S" + std::to_string(width), shape);
  file.reserve(file.size() + width * strings.size());
  for (const std::string& each : strings) file.append(each).append(width - each.size(), '\0');
  return file;
}

}  // namespace tensortap::format
