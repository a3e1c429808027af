// Random values, encoded as the dtype and spread over a random layout.
#include "stats/random_tensor_testutil.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "tensor/half.h"

namespace tensortap::stats {
namespace {

using Random = std::mt19937_64;

enum class Kind { kNormal, kRelu, kBits, kTiny, kZeros, kSpecials, kOffset, kLognormal, kConstant, kExtreme, kEnd };

double normal(Random& random) { return std::normal_distribution<double>()(random); }

double with_specials(Random& random) {
  switch (random() % 8) {
    case 0: return std::numeric_limits<double>::quiet_NaN();
    case 1: return std::numeric_limits<double>::infinity();
    case 2: return -std::numeric_limits<double>::infinity();
    case 3: return -0.0;
    default: return normal(random);
  }
}

// `scale` is one number for the whole tensor.
double random_value(Random& random, Kind kind, double scale) {
  switch (kind) {
    case Kind::kNormal: return scale * normal(random);
    case Kind::kRelu: return std::max(0.0, scale * normal(random));
    case Kind::kTiny: return std::ldexp(normal(random), random() % 2 == 0 ? -140 : (random() % 2 == 0 ? -18 : -1060));
    case Kind::kZeros: return random() % 4 == 0 ? 1.0 : (random() % 2 == 0 ? 0.0 : -0.0);
    case Kind::kSpecials: return with_specials(random);
    case Kind::kOffset: return 100 * scale * (1 + 1e-3 * normal(random));
    case Kind::kLognormal: return std::exp(5 * normal(random)) * (random() % 2 == 0 ? 1 : -1);
    case Kind::kConstant: return scale;
    default: return std::ldexp(normal(random), static_cast<int>(random() % 2000) - 1000);
  }
}

template <typename T>
void store(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
void store_integer(double value, std::byte* to) {
  constexpr auto kLowest = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kHighest = static_cast<double>(std::numeric_limits<T>::max());
  const double scaled = std::isnan(value) ? 0 : std::clamp(value * 100, kLowest, kHighest);
  // The highest 64-bit integers round up to a double that is out of range.
  store(scaled >= kHighest ? std::numeric_limits<T>::max() : static_cast<T>(scaled), to);
}

void encode(DType dtype, double value, double other, std::byte* to) {
  switch (dtype) {
    case DType::kFloat32: return store(static_cast<float>(value), to);
    case DType::kFloat64: return store(value, to);
    case DType::kFloat16: return store(tensor::float16_from_float(static_cast<float>(value)), to);
    case DType::kBfloat16: return store(tensor::bfloat16_from_float(static_cast<float>(value)), to);
    case DType::kInt8: return store_integer<std::int8_t>(value, to);
    case DType::kInt16: return store_integer<std::int16_t>(value, to);
    case DType::kInt32: return store_integer<std::int32_t>(value, to);
    case DType::kInt64: return store_integer<std::int64_t>(value, to);
    case DType::kUint16: return store_integer<std::uint16_t>(value, to);
    case DType::kUint32: return store_integer<std::uint32_t>(value, to);
    case DType::kUint64: return store_integer<std::uint64_t>(value, to);
    case DType::kComplex64: store(static_cast<float>(value), to); return store(static_cast<float>(other), to + 4);
    case DType::kComplex128: store(value, to); return store(other, to + 8);
    default: return store_integer<std::uint8_t>(std::fabs(value), to);
  }
}

std::int64_t random_size(Random& random) {
  const std::int64_t edges[] = {0, 1, 16, 32, 64, 2048, 4096, 8192};
  switch (random() % 8) {
    case 0: return static_cast<std::int64_t>(random() % (random() % 8 == 0 ? 70000 : 6000));
    case 1:
    case 2: return std::max<std::int64_t>(0, edges[random() % 8] + static_cast<std::int64_t>(random() % 5) - 2);
    default: return static_cast<std::int64_t>(random() % 150);
  }
}

Shape random_shape(Random& random) {
  if (random() % 3 != 0) return {random_size(random)};
  Shape shape(random() % 5);
  for (std::int64_t& extent : shape) extent = static_cast<std::int64_t>(random() % 13);
  return shape;
}

// Dimensions nested in random order, with gaps, reversed or broadcast; returns the bytes they span below
// and above the first element.
std::pair<std::int64_t, std::int64_t> lay_out(Random& random, TensorView& view) {
  std::vector<std::size_t> axes(view.shape.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  if (random() % 2 == 0) std::shuffle(axes.begin(), axes.end(), random);
  view.strides_bytes.resize(axes.size());
  auto stride = static_cast<std::int64_t>(dtype_size_bytes(view.dtype));
  std::int64_t low = 0;
  std::int64_t high = stride;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (random() % 4 == 0) stride += static_cast<std::int64_t>(random() % 3) * (random() % 2 == 0 ? 1 : 8);
    const std::int64_t signs[] = {1, 1, 1, -1, 0};
    const std::int64_t signed_stride = stride * signs[random() % 5];
    const std::int64_t span = std::max<std::int64_t>(view.shape[*axis] - 1, 0) * signed_stride;
    view.strides_bytes[*axis] = signed_stride;
    (span < 0 ? low : high) += span;
    stride *= std::max<std::int64_t>(view.shape[*axis], 1);
  }
  return {low, high};
}

void fill(Random& random, DType dtype, Kind kind, std::vector<std::byte>& buffer, std::size_t offset) {
  const std::size_t size = dtype_size_bytes(dtype);
  const double scale =
      std::ldexp(1 + std::fabs(normal(random)), static_cast<int>(random() % 30) - 20) * (random() % 2 == 0 ? 1 : -1);
  for (std::size_t at = offset; at + size <= buffer.size(); at += size) {
    if (kind == Kind::kBits) {
      for (std::size_t i = 0; i < size; ++i) buffer[at + i] = static_cast<std::byte>(random());
    } else {
      encode(dtype, random_value(random, kind, scale), random_value(random, kind, scale), &buffer[at]);
    }
  }
}

}  // namespace

const std::vector<DType>& numeric_dtypes() {
  static const std::vector<DType> dtypes = [] {
    std::vector<DType> all;
    for (std::uint64_t number = 0; number < 64; ++number) {
      if (dtype_size_bytes(dtype_from_number(number)) != 0) all.push_back(dtype_from_number(number));
    }
    return all;
  }();
  return dtypes;
}

RandomTensor random_tensor(std::mt19937_64& random, DType dtype) {
  RandomTensor tensor;
  const auto kind = static_cast<Kind>(random() % static_cast<std::uint64_t>(Kind::kEnd));
  tensor.view = {nullptr, dtype, random_shape(random), {}};
  std::int64_t low = 0;
  auto high = static_cast<std::int64_t>(tensor.view.size_bytes());
  if (random() % 3 == 0) std::tie(low, high) = lay_out(random, tensor.view);
  const std::size_t offset = random() % 4 == 0 ? random() % 8 : 0;
  tensor.buffer.resize(static_cast<std::size_t>(high - low) + offset);
  fill(random, dtype, kind, tensor.buffer, offset);
  tensor.view.data = tensor.buffer.data() + offset - low;
  tensor.description = std::string(dtype_name(dtype)) + shape_to_string(tensor.view.shape) + " strides " +
                       shape_to_string(tensor.view.strides_bytes) + " kind " + std::to_string(static_cast<int>(kind));
  return tensor;
}

}  // namespace tensortap::stats
