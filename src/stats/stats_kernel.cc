// The hot loop, compiled once per instruction set.
//
// The vector units add while the integer units increment bucket counters; the increments, about one a
// cycle, set the pace. Squares of floats are exact in double, so only the additions round.
//
// Zeros need no counter: they are what is left of all. Where there are many (after a ReLU or a Dropout, and in the
// gradients behind them) the others are gathered first, and only they are counted. The sums are the same to the bit.
#include "stats/stats_kernel.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/stats_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tensortap::stats {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Elements per turn: whole vectors on every target, and all four counters of BucketTable equally often.
constexpr std::size_t kTurn = 16;

// At most 64 bytes wide, so that a turn is two vectors of doubles or more.
using Doubles = hn::CappedTag<double, 8>;
template <typename T>
using Values = hn::CappedTag<T, 64 / sizeof(T)>;

HWY_INLINE hn::Vec<Doubles> load_doubles(const float* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

HWY_INLINE hn::Vec<Doubles> load_doubles(const double* from) { return hn::LoadU(Doubles(), from); }

template <class V>
HWY_INLINE void add_to_sums(V values, V& sum, V& squares, V& l1) {
  sum = hn::Add(sum, values);
  squares = hn::MulAdd(values, values, squares);
  l1 = hn::Add(l1, hn::Abs(values));
}

// Zero magnitudes must not hide the smallest one above zero.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V infinite_if_zero(D d, V magnitudes) {
  const V inf = hn::Set(d, std::numeric_limits<hn::TFromD<D>>::infinity());
  return hn::IfThenElse(hn::Eq(magnitudes, hn::Zero(d)), inf, magnitudes);
}

HWY_INLINE std::uint32_t bucket_of(const float* value) {
  std::uint32_t bits;
  std::memcpy(&bits, value, sizeof(bits));
  return bits >> kBucketShift;
}

HWY_INLINE void count_turn(const float* values, std::uint32_t* HWY_RESTRICT even, std::uint32_t* HWY_RESTRICT odd) {
  for (std::size_t i = 0; i < kTurn; i += 4) {
    ++even[std::size_t{bucket_of(values + i)} * 2];
    ++even[std::size_t{bucket_of(values + i + 1)} * 2 + 1];
    ++odd[std::size_t{bucket_of(values + i + 2)} * 2];
    ++odd[std::size_t{bucket_of(values + i + 3)} * 2 + 1];
  }
}

HWY_INLINE void store_floats(const double* from, float* to) {
#if HWY_TARGET == HWY_SCALAR
  // Highway's scalar DemoteTo makes FLT_MAX of Inf.
  for (std::size_t i = 0; i < kTurn; ++i) to[i] = static_cast<float>(from[i]);
#else
  const Doubles d;
  const hn::Rebind<float, Doubles> floats;
  for (std::size_t i = 0; i < kTurn; i += hn::Lanes(d)) {
    hn::StoreU(hn::DemoteTo(floats, hn::LoadU(d, from + i)), floats, to + i);
  }
#endif
}

HWY_INLINE void count_turn(const double* values, std::uint32_t* HWY_RESTRICT even, std::uint32_t* HWY_RESTRICT odd) {
  alignas(64) float floats[kTurn];
  store_floats(values, floats);
  count_turn(floats, even, odd);
}

template <typename T>
HWY_INLINE void add_one(T value, BlockSums& sums) {
  const auto wide = static_cast<double>(value);
  const double magnitude = std::fabs(wide);
  sums.sum += wide;
  sums.sum_squares += wide * wide;
  sums.l1 += magnitude;
  sums.min = wide < sums.min ? wide : sums.min;
  sums.max = wide > sums.max ? wide : sums.max;
  sums.smallest = magnitude < sums.smallest && magnitude > 0 ? magnitude : sums.smallest;
}

// What is left after the last whole turn.
template <bool kCount, typename T>
HWY_INLINE void add_tail(const T* values, std::size_t count, BucketTable* table, BlockSums& sums) {
  for (std::size_t i = 0; i < count; ++i) {
    add_one(values[i], sums);
    if constexpr (kCount) ++table->pairs[0][std::size_t{raw_bucket(static_cast<float>(values[i]))} * 2];
  }
}

// Values that wait to be counted.
struct Staged {
  alignas(64) std::array<float, 256 + kTurn> values;
  std::size_t count = 0;
};

