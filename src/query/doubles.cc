// Doubles, block by block.
#include "query/doubles.h"

#include <algorithm>

#include "stats/value_reader.h"

namespace tensortap::query {
namespace {

// The parts of complex numbers are numbers that lie side by side.
TensorView flat_view(const OwnedTensor& tensor) {
  TensorView flat{tensor.data.data(), tensor.dtype, {}, {}};
  if (tensor.dtype == DType::kComplex64) flat.dtype = DType::kFloat32;
  if (tensor.dtype == DType::kComplex128) flat.dtype = DType::kFloat64;
  const std::size_t size = dtype_size_bytes(flat.dtype);
  flat.shape = {size == 0 ? 0 : static_cast<std::int64_t>(tensor.data.size() / size)};
  return flat;
}

}  // namespace

std::vector<double> doubles_of(const OwnedTensor& tensor) {
  const TensorView flat = flat_view(tensor);
  std::vector<double> numbers(flat.element_count());
  for (std::size_t first = 0; first < numbers.size(); first += stats::kMaxValues) {
    const std::size_t count = std::min(stats::kMaxValues, numbers.size() - first);
    stats::read_values(flat, first, count, numbers.data() + first);
  }
  return numbers;
}

}  // namespace tensortap::query
