// The one number of a TensorProto; a loader asks for it once a scalar, so the usual bytes are told at a glance.
#include <cstring>

#include "event/tensor_proto.h"
#include "event/tensor_proto_fields.h"
#include "tensor/float8.h"
#include "tensor/half.h"

namespace tensortap::event {
namespace {

template <typename T>
T load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// DT_FLOAT of rank 0 as summary writers have it, field by field in the order of their numbers.
std::optional<double> usual_float(std::string_view bytes) {
  constexpr std::uint16_t kFloat32 = 0x0108, kRankZero = 0x0012;
  constexpr std::uint16_t kContentOf4 = 0x0422, kPackedListOf4 = 0x042a;
  constexpr char kOneFloatVal = 0x2d;
  if (bytes.size() < 7 || load<std::uint16_t>(bytes.data()) != kFloat32) return std::nullopt;
  const std::size_t at = load<std::uint16_t>(bytes.data() + 2) == kRankZero ? 4 : 2;
  const char* rest = bytes.data() + at;
  if (bytes.size() == at + 6) {
    const auto key = load<std::uint16_t>(rest);
    if (key == kContentOf4 || key == kPackedListOf4) return load<float>(rest + 2);
  } else if (bytes.size() == at + 5 && *rest == kOneFloatVal) {
    return load<float>(rest + 1);
  }
  return std::nullopt;
}

std::optional<double> number_of(DType dtype, std::uint64_t bits) {
  switch (dtype) {
    case DType::kFloat32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case DType::kFloat64: return std::bit_cast<double>(bits);
    case DType::kInt32: return static_cast<std::int32_t>(bits);
    case DType::kInt16: return static_cast<std::int16_t>(bits);
    case DType::kInt8: return static_cast<std::int8_t>(bits);
    case DType::kInt64: return static_cast<double>(static_cast<std::int64_t>(bits));
    case DType::kUint32: return static_cast<std::uint32_t>(bits);
    case DType::kUint16: return static_cast<std::uint16_t>(bits);
    case DType::kUint8: return static_cast<std::uint8_t>(bits);
    case DType::kUint64: return static_cast<double>(bits);
    case DType::kFloat16: return tensor::float_from_float16(static_cast<std::uint16_t>(bits));
    case DType::kBfloat16: return tensor::float_from_bfloat16(static_cast<std::uint16_t>(bits));
    case DType::kInvalid:
    case DType::kString:
    case DType::kComplex64:
    case DType::kComplex128: return std::nullopt;
    default: return tensor::byte_values(dtype)[bits & 0xff];
  }
}

std::optional<double> any_number(std::string_view untrusted) {
  bool is_single = true;
  const auto outline = tensor_proto::read_outline(untrusted, [&](std::int64_t extent) { is_single &= extent == 1; });
  if (!is_single || outline.unknown_rank) return std::nullopt;
  const DType dtype = outline.dtype();
  std::uint64_t bits = 0;
  if (!outline.content.empty()) {
    if (outline.content.size() > sizeof bits || outline.content.size() != dtype_size_bytes(dtype)) return std::nullopt;
    std::memcpy(&bits, outline.content.data(), outline.content.size());
    return number_of(dtype, bits);
  }
  if (!number_of(dtype, 0)) return std::nullopt;
  std::size_t count = 0;
  tensor_proto::read_list(untrusted, dtype, [&](std::uint64_t number) {
    bits = number;
    ++count;
  });
  return count <= 1 ? number_of(dtype, bits) : std::nullopt;
}

}  // namespace

std::optional<double> scalar_of_tensor(std::string_view untrusted) {
  if (auto number = usual_float(untrusted)) return number;
  try {
    return any_number(untrusted);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace tensortap::event