HWY_INLINE void stage_nonzero(const float* values, Staged& staged) {
  const Values<float> t;
  for (std::size_t i = 0; i < kTurn; i += hn::Lanes(t)) {
    const auto v = hn::LoadU(t, values + i);
    const auto nonzero = hn::Ne(v, hn::Zero(t));
    // Whole vectors are stored; the next store begins where the values end.
    hn::StoreU(hn::Compress(v, nonzero), t, staged.values.data() + staged.count);
    staged.count += hn::CountTrue(t, nonzero);
  }
}

HWY_INLINE void count_staged(BucketTable& table, Staged& staged) {
  const std::size_t whole = staged.count - staged.count % kTurn;
  for (std::size_t i = 0; i < whole; i += kTurn) {
    count_turn(staged.values.data() + i, table.pairs[0].data(), table.pairs[1].data());
  }
  for (std::size_t i = whole; i < staged.count; ++i) {
    ++table.pairs[0][std::size_t{bucket_of(staged.values.data() + i)} * 2];
  }
  staged.count = 0;
}

// A look at the first few values; a wrong guess costs time only.
HWY_INLINE bool has_many_zeros(const float* values, std::size_t count) {
  constexpr std::size_t kLookedAt = 64;
  if (count < 2 * kLookedAt) return false;
  const Values<float> t;
  std::size_t zeros = 0;
  for (std::size_t i = 0; i < kLookedAt; i += hn::Lanes(t)) {
    zeros += hn::CountTrue(t, hn::Eq(hn::LoadU(t, values + i), hn::Zero(t)));
  }
  return zeros * 4 >= kLookedAt;
}

enum class Counting { kNone, kAll, kNonzero };

template <Counting kCounting, typename T>
HWY_INLINE BlockSums sum_turns(const T* HWY_RESTRICT values, std::size_t count, BucketTable* table) {
  const Doubles d;
  const Values<T> t;
  const std::size_t lanes = hn::Lanes(d);
  // Two chains of each sum: one would wait for its own last addition.
  auto sum0 = hn::Zero(d), squares0 = hn::Zero(d), l1_0 = hn::Zero(d);
  auto sum1 = hn::Zero(d), squares1 = hn::Zero(d), l1_1 = hn::Zero(d);
  auto min = hn::Set(t, std::numeric_limits<T>::infinity());
  auto max = hn::Set(t, -std::numeric_limits<T>::infinity());
  auto smallest = min;
  [[maybe_unused]] Staged staged;
  for (std::size_t i = 0; i < count; i += kTurn) {
    for (std::size_t j = i; j < i + kTurn; j += 2 * lanes) {
      add_to_sums(load_doubles(values + j), sum0, squares0, l1_0);
      add_to_sums(load_doubles(values + j + lanes), sum1, squares1, l1_1);
    }
    for (std::size_t j = i; j < i + kTurn; j += hn::Lanes(t)) {
      const auto v = hn::LoadU(t, values + j);
      min = hn::Min(min, v);
      max = hn::Max(max, v);
      smallest = hn::Min(smallest, infinite_if_zero(t, hn::Abs(v)));
    }
    if constexpr (kCounting == Counting::kAll) {
      count_turn(values + i, table->pairs[0].data(), table->pairs[1].data());
    } else if constexpr (kCounting == Counting::kNonzero) {
      stage_nonzero(values + i, staged);
      if (i % 256 == 256 - kTurn || i + kTurn == count) count_staged(*table, staged);
    }
  }
  BlockSums sums;
  sums.sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
  sums.sum_squares = hn::GetLane(hn::SumOfLanes(d, hn::Add(squares0, squares1)));
  sums.l1 = hn::GetLane(hn::SumOfLanes(d, hn::Add(l1_0, l1_1)));
  sums.min = static_cast<double>(hn::GetLane(hn::MinOfLanes(t, min)));
  sums.max = static_cast<double>(hn::GetLane(hn::MaxOfLanes(t, max)));
  sums.smallest = static_cast<double>(hn::GetLane(hn::MinOfLanes(t, smallest)));
  return sums;
}

template <typename T>
HWY_INLINE BlockSums count_and_sum_turns(const T* values, std::size_t count, BucketTable* table) {
  if constexpr (std::is_same_v<T, float>) {
    if (has_many_zeros(values, count)) return sum_turns<Counting::kNonzero>(values, count, table);
  }
  return sum_turns<Counting::kAll>(values, count, table);
}

