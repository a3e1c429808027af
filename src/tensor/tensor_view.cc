// TensorView's count, layout and checks.
#include "tensortap/tensor_view.h"

namespace tensortap {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 60;

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

bool has_zero_extent(const Shape& shape) {
  for (const std::int64_t extent : shape) {
    if (extent == 0) return true;
  }
  return false;
}

// Whether element_count * element_bytes stays within kMaxBytes. An empty tensor always does.
bool fits(const Shape& shape, std::uint64_t element_bytes) {
  if (has_zero_extent(shape)) return true;
  std::uint64_t bytes = element_bytes;
  for (const std::int64_t extent : shape) {
    const auto unsigned_extent = static_cast<std::uint64_t>(extent);
    if (unsigned_extent > kMaxBytes / bytes) return false;
    bytes *= unsigned_extent;
  }
  return true;
}

}  // namespace

std::string shape_to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

std::uint64_t TensorView::element_count() const {
  // Unsigned: a product that validate() refuses wraps instead of being undefined.
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
  return count;
}

bool TensorView::is_contiguous() const {
  if (strides_bytes.empty() || has_zero_extent(shape)) return true;
  auto expected = static_cast<std::int64_t>(dtype_size_bytes(dtype));
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    // The stride of a single index is never taken.
    if (shape[axis] == 1) continue;
    if (strides_bytes[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

Status TensorView::validate() const {
  const std::size_t element_bytes = dtype_size_bytes(dtype);
  if (element_bytes == 0) {
    return invalid("a tensor of dtype " + std::string(dtype_name(dtype)) +
                   " has no fixed element size; give a numeric dtype");
  }
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 0) {
      return invalid("shape " + shape_to_string(shape) + " has a negative extent at axis " + std::to_string(axis));
    }
  }
  if (!fits(shape, element_bytes)) {
    return invalid("shape " + shape_to_string(shape) + " of " + std::string(dtype_name(dtype)) +
                   " is larger than 2^60 bytes");
  }
  if (!strides_bytes.empty() && strides_bytes.size() != shape.size()) {
    return invalid("shape " + shape_to_string(shape) + " needs " + std::to_string(shape.size()) +
                   " strides, but there are " + std::to_string(strides_bytes.size()));
  }
  if (data == nullptr && !has_zero_extent(shape)) {
    return invalid("shape " + shape_to_string(shape) + " has elements, but the data pointer is null");
  }
  return Status();
}

}  // namespace tensortap
