// ScalarColumn: packing, unpacking and looking for extremes.
#include "store/scalar_column.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tensortap::store {
namespace {

constexpr std::size_t kFanOut = 16;
constexpr std::size_t kPoints = ScalarColumn::kBlockPoints;

// Layout bits: how the values and the steps of a block are held.
constexpr std::uint8_t kWideValues = 1;  // double instead of float
constexpr std::uint8_t kShortSteps = 2;  // uint32 differences to the first step
constexpr std::uint8_t kWideSteps = 4;   // int64; neither bit: steps advance evenly
constexpr std::uint8_t kLayoutBits = 7;

std::size_t value_bytes(std::uint8_t layout) { return (layout & kWideValues) != 0 ? sizeof(double) : sizeof(float); }

std::size_t step_bytes(std::uint8_t layout) {
  if ((layout & kWideSteps) != 0) return sizeof(std::int64_t);
  return (layout & kShortSteps) != 0 ? sizeof(std::uint32_t) : 0;
}

template <typename T>
T load(const std::byte* array, std::size_t index) {
  T value;
  std::memcpy(&value, array + index * sizeof(T), sizeof value);
  return value;
}

// Differences wrap, so that steps at both ends of int64 are no special case.
std::uint64_t difference(std::int64_t later, std::int64_t earlier) {
  return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
}

std::uint8_t step_layout(const std::int64_t* steps) {
  const std::uint64_t stride = difference(steps[1], steps[0]);
  bool even = true, is_short = true;
  for (std::size_t i = 1; i < kPoints; ++i) {
    even &= difference(steps[i], steps[i - 1]) == stride;
    is_short &= difference(steps[i], steps[0]) <= 0xffffffffU;
  }
  if (even) return 0;
  return is_short ? kShortSteps : kWideSteps;
}

std::uint8_t value_layout(const double* values) {
  bool narrow = true;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double value = values[i];
    // NaN is NaN in float32 too; all other values must come back as they were, -0 included.
    narrow &= value != value || static_cast<double>(static_cast<float>(value)) == value;
  }
  return narrow ? 0 : kWideValues;
}

std::int64_t step_of(const ScalarColumn::Block& block, std::size_t index) {
  const std::byte* steps = block.data + kPoints * (sizeof(double) + value_bytes(block.layout));
  if ((block.layout & kWideSteps) != 0) return load<std::int64_t>(steps, index);
  std::uint64_t ahead = 0;
  if ((block.layout & kShortSteps) != 0) {
    ahead = load<std::uint32_t>(steps, index);
  } else {
    ahead = difference(block.last_step, block.first_step) / (kPoints - 1) * index;
  }
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(block.first_step) + ahead);
}

double value_of(const ScalarColumn::Block& block, std::size_t index) {
  const std::byte* values = block.data + kPoints * sizeof(double);
  if ((block.layout & kWideValues) != 0) return load<double>(values, index);
  return load<float>(values, index);
}

}  // namespace

void Extremes::add(const Extremes& other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  non_finite += other.non_finite;
}

void Extremes::add(double value) {
  if (!std::isfinite(value)) {
    ++non_finite;
    return;
  }
  min = std::min(min, value);
  max = std::max(max, value);
}

std::size_t ScalarColumn::block_bytes(std::uint8_t layout) {
  return kPoints * (sizeof(double) + value_bytes(layout) + step_bytes(layout & kLayoutBits));
}

void ScalarColumn::append(const ScalarPoint& point, Arena& arena) {
  if (tail_size_ == tail_capacity_) grow_tail();
  see_step(point.step, size() == 0);
  tail_steps()[tail_size_] = point.step;
  tail_walls()[tail_size_] = point.wall_secs;
  tail_values()[tail_size_] = point.value;
  if (++tail_size_ == kPoints) seal(arena);
}

void ScalarColumn::see_step(std::int64_t step, bool is_first) {
  ascending_ &= step > last_step_ || is_first;
  last_step_ = step;
  min_step_ = std::min(min_step_, step);
  max_step_ = std::max(max_step_, step);
}

void ScalarColumn::grow_tail() {
  const std::uint32_t capacity = tail_capacity_ == 0 ? 16 : tail_capacity_ * 2;
  auto wider = std::make_unique_for_overwrite<std::byte[]>(capacity * sizeof(ScalarPoint));
  auto* steps = reinterpret_cast<std::int64_t*>(wider.get());
  auto* numbers = reinterpret_cast<double*>(wider.get());
  if (tail_size_ > 0) {
    std::copy_n(tail_steps(), tail_size_, steps);
    std::copy_n(tail_walls(), tail_size_, numbers + capacity);
    std::copy_n(tail_values(), tail_size_, numbers + 2 * std::size_t{capacity});
  }
  tail_ = std::move(wider);
  tail_capacity_ = capacity;
}