template <typename T>
HWY_INLINE BlockSums sum_values(const T* values, std::size_t count, BucketTable* table) {
  const std::size_t whole = count - count % kTurn;
  BlockSums sums;
  if (table == nullptr) {
    if (whole > 0) sums = sum_turns<Counting::kNone>(values, whole, table);
    add_tail<false>(values + whole, count - whole, table, sums);
  } else {
    if (whole > 0) sums = count_and_sum_turns(values, whole, table);
    add_tail<true>(values + whole, count - whole, table, sums);
  }
  return sums;
}

HWY_INLINE void add_one_if_finite(double value, BlockSums& sums) {
  if (std::isnan(value)) {
    ++sums.nan;
  } else if (std::isinf(value)) {
    ++(value > 0 ? sums.positive_inf : sums.negative_inf);
  } else {
    add_one(value, sums);
  }
}

template <class D, class M>
HWY_INLINE hn::Vec<D> ones_where(D d, M mask) {
  return hn::IfThenElseZero(mask, hn::Set(d, 1.0));
}

template <typename T>
HWY_INLINE BlockSums sum_finite_values(const T* values, std::size_t count) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = count - count % lanes;
  const auto inf = hn::Set(d, kInf);
  const auto minus_inf = hn::Set(d, -kInf);
  auto sum = hn::Zero(d), squares = hn::Zero(d), l1 = hn::Zero(d);
  auto min = inf, max = minus_inf, smallest = inf;
  auto nans = hn::Zero(d), positive_infs = hn::Zero(d), negative_infs = hn::Zero(d);
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto v = load_doubles(values + i);
    const auto finite = hn::Lt(hn::Abs(v), inf);
    const auto kept = hn::IfThenElseZero(finite, v);
    add_to_sums(kept, sum, squares, l1);
    min = hn::Min(min, hn::IfThenElse(finite, v, inf));
    max = hn::Max(max, hn::IfThenElse(finite, v, minus_inf));
    smallest = hn::Min(smallest, infinite_if_zero(d, hn::Abs(kept)));
    nans = hn::Add(nans, ones_where(d, hn::IsNaN(v)));
    positive_infs = hn::Add(positive_infs, ones_where(d, hn::Eq(v, inf)));
    negative_infs = hn::Add(negative_infs, ones_where(d, hn::Eq(v, minus_inf)));
  }
  BlockSums sums;
  sums.sum = hn::GetLane(hn::SumOfLanes(d, sum));
  sums.sum_squares = hn::GetLane(hn::SumOfLanes(d, squares));
  sums.l1 = hn::GetLane(hn::SumOfLanes(d, l1));
  sums.min = hn::GetLane(hn::MinOfLanes(d, min));
  sums.max = hn::GetLane(hn::MaxOfLanes(d, max));
  sums.smallest = hn::GetLane(hn::MinOfLanes(d, smallest));
  sums.nan = static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(d, nans)));
  sums.positive_inf = static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(d, positive_infs)));
  sums.negative_inf = static_cast<std::uint64_t>(hn::GetLane(hn::SumOfLanes(d, negative_infs)));
  for (std::size_t i = whole; i < count; ++i) add_one_if_finite(static_cast<double>(values[i]), sums);
  return sums;
}

BlockSums sum_floats(const float* values, std::size_t count, BucketTable* table) {
  return sum_values(values, count, table);
}

BlockSums sum_doubles(const double* values, std::size_t count, BucketTable* table) {
  return sum_values(values, count, table);
}

BlockSums sum_finite_floats(const float* values, std::size_t count) { return sum_finite_values(values, count); }

BlockSums sum_finite_doubles(const double* values, std::size_t count) { return sum_finite_values(values, count); }

}  // namespace HWY_NAMESPACE
}  // namespace tensortap::stats
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tensortap::stats {

HWY_EXPORT(sum_floats);
HWY_EXPORT(sum_doubles);
HWY_EXPORT(sum_finite_floats);
HWY_EXPORT(sum_finite_doubles);

BlockSums sum_block(const float* values, std::size_t count, BucketTable* table) {
  return HWY_DYNAMIC_DISPATCH(sum_floats)(values, count, table);
}

BlockSums sum_block(const double* values, std::size_t count, BucketTable* table) {
  return HWY_DYNAMIC_DISPATCH(sum_doubles)(values, count, table);
}

BlockSums sum_finite(const float* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_finite_floats)(values, count);
}

BlockSums sum_finite(const double* values, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_finite_doubles)(values, count);
}

}  // namespace tensortap::stats
#endif  // HWY_ONCE
