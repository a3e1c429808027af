// Tests of gathering strided elements.
#include "tensor/gather.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace tensortap::tensor {
namespace {

std::vector<std::int32_t> gathered(const TensorView& view, std::uint64_t first, std::uint64_t count) {
  std::vector<std::int32_t> out(count, -1);
  gather(view, first, count, out.data());
  return out;
}

std::vector<std::int32_t> counting(std::size_t size) {
  std::vector<std::int32_t> elements(size);
  std::iota(elements.begin(), elements.end(), 0);
  return elements;
}

TEST(Gather, CopiesAStretchOfAContiguousTensor) {
  const std::vector<std::int32_t> elements = counting(12);
  EXPECT_EQ(gathered(view(elements, {3, 4}), 5, 3), (std::vector<std::int32_t>{5, 6, 7}));
}

TEST(Gather, FollowsATranspose) {
  const std::vector<std::int32_t> elements = counting(6);
  const TensorView transposed{elements.data(), DType::kInt32, {3, 2}, {4, 12}};
  EXPECT_EQ(gathered(transposed, 0, 6), (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(gathered(transposed, 1, 3), (std::vector<std::int32_t>{3, 1, 4}));
}

TEST(Gather, FollowsNegativeStrides) {
  const std::vector<std::int32_t> elements = counting(4);
  const TensorView reversed{elements.data() + 3, DType::kInt32, {4}, {-4}};
  EXPECT_EQ(gathered(reversed, 0, 4), (std::vector<std::int32_t>{3, 2, 1, 0}));
}

TEST(Gather, RepeatsAlongZeroStrides) {
  const std::vector<std::int32_t> elements = counting(2);
  const TensorView broadcast{elements.data(), DType::kInt32, {2, 3}, {4, 0}};
  EXPECT_EQ(gathered(broadcast, 0, 6), (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
}

TEST(Gather, ReadsAScalarWithStrides) {
  const std::int32_t element = 7;
  EXPECT_EQ(gathered({&element, DType::kInt32, {1, 1}, {100, -3}}, 0, 1), (std::vector<std::int32_t>{7}));
  EXPECT_EQ(gathered({&element, DType::kInt32, {}, {}}, 0, 1), (std::vector<std::int32_t>{7}));
}

TEST(Gather, TouchesNothingForNoElements) { gather({nullptr, DType::kInt32, {0, 3}, {4, 4}}, 0, 0, nullptr); }

// A view into a buffer of `size` bytes, of any layout that stays within it.
TensorView random_view(std::mt19937& random, DType dtype, std::vector<std::byte>& buffer) {
  const auto element = static_cast<std::int64_t>(dtype_size_bytes(dtype));
  TensorView view{nullptr, dtype, {}, {}};
  std::int64_t low = 0;
  std::int64_t high = element;
  for (std::size_t rank = random() % 6; rank > 0; --rank) {
    const auto extent = static_cast<std::int64_t>(1 + random() % 6);
    const auto stride = static_cast<std::int64_t>(random() % 41) - 20;
    view.shape.push_back(extent);
    view.strides_bytes.push_back(stride);
    (stride < 0 ? low : high) += (extent - 1) * stride;
  }
  buffer.resize(static_cast<std::size_t>(high - low));
  for (std::byte& byte : buffer) byte = static_cast<std::byte>(random());
  view.data = buffer.data() - low;
  return view;
}

std::vector<std::byte> gathered_one_by_one(const TensorView& view) {
  const std::size_t element = dtype_size_bytes(view.dtype);
  std::vector<std::byte> out(view.element_count() * element);
  for (std::uint64_t number = 0; number < view.element_count(); ++number) {
    const auto* at = static_cast<const std::byte*>(view.data);
    std::uint64_t rest = number;
    for (std::size_t axis = view.shape.size(); axis-- > 0;) {
      const auto extent = static_cast<std::uint64_t>(view.shape[axis]);
      at += static_cast<std::int64_t>(rest % extent) * view.strides_bytes[axis];
      rest /= extent;
    }
    std::memcpy(out.data() + number * element, at, element);
  }
  return out;
}

TEST(Gather, EqualsIndexingOneByOneForRandomLayoutsAndBlocks) {
  std::mt19937 random(11);
  std::vector<std::byte> buffer;
  for (int round = 0; round < 4000; ++round) {
    const DType dtypes[] = {DType::kInt8, DType::kFloat16, DType::kFloat32, DType::kFloat64, DType::kComplex128};
    const TensorView view = random_view(random, dtypes[random() % 5], buffer);
    const std::size_t element = dtype_size_bytes(view.dtype);
    const std::uint64_t count = view.element_count();
    const std::uint64_t block = 1 + random() % count;
    std::vector<std::byte> out(count * element);
    for (std::uint64_t first = 0; first < count; first += block) {
      gather(view, first, std::min(block, count - first), out.data() + first * element);
    }
    ASSERT_EQ(out, gathered_one_by_one(view)) << shape_to_string(view.shape);
  }
}

}  // namespace
}  // namespace tensortap::tensor
