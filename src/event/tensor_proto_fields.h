// How a TensorProto stands in bytes: its outline, and the typed list of each dtype.
//
// Private to tensor_proto.cc and tensor_scalar.cc. Everything here throws where the bytes are damaged.
#pragma once

#include <cstdint>
#include <string_view>

#include "event/event_fields.h"
#include "tensortap/dtype.h"
#include "wire/protobuf.h"

namespace tensortap::event::tensor_proto {

using wire::MessageReader;

inline constexpr field::Number kUnknownRank = 3;  // TensorShapeProto

inline MessageReader reader_of(std::string_view bytes) { return MessageReader(bytes.data(), bytes.size()); }

// How the typed list of a dtype holds its numbers.
enum class Coding : std::uint8_t { kNone, kVarint, kFixed32, kFixed64, kBytes };
struct ListForm {
  field::Number number = 0;
  Coding coding = Coding::kNone;
};

inline ListForm list_form(DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return {5, Coding::kFixed32};
    case DType::kFloat64: return {6, Coding::kFixed64};
    case DType::kInt32:
    case DType::kInt16:
    case DType::kInt8:
    case DType::kUint16:
    case DType::kUint8:
    case DType::kInt4:
    case DType::kUint4: return {7, Coding::kVarint};
    case DType::kComplex64: return {9, Coding::kFixed32};
    case DType::kInt64: return {10, Coding::kVarint};
    case DType::kBool: return {11, Coding::kVarint};
    case DType::kComplex128: return {12, Coding::kFixed64};
    case DType::kFloat16:
    case DType::kBfloat16: return {13, Coding::kVarint};
    case DType::kUint32: return {16, Coding::kVarint};
    case DType::kUint64: return {17, Coding::kVarint};
    case DType::kFloat8E5m2:
    case DType::kFloat8E4m3fn:
    case DType::kFloat8E4m3fnuz:
    case DType::kFloat8E4m3b11fnuz:
    case DType::kFloat8E5m2fnuz: return {18, Coding::kBytes};
    default: return {};
  }
}

// A varint as the bits of one element. Bits beyond it are cut off, as TensorFlow does.
inline std::uint64_t element_bits(DType dtype, std::uint64_t number) {
  if (dtype == DType::kBool) return number != 0 ? 1 : 0;
  // NumPy keeps the upper half of such a byte clear, also below zero.
  return dtype == DType::kInt4 || dtype == DType::kUint4 ? number & 0x0f : number;
}

// Calls on_number(bits) for each number of the field that `message` stands at, packed or not.
template <typename OnNumber>
void read_numbers(MessageReader& message, Coding coding, const OnNumber& on_number) {
  const bool packed = message.wire_type() == protozero::pbf_wire_type::length_delimited;
  if (coding == Coding::kBytes) {
    for (char byte : wire::text_of(message.get_view())) on_number(static_cast<unsigned char>(byte));
  } else if (coding == Coding::kFixed32 && packed) {
    for (std::uint32_t bits : message.get_packed_fixed32()) on_number(bits);
  } else if (coding == Coding::kFixed32) {
    on_number(message.get_fixed32());
  } else if (coding == Coding::kFixed64 && packed) {
    for (std::uint64_t bits : message.get_packed_fixed64()) on_number(bits);
  } else if (coding == Coding::kFixed64) {
    on_number(message.get_fixed64());
  } else if (packed) {
    for (std::uint64_t bits : message.get_packed_uint64()) on_number(bits);
  } else {
    on_number(message.get_uint64());
  }
}

template <typename OnNumber>
void read_list(std::string_view untrusted, DType dtype, const OnNumber& on_number) {
  const ListForm form = list_form(dtype);
  MessageReader message = reader_of(untrusted);
  while (message.next(form.number)) {
    read_numbers(message, form.coding, [&](std::uint64_t bits) { on_number(element_bits(dtype, bits)); });
  }
}

// What a TensorProto says besides its extents and typed lists.
struct Outline {
  std::uint64_t dtype_number = 0;
  bool unknown_rank = false;
  std::string_view content;

  DType dtype() const { return dtype_from_number(dtype_number); }
};

template <typename OnExtent>
void read_shape(MessageReader shape, Outline& outline, const OnExtent& on_extent) {
  while (shape.next()) {
    if (shape.tag() == field::kDim) {
      MessageReader dim = shape.get_message();
      std::int64_t extent = 0;  // proto3 leaves a zero out
      while (dim.next()) {
        if (dim.tag() == field::kDimSize) {
          extent = dim.get_int64();
        } else {
          dim.skip();
        }
      }
      on_extent(extent);
    } else if (shape.tag() == kUnknownRank) {
      outline.unknown_rank = wire::bool_of(shape);
    } else {
      shape.skip();
    }
  }
}

template <typename OnExtent>
Outline read_outline(std::string_view untrusted, const OnExtent& on_extent) {
  Outline outline;
  MessageReader message = reader_of(untrusted);
  while (message.next()) {
    switch (message.tag()) {
      case field::kDtype: outline.dtype_number = static_cast<std::uint32_t>(message.get_enum()); break;
      case field::kTensorShape: read_shape(message.get_message(), outline, on_extent); break;
      case field::kTensorContent: outline.content = wire::text_of(message.get_view()); break;
      default: message.skip();
    }
  }
  return outline;
}

}  // namespace tensortap::event::tensor_proto
