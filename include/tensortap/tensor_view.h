// TensorView: elements that somebody else owns, with their dtype and shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tensortap/dtype.h"
#include "tensortap/export.h"

namespace tensortap {

// Extents from the outermost dimension inwards; empty for a scalar (0-d).
using Shape = std::vector<std::int64_t>;

// "[64,32]"; "[]" for a scalar.
TENSORTAP_API std::string shape_to_string(const Shape& shape);

// Points at elements; never owns them.
//
// Threads:  a value; reading the elements needs the owner's leave.
// Failure:  constructors check nothing; validate() does.
// Lifetime: the elements must outlive every use of the view.
struct TENSORTAP_API TensorView {
  const void* data = nullptr;  // may be null when there are no elements
  DType dtype = DType::kInvalid;
  Shape shape;
  // Bytes from one index to the next, one per dimension; empty means row-major without gaps.
  // Negative and zero strides are valid.
  std::vector<std::int64_t> strides_bytes;

  // Product of the extents; 1 for a scalar. Only meaningful when validate() is ok.
  std::uint64_t element_count() const;
  std::uint64_t size_bytes() const { return element_count() * dtype_size_bytes(dtype); }
  bool is_contiguous() const;

  // kInvalidArgument: negative extent, product beyond 2^60 bytes, null data, strides of another rank,
  // or a dtype without fixed element size.
  Status validate() const;
};

// A view together with whatever keeps its elements alive and unchanged.
// With an owner, recording holds a reference; without one it copies before the call returns.
struct KeptTensor {
  KeptTensor() = default;
  KeptTensor(TensorView tensor_view,
             std::shared_ptr<const void> tensor_owner = nullptr)  // NOLINT: a view will do
      : view(std::move(tensor_view)), owner(std::move(tensor_owner)) {}

  TensorView view;
  std::shared_ptr<const void> owner;
};

// view(data, {64, 32}): `data` points at 64 * 32 elements in row-major order.
template <typename T>
TensorView view(const T* data, std::initializer_list<std::int64_t> shape) {
  return TensorView{data, dtype_of<T>(), Shape(shape), {}};
}
template <typename T>
TensorView view(const T* data, Shape shape) {
  return TensorView{data, dtype_of<T>(), std::move(shape), {}};
}

// view(vector): one dimension.
template <typename T>
TensorView view(const std::vector<T>& elements) {
  return TensorView{elements.data(), dtype_of<T>(), {static_cast<std::int64_t>(elements.size())}, {}};
}
template <typename T>
TensorView view(const std::vector<T>& elements, std::initializer_list<std::int64_t> shape) {
  return view(elements.data(), shape);
}

}  // namespace tensortap
