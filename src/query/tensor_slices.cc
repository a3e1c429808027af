// Slices of tensors: Python's rules for indices, then strides.
#include "query/tensor_slices.h"

#include <algorithm>
#include <numeric>

#include "base/try.h"
#include "tensor/gather.h"

namespace tensortap::query {
namespace {

Status invalid(std::string message) { return Status(StatusCode::kInvalidArgument, std::move(message)); }

// Negative indices count from the end; what lies outside is clipped.
std::int64_t clipped(std::int64_t index, std::int64_t extent) {
  return std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent);
}

Status check(const Shape& shape, const std::vector<Slice>& slices) {
  if (slices.size() > shape.size()) {
    return invalid("the tensor has rank " + std::to_string(shape.size()) + ", " + shape_to_string(shape) + "; " +
                   std::to_string(slices.size()) + " slices were given");
  }
  for (std::size_t axis = 0; axis < slices.size(); ++axis) {
    if (slices[axis].stride > 0) continue;
    return invalid("the stride of slice " + std::to_string(axis) + " is " + std::to_string(slices[axis].stride) +
                   "; it must be above 0");
  }
  return {};
}

std::vector<std::int64_t> row_major_strides(const TensorView& whole) {
  std::vector<std::int64_t> strides(whole.shape.size());
  auto stride = static_cast<std::int64_t>(dtype_size_bytes(whole.dtype));
  for (std::size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    // Without elements the rest never matters, and may be too large to multiply.
    stride *= whole.element_count() == 0 ? 1 : whole.shape[axis];
  }
  return strides;
}

}  // namespace

Result<TensorView> sliced(const TensorView& whole, const std::vector<Slice>& slices) {
  TENSORTAP_TRY(check(whole.shape, slices));
  TensorView part = whole;
  part.strides_bytes = row_major_strides(whole);
  std::int64_t offset_bytes = 0;
  for (std::size_t axis = 0; axis < slices.size(); ++axis) {
    const Slice& slice = slices[axis];
    const std::int64_t extent = whole.shape[axis];
    const std::int64_t from = clipped(slice.from, extent);
    const std::int64_t to = clipped(slice.to.value_or(extent), extent);
    part.shape[axis] = from < to ? (to - from - 1) / slice.stride + 1 : 0;
    if (part.shape[axis] > 0) offset_bytes += from * part.strides_bytes[axis];
    // A stride that is never taken may be absurdly long.
    if (part.shape[axis] > 1) part.strides_bytes[axis] *= slice.stride;
  }
  if (part.element_count() > 0) part.data = static_cast<const std::byte*>(whole.data) + offset_bytes;
  return part;
}

Result<OwnedTensor> sliced_copy(const TensorView& whole, const std::vector<Slice>& slices) {
  Result<TensorView> part = sliced(whole, slices);
  if (!part.ok()) return part.status();
  OwnedTensor copy{part->dtype, part->shape, std::vector<std::byte>(part->size_bytes()), {}};
  tensor::gather(*part, 0, part->element_count(), copy.data.data());
  return copy;
}

Result<OwnedTensor> sliced_strings(std::vector<std::string> strings, const Shape& shape,
                                   const std::vector<Slice>& slices) {
  std::vector<std::int64_t> numbers(strings.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  Result<TensorView> part = sliced(view(numbers.data(), shape), slices);
  if (!part.ok()) return part.status();
  std::vector<std::int64_t> wanted(part->element_count());
  tensor::gather(*part, 0, wanted.size(), wanted.data());
  OwnedTensor chosen{DType::kString, part->shape, {}, {}};
  chosen.strings.reserve(wanted.size());
  for (std::int64_t number : wanted) chosen.strings.push_back(std::move(strings[static_cast<std::size_t>(number)]));
  return chosen;
}

}  // namespace tensortap::query
