// The loop of the second pass, compiled once per instruction set.
#include "stats/linear_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/linear_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tensortap::stats {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;

constexpr std::size_t kTurn = 8;

HWY_INLINE hn::Vec<Doubles> load_linear(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

HWY_INLINE hn::Vec<Doubles> load_linear(const double* from) { return hn::LoadU(Doubles(), from); }

template <typename T>
HWY_INLINE void add_one_linear(T value, std::size_t lane, LinearPass& pass) {
  const auto wide = static_cast<double>(value);
  if (!std::isfinite(wide)) return;
  const long double deviation = wide - pass.center;
  pass.deviations += deviation;
  pass.squared_deviations += deviation * deviation;
  ++pass.cells[lane][static_cast<std::size_t>(pass.grid.cell(wide))];
}

HWY_INLINE void count_cells(const std::int32_t* cells, LinearPass& pass) {
  for (std::size_t i = 0; i < kTurn; i += 4) {
    ++pass.cells[0][static_cast<std::size_t>(cells[i])];
    ++pass.cells[1][static_cast<std::size_t>(cells[i + 1])];
    ++pass.cells[2][static_cast<std::size_t>(cells[i + 2])];
    ++pass.cells[3][static_cast<std::size_t>(cells[i + 3])];
  }
}

template <typename T>
HWY_INLINE void add_linear_values(const T* values, std::size_t count, LinearPass& pass) {
  const Doubles d;
  const hn::Rebind<std::int32_t, Doubles> d32;
  const auto inf = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto scale = hn::Set(d, pass.grid.scale);
  const auto first_cell = hn::Set(d, pass.grid.first_cell);
  const auto outside = hn::Set(d, static_cast<double>(LinearPass::kOutside));
  const auto center = hn::Set(d, pass.center);
  auto deviations = hn::Zero(d), squares = hn::Zero(d);
  const std::size_t whole = count - count % kTurn;
  for (std::size_t i = 0; i < whole; i += kTurn) {
    alignas(64) std::int32_t cells[kTurn];
    for (std::size_t j = 0; j < kTurn; j += hn::Lanes(d)) {
      const auto v = load_linear(values + i + j);
      const auto finite = hn::Lt(hn::Abs(v), inf);
      const auto cell = hn::Sub(hn::Floor(hn::Mul(v, scale)), first_cell);
      hn::StoreU(hn::DemoteTo(d32, hn::IfThenElse(finite, cell, outside)), d32, cells + j);
      const auto deviation = hn::IfThenElseZero(finite, hn::Sub(v, center));
      deviations = hn::Add(deviations, deviation);
      squares = hn::MulAdd(deviation, deviation, squares);
    }
    count_cells(cells, pass);
  }
  pass.deviations += static_cast<long double>(hn::GetLane(hn::SumOfLanes(d, deviations)));
  pass.squared_deviations += static_cast<long double>(hn::GetLane(hn::SumOfLanes(d, squares)));
  for (std::size_t i = whole; i < count; ++i) add_one_linear(values[i], i % 4, pass);
}

void add_linear_floats(const float* values, std::size_t count, LinearPass& pass) {
  add_linear_values(values, count, pass);
}

void add_linear_doubles(const double* values, std::size_t count, LinearPass& pass) {
  add_linear_values(values, count, pass);
}

}  // namespace HWY_NAMESPACE
}  // namespace tensortap::stats
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tensortap::stats {

HWY_EXPORT(add_linear_floats);
HWY_EXPORT(add_linear_doubles);

void add_linear_block(const float* values, std::size_t count, LinearPass& pass) {
  HWY_DYNAMIC_DISPATCH(add_linear_floats)(values, count, pass);
}

void add_linear_block(const double* values, std::size_t count, LinearPass& pass) {
  HWY_DYNAMIC_DISPATCH(add_linear_doubles)(values, count, pass);
}

CellCounts LinearPass::cell_counts() const {
  CellCounts sums{};
  for (const auto& lane : cells) {
    for (std::size_t cell = 0; cell < sums.size(); ++cell) sums[cell] += lane[cell];
  }
  return sums;
}

double LinearPass::squared_deviations_from_mean(std::uint64_t finite_count) const {
  // Squares of doubles near 1e300 overflow; Inf - Inf must not become NaN.
  if (std::isinf(squared_deviations)) return std::numeric_limits<double>::infinity();
  const long double correction = deviations * deviations / static_cast<long double>(finite_count);
  return static_cast<double>(std::max(squared_deviations - correction, 0.0L));
}

}  // namespace tensortap::stats
#endif  // HWY_ONCE
