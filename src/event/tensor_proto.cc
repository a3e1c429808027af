// TensorProtos to arrays and strings; whatever the bytes are.
#include "event/tensor_proto.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/try.h"
#include "event/tensor_proto_fields.h"

namespace tensortap::event {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they stand in files");

using tensor_proto::Outline;
using Strings = std::vector<std::string_view>;

Status corrupt(const std::string& why) { return {StatusCode::kCorrupt, "the tensor " + why}; }

Status too_large(const Shape& shape, std::uint64_t limit_bytes) {
  return {StatusCode::kUnsupported, "the tensor of shape " + shape_to_string(shape) + " is larger than " +
                                        std::to_string(limit_bytes >> 20) + " MiB, which is all that is decoded"};
}

Status disagree(const char* held, const Shape& shape) {
  return corrupt(std::string("holds ") + held + " than its shape " + shape_to_string(shape) + " says");
}

// Saturates: what does not fit is beyond every limit.
std::uint64_t product_of(std::uint64_t left, std::uint64_t right) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(left, right, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

std::uint64_t count_of(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (std::int64_t extent : shape) count = product_of(count, static_cast<std::uint64_t>(extent));
  return count;
}

Status read_outline(std::string_view untrusted, Outline& outline, Shape& shape) {
  outline = tensor_proto::read_outline(untrusted, [&](std::int64_t extent) { shape.push_back(extent); });
  if (outline.unknown_rank) return corrupt("has an unknown rank");
  const bool negative = std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; });
  return negative ? corrupt("has a negative extent: " + shape_to_string(shape)) : Status();
}

// Strings in tensor_content: all lengths as varints, then all characters. Empty when that is not what is there.
Strings split_content(std::string_view content, std::uint64_t count) {
  if (count > content.size()) return {};
  const char* at = content.data();
  const char* end = at + content.size();
  std::vector<std::uint64_t> lengths(count);
  for (std::uint64_t& length : lengths) length = protozero::decode_varint(&at, end);
  Strings strings;
  strings.reserve(count);
  for (std::uint64_t length : lengths) {
    if (length > static_cast<std::uint64_t>(end - at)) return {};
    strings.emplace_back(at, length);
    at += length;
  }
  return at == end ? strings : Strings();
}

Strings read_strings(std::string_view untrusted, const Outline& outline, std::uint64_t count) {
  if (!outline.content.empty()) return split_content(outline.content, count);
  Strings strings;
  wire::MessageReader message = tensor_proto::reader_of(untrusted);
  while (message.next(field::kStringVal)) strings.push_back(wire::text_of(message.get_view()));
  return strings;
}

Status decode_strings(std::string_view untrusted, const Outline& outline, DecodedTensor& tensor) {
  const std::uint64_t count = count_of(tensor.shape);
  const Strings views = read_strings(untrusted, outline, count);
  if (views.size() > count) return disagree("more strings", tensor.shape);
  if (views.empty() && !outline.content.empty()) return disagree("other strings", tensor.shape);
  const std::string_view last = views.empty() ? std::string_view() : views.back();
  const std::uint64_t repeated = count - views.size();
  if (repeated > 0 && product_of(count, sizeof(std::string) + last.size()) > kMaxRepeatedBytes) {
    return too_large(tensor.shape, kMaxRepeatedBytes);
  }
  tensor.strings.assign(views.begin(), views.end());
  tensor.strings.resize(count, std::string(last));
  return {};
}

// Fills `data` up to `size_bytes` with copies of its last element, or with zeroes.
void repeat_last(std::vector<std::byte>& data, std::size_t element_bytes, std::size_t size_bytes) {
  std::size_t filled = data.size();
  data.resize(size_bytes);
  if (filled == 0) return;
  const std::size_t first = filled - element_bytes;
  while (filled < size_bytes) {
    const std::size_t step = std::min(filled - first, size_bytes - filled);
    std::memcpy(&data[filled], &data[first], step);
    filled += step;
  }
}

