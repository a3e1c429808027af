// Values: the elements of a tensor of any numeric dtype, read as doubles block by block.
#include "format/values.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "base/try.h"
#include "tensor/float8.h"
#include "tensor/gather.h"
#include "tensor/half.h"

namespace tensortap::format {
namespace {

// One block of elements as they lie in the tensor, without gaps.
struct alignas(16) RawBlock {
  std::array<std::byte, kValueBlock * sizeof(double)> bytes;

  // memcpy is what the language allows; compilers make a plain load of it.
  template <typename T>
  T at(std::size_t index) const {
    T element;
    std::memcpy(&element, bytes.data() + index * sizeof(T), sizeof(T));
    return element;
  }
};

template <typename T, typename ToDouble>
void convert(const RawBlock& raw, std::uint64_t count, double* out, ToDouble&& to_double) {
  for (std::size_t i = 0; i < count; ++i) out[i] = to_double(raw.at<T>(i));
}

template <typename T>
void convert(const RawBlock& raw, std::uint64_t count, double* out) {
  convert<T>(raw, count, out, [](T element) { return static_cast<double>(element); });
}

}  // namespace

bool is_float(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
    case DType::kFloat64:
    case DType::kFloat16:
    case DType::kBfloat16:
    case DType::kFloat8E5m2:
    case DType::kFloat8E4m3fn:
    case DType::kFloat8E4m3fnuz:
    case DType::kFloat8E4m3b11fnuz:
    case DType::kFloat8E5m2fnuz: return true;
    default: return false;
  }
}

Status check_values(const TensorView& view) {
  TENSORTAP_TRY(view.validate());
  if (view.dtype == DType::kComplex64 || view.dtype == DType::kComplex128) {
    return Status(StatusCode::kUnsupported, "cannot draw or play " + std::string(dtype_name(view.dtype)) +
                                                " of shape " + shape_to_string(view.shape) +
                                                ": pass its real part or its magnitude");
  }
  return {};
}

void read_values(const TensorView& view, std::uint64_t first, std::uint64_t count, double* out) {
  RawBlock raw;
  tensor::gather(view, first, count, raw.bytes.data());
  switch (view.dtype) {
    case DType::kFloat32: return convert<float>(raw, count, out);
    case DType::kFloat64: return convert<double>(raw, count, out);
    case DType::kFloat16: return convert<std::uint16_t>(raw, count, out, tensor::float_from_float16);
    case DType::kBfloat16: return convert<std::uint16_t>(raw, count, out, tensor::float_from_bfloat16);
    case DType::kInt8: return convert<std::int8_t>(raw, count, out);
    case DType::kInt16: return convert<std::int16_t>(raw, count, out);
    case DType::kInt32: return convert<std::int32_t>(raw, count, out);
    case DType::kInt64: return convert<std::int64_t>(raw, count, out);
    case DType::kUint8: return convert<std::uint8_t>(raw, count, out);
    case DType::kUint16: return convert<std::uint16_t>(raw, count, out);
    case DType::kUint32: return convert<std::uint32_t>(raw, count, out);
    case DType::kUint64: return convert<std::uint64_t>(raw, count, out);
    case DType::kBool:
    case DType::kInt4:
    case DType::kUint4:
    case DType::kFloat8E5m2:
    case DType::kFloat8E4m3fn:
    case DType::kFloat8E4m3fnuz:
    case DType::kFloat8E4m3b11fnuz:
    case DType::kFloat8E5m2fnuz: {
      const auto& table = tensor::byte_values(view.dtype);
      return convert<std::uint8_t>(raw, count, out, [&table](std::uint8_t byte) { return table[byte]; });
    }
    // check_values() lets none of these through.
    case DType::kInvalid:
    case DType::kString:
    case DType::kComplex64:
    case DType::kComplex128: break;
  }
  std::fill_n(out, count, 0.0);
}

}  // namespace tensortap::format
