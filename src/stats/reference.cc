// One element at a time, in the order of the definitions.
#include "stats/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "tensor/float8.h"

namespace tensortap::stats {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

double from_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 31) return mantissa != 0 ? kNan : sign * kInf;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double from_bfloat16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

// In the precision of the parts: of complex64 the nearest float32 to the root in double. Finite parts never
// give Inf.
template <typename T>
double magnitude(std::complex<T> value) {
  const auto real = static_cast<double>(value.real());
  const auto imaginary = static_cast<double>(value.imag());
  if (std::isnan(real) || std::isnan(imaginary)) return kNan;
  if (std::isinf(real) || std::isinf(imaginary)) return kInf;
  constexpr double kLargest = static_cast<double>(std::numeric_limits<T>::max());
  const bool wide = sizeof(T) == sizeof(double);
  const double root = wide ? std::hypot(real, imaginary) : std::sqrt(real * real + imaginary * imaginary);
  return static_cast<double>(static_cast<T>(std::min(root, kLargest)));
}

double element_value(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::kFloat32: return static_cast<double>(load<float>(at));
    case DType::kFloat64: return load<double>(at);
    case DType::kFloat16: return from_float16(load<std::uint16_t>(at));
    case DType::kBfloat16: return from_bfloat16(load<std::uint16_t>(at));
    case DType::kInt16: return load<std::int16_t>(at);
    case DType::kInt32: return load<std::int32_t>(at);
    case DType::kInt64: return static_cast<double>(load<std::int64_t>(at));
    case DType::kUint16: return load<std::uint16_t>(at);
    case DType::kUint32: return load<std::uint32_t>(at);
    case DType::kUint64: return static_cast<double>(load<std::uint64_t>(at));
    case DType::kComplex64: return magnitude(load<std::complex<float>>(at));
    case DType::kComplex128: return magnitude(load<std::complex<double>>(at));
    default: return static_cast<double>(tensor::byte_values(dtype)[load<unsigned char>(at)]);
  }
}

// Where element `number` in row-major order lies.
const std::byte* element_address(const TensorView& view, std::uint64_t number) {
  auto stride = static_cast<std::int64_t>(dtype_size_bytes(view.dtype));
  std::int64_t offset = 0;
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(view.shape[axis]);
    const std::int64_t axis_stride = view.strides_bytes.empty() ? stride : view.strides_bytes[axis];
    offset += static_cast<std::int64_t>(number % extent) * axis_stride;
    number /= extent;
    stride *= view.shape[axis];
  }
  return static_cast<const std::byte*>(view.data) + offset;
}

std::vector<double> all_values(const TensorView& view) {
  std::vector<double> values(view.element_count());
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = element_value(view.dtype, element_address(view, i));
  return values;
}

using Counts = std::map<std::int64_t, std::uint64_t>;

Histogram histogram_from(Histogram::Grid grid, int exponent, std::int64_t base, const Counts& cells) {
  Histogram histogram;
  histogram.grid = grid;
  histogram.linear_exponent = exponent;
  histogram.linear_base = base;
  for (const auto& [key, count] : cells) {
    histogram.keys.push_back(static_cast<std::uint16_t>(key));
    histogram.counts.push_back(count);
  }
  return histogram;
}

Histogram log_histogram(const std::vector<double>& finite_values) {
  Counts cells;
  for (const double value : finite_values) {
    if (value == 0) continue;
    float magnitude = static_cast<float>(std::min(std::fabs(value), 0x1.fffffep127));
    if (magnitude == 0) magnitude = 0x1p-149f;
    const std::int64_t bucket = std::bit_cast<std::uint32_t>(magnitude) >> 20;
    ++cells[value > 0 ? 2048 + bucket : 2047 - bucket];
  }
  return histogram_from(Histogram::Grid::kLog, 0, 0, cells);
}

std::int64_t linear_cell(double value, int exponent) {
  return static_cast<std::int64_t>(std::floor(std::ldexp(static_cast<long double>(value), -exponent)));
}

// The finest width that needs no more than 65 cells, and none finer than the doubles themselves.
Histogram linear_histogram(const std::vector<double>& finite_values, double min, double max) {
  const double farthest = std::max(std::fabs(min), std::fabs(max));
  int exponent = std::max(std::ilogb(farthest) - 52, -1022);
  while (linear_cell(max, exponent) - linear_cell(min, exponent) > 64) ++exponent;
  const std::int64_t base = linear_cell(min, exponent);
  Counts cells;
  for (const double value : finite_values) ++cells[linear_cell(value, exponent) - base];
  return histogram_from(Histogram::Grid::kLinear, exponent, base, cells);
}

bool is_narrow(double min, double max) {
  const bool one_sign = min > 0 || max < 0;
  const long double small = std::min(std::fabs(min), std::fabs(max));
  const long double large = std::max(std::fabs(min), std::fabs(max));
  return min < max && one_sign && large < 4 * small;
}

std::vector<double> count_classes(const std::vector<double>& values, double smallest_normal, TensorStats& stats) {
  std::vector<double> finite_values;
  for (const double value : values) {
    ++stats.count;
    if (std::isnan(value)) ++stats.nan;
    if (value == kInf) ++stats.positive_inf;
    if (value == -kInf) ++stats.negative_inf;
    if (value == 0) ++stats.zeros;
    if (value < 0) ++stats.negatives;
    if (value != 0 && std::fabs(value) < smallest_normal) ++stats.subnormals;
    if (std::isfinite(value)) finite_values.push_back(value);
  }
  return finite_values;
}

void add_up(const std::vector<double>& finite_values, TensorStats& stats) {
  long double sum = 0;
  long double sum_squares = 0;
  long double l1 = 0;
  for (const long double value : finite_values) {
    sum += value;
    sum_squares += value * value;
    l1 += std::fabs(value);
    stats.min = std::min(stats.min, static_cast<double>(value));
    stats.max = std::max(stats.max, static_cast<double>(value));
  }
  stats.sum = static_cast<double>(sum);
  stats.sum_squares = static_cast<double>(sum_squares);
  stats.l1 = static_cast<double>(l1);
  if (!(stats.min < stats.max)) return;
  const long double mean = sum / static_cast<long double>(finite_values.size());
  long double squared_deviations = 0;
  for (const long double value : finite_values) squared_deviations += (value - mean) * (value - mean);
  stats.squared_deviations = static_cast<double>(squared_deviations);
}

}  // namespace

TensorStats compute_reference_stats(const TensorView& view) {
  TensorStats stats;
  stats.min = kInf;
  stats.max = -kInf;
  const std::vector<double> values = all_values(view);
  const std::vector<double> finite_values = count_classes(values, tensor::smallest_normal(view.dtype), stats);
  add_up(finite_values, stats);
  stats.histogram = is_narrow(stats.min, stats.max) ? linear_histogram(finite_values, stats.min, stats.max)
                                                    : log_histogram(finite_values);
  return stats;
}

}  // namespace tensortap::stats