void ScalarColumn::seal(Arena& arena) {
  Block block;
  block.layout = static_cast<std::uint8_t>(step_layout(tail_steps()) | value_layout(tail_values()));
  block.first_step = tail_steps()[0];
  block.last_step = tail_steps()[kPoints - 1];
  // A difference that is even only because it wraps around int64 cannot be divided again.
  if (step_bytes(block.layout) == 0 && step_of(block, 1) != tail_steps()[1]) block.layout |= kWideSteps;
  for (std::size_t i = 0; i < kPoints; ++i) block.extremes.add(tail_values()[i]);

  std::byte* to = arena.take(block_bytes(block.layout));
  block.data = to;
  std::memcpy(to, tail_walls(), kPoints * sizeof(double));
  to += kPoints * sizeof(double);
  if ((block.layout & kWideValues) != 0) {
    std::memcpy(to, tail_values(), kPoints * sizeof(double));
  } else {
    auto* narrow = reinterpret_cast<float*>(to);
    for (std::size_t i = 0; i < kPoints; ++i) narrow[i] = static_cast<float>(tail_values()[i]);
  }
  to += kPoints * value_bytes(block.layout);
  if ((block.layout & kWideSteps) != 0) {
    std::memcpy(to, tail_steps(), kPoints * sizeof(std::int64_t));
  } else if ((block.layout & kShortSteps) != 0) {
    auto* ahead = reinterpret_cast<std::uint32_t*>(to);
    for (std::size_t i = 0; i < kPoints; ++i) {
      ahead[i] = static_cast<std::uint32_t>(difference(tail_steps()[i], block.first_step));
    }
  }
  tail_size_ = 0;
  add_block(block);
}

void ScalarColumn::add_block(const Block& block) {
  blocks_.push_back(block);
  // A full group of 16 becomes one entry of the level above, and so on upwards.
  std::size_t count = blocks_.size();
  for (std::size_t level = 0; count % kFanOut == 0; ++level, count /= kFanOut) {
    if (level == levels_.size()) levels_.emplace_back();
    Extremes group;
    for (std::size_t i = count - kFanOut; i < count; ++i) {
      group.add(level == 0 ? blocks_[i].extremes : levels_[level - 1][i]);
    }
    levels_[level].push_back(group);
  }
}

void ScalarColumn::restore(const Block& block) {
  see_step(block.first_step, blocks_.empty());
  // Even steps are told by their ends.
  const std::size_t first = step_bytes(block.layout) == 0 ? kPoints - 1 : 1;
  for (std::size_t i = first; i < kPoints; ++i) see_step(step_of(block, i), false);
  add_block(block);
}

ScalarPoint ScalarColumn::point_of(const Block& block, std::size_t index) {
  return {step_of(block, index), load<double>(block.data, index), value_of(block, index)};
}

ScalarPoint ScalarColumn::at(std::size_t index) const {
  const std::size_t in_blocks = blocks_.size() * kPoints;
  if (index < in_blocks) return point_of(blocks_[index / kPoints], index % kPoints);
  index -= in_blocks;
  return {tail_steps()[index], tail_walls()[index], tail_values()[index]};
}

void ScalarColumn::unpack(const Block& block, std::size_t from, std::size_t count, std::int64_t* steps, double* walls,
                          double* values) {
  std::memcpy(walls, block.data + from * sizeof(double), count * sizeof(double));
  for (std::size_t i = 0; i < count; ++i) values[i] = value_of(block, from + i);
  for (std::size_t i = 0; i < count; ++i) steps[i] = step_of(block, from + i);
}

void ScalarColumn::copy(std::size_t from, std::size_t count, std::int64_t* steps, double* walls, double* values) const {
  const std::size_t in_blocks = blocks_.size() * kPoints;
  while (count > 0 && from < in_blocks) {
    const std::size_t within = from % kPoints;
    const std::size_t now = std::min(count, kPoints - within);
    unpack(blocks_[from / kPoints], within, now, steps, walls, values);
    from += now, count -= now;
    steps += now, walls += now, values += now;
  }
  if (count == 0) return;
  from -= in_blocks;
  std::copy_n(tail_steps() + from, count, steps);
  std::copy_n(tail_walls() + from, count, walls);
  std::copy_n(tail_values() + from, count, values);
}

std::size_t ScalarColumn::lower_bound(std::int64_t step) const {
  auto block = std::lower_bound(blocks_.begin(), blocks_.end(), step,
                                [](const Block& each, std::int64_t wanted) { return each.last_step < wanted; });
  std::size_t index = static_cast<std::size_t>(block - blocks_.begin()) * kPoints;
  if (block == blocks_.end()) {
    return index +
           static_cast<std::size_t>(std::lower_bound(tail_steps(), tail_steps() + tail_size_, step) - tail_steps());
  }
  std::size_t within = 0;
  while (step_of(*block, within) < step) ++within;
  return index + within;
}

Extremes ScalarColumn::extremes_of_blocks(std::size_t from, std::size_t to) const {
  Extremes found;
  while (from < to) {
    // The widest group that starts here and stays inside.
    std::size_t width = 1;
    int level = -1;
    while (from % (width * kFanOut) == 0 && from + width * kFanOut <= to) width *= kFanOut, ++level;
    found.add(level < 0 ? blocks_[from].extremes : levels_[static_cast<std::size_t>(level)][from / width]);
    from += width;
  }
  return found;
}

Extremes ScalarColumn::extremes(std::size_t from, std::size_t to) const {
  Extremes found;
  const std::size_t in_blocks = blocks_.size() * kPoints;
  auto add_each = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) found.add(at(i).value);
  };
  const std::size_t first_whole = (from + kPoints - 1) / kPoints;
  const std::size_t end_whole = std::min(to, in_blocks) / kPoints;
  if (first_whole >= end_whole) {
    add_each(from, to);
    return found;
  }
  add_each(from, first_whole * kPoints);
  found.add(extremes_of_blocks(first_whole, end_whole));
  add_each(end_whole * kPoints, to);
  return found;
}

std::size_t ScalarColumn::find(double value, std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to;) {
    const std::size_t block = i / kPoints;
    if (i % kPoints == 0 && block < blocks_.size() &&
        (value < blocks_[block].extremes.min || value > blocks_[block].extremes.max)) {
      i += kPoints;
      continue;
    }
    if (at(i).value == value) return i;
    ++i;
  }
  return to;
}

}  // namespace tensortap::store