Status decode_list(std::string_view untrusted, std::size_t dense_bytes, DecodedTensor& tensor) {
  const std::size_t element_bytes = dtype_size_bytes(tensor.dtype);
  const bool is_complex = tensor.dtype == DType::kComplex64 || tensor.dtype == DType::kComplex128;
  const std::size_t number_bytes = is_complex ? element_bytes / 2 : element_bytes;
  // A number takes a byte of the message at least: what is reserved is bounded by what is there.
  tensor.data.reserve(std::min(dense_bytes, untrusted.size() * number_bytes));
  bool too_many = false;
  tensor_proto::read_list(untrusted, tensor.dtype, [&](std::uint64_t bits) {
    too_many = too_many || tensor.data.size() == dense_bytes;
    if (too_many) return;
    const auto* bytes = reinterpret_cast<const std::byte*>(&bits);
    tensor.data.insert(tensor.data.end(), bytes, bytes + number_bytes);
  });
  if (too_many) return disagree("more values", tensor.shape);
  if (tensor.data.size() % element_bytes != 0) return corrupt("holds half a complex number");
  if (tensor.data.size() == dense_bytes) return {};
  if (dense_bytes > kMaxRepeatedBytes) return too_large(tensor.shape, kMaxRepeatedBytes);
  repeat_last(tensor.data, element_bytes, dense_bytes);
  return {};
}

Status decode_numbers(std::string_view untrusted, const Outline& outline, DecodedTensor& tensor) {
  const std::uint64_t dense_bytes = product_of(count_of(tensor.shape), dtype_size_bytes(tensor.dtype));
  if (dense_bytes > kMaxDenseBytes) return too_large(tensor.shape, kMaxDenseBytes);
  if (outline.content.empty()) return decode_list(untrusted, dense_bytes, tensor);
  if (outline.content.size() != dense_bytes) {
    return disagree(outline.content.size() < dense_bytes ? "fewer bytes" : "more bytes", tensor.shape);
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(outline.content.data());
  tensor.data.assign(bytes, bytes + dense_bytes);
  return {};
}

Status decode(std::string_view untrusted, DecodedTensor& tensor) {
  Outline outline;
  TENSORTAP_TRY(read_outline(untrusted, outline, tensor.shape));
  tensor.dtype = outline.dtype();
  if (tensor.dtype == DType::kString) return decode_strings(untrusted, outline, tensor);
  if (tensor.dtype != DType::kInvalid) return decode_numbers(untrusted, outline, tensor);
  if (outline.dtype_number == 0) return corrupt("has no dtype");
  return {StatusCode::kUnsupported,
          "the tensor has TensorFlow's dtype " + std::to_string(outline.dtype_number) + ", which is not read"};
}

Status not_a_tensor(const std::exception& error) {
  return {StatusCode::kCorrupt, std::string("the bytes are not a TensorProto: ") + error.what()};
}

}  // namespace

Result<TensorHead> tensor_head(std::string_view untrusted) {
  try {
    Outline outline;
    TensorHead head;
    TENSORTAP_TRY(read_outline(untrusted, outline, head.shape));
    head.dtype = outline.dtype();
    return head;
  } catch (const std::exception& error) {
    return not_a_tensor(error);
  }
}

Result<DecodedTensor> decode_tensor_proto(std::string_view untrusted) {
  try {
    DecodedTensor tensor;
    TENSORTAP_TRY(decode(untrusted, tensor));
    return tensor;
  } catch (const std::exception& error) {
    return not_a_tensor(error);
  }
}

std::optional<std::vector<std::string_view>> strings_of_tensor(std::string_view untrusted) {
  try {
    Outline outline;
    Shape shape;
    if (!read_outline(untrusted, outline, shape).ok() || outline.dtype() != DType::kString) return std::nullopt;
    Strings strings = read_strings(untrusted, outline, count_of(shape));
    if (strings.empty() && !outline.content.empty()) return std::nullopt;
    return strings;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace tensortap::event
