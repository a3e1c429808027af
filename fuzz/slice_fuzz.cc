// Fuzzes slices of tensors as people type them: three bytes that say the shape, then the text.
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <vector>

#include "query/slice_text.h"
#include "query/tensor_slices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tensortap;
  if (size < 3) return 0;
  Shape shape;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (data[axis] < 128) shape.push_back(data[axis] % 8);
  }
  const auto slices = query::parse_slices({reinterpret_cast<const char*>(data) + 3, size - 3});
  if (!slices.ok()) return slices.status().message().empty() ? (std::abort(), 1) : 0;
  auto plan = query::plan_slices(slices.value(), shape);
  if (!plan.ok()) return plan.status().message().empty() ? (std::abort(), 1) : 0;

  // What was planned is what a copy then has.
  std::size_t count = 1;
  for (std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  std::vector<std::int32_t> elements(count);
  std::iota(elements.begin(), elements.end(), 0);
  auto part = query::sliced_copy(view(elements.data(), shape), plan->slices);
  if (!part.ok()) std::abort();
  std::size_t planned = 1;
  for (std::int64_t extent : plan->shape) planned *= static_cast<std::size_t>(extent);
  if (part->data.size() != planned * sizeof(std::int32_t)) std::abort();
  return 0;
}
