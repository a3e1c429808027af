// ScalarColumn: every point of one scalar series, in little memory, with its extremes at hand.
//
//   points 0..63   64..127   ...            sealed blocks of 64 points, packed without loss
//   [  block 0  ][  block 1  ] ... [ tail ]  the newest points, as they came
//   [ min max of 16 blocks ...             ]  and of 16 of those, and so on: see extremes()
//
// A block leaves out what it can: steps that advance evenly, the second half of doubles that are float32.
// Twelve bytes a point is usual, where the plain columns take twenty-four.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "store/arena.h"

namespace tensortap::store {

struct ScalarPoint {
  std::int64_t step = 0;
  double wall_secs = 0;
  double value = 0;
};

// The finite values of some points; min > max when there are none.
struct Extremes {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  std::uint64_t non_finite = 0;

  void add(const Extremes& other);
  void add(double value);
};

// Threads:  one writer, or any number of readers.
// Failure:  none but for memory.
// Lifetime: sealed blocks live in the arena given to append().
class ScalarColumn {
 public:
  static constexpr std::size_t kBlockPoints = 64;

  void append(const ScalarPoint& point, Arena& arena);

  // Hints that append() comes soon.
  void prefetch() const {
    if (tail_ == nullptr) return;
    __builtin_prefetch(tail_steps() + tail_size_);
    __builtin_prefetch(tail_walls() + tail_size_);
    __builtin_prefetch(tail_values() + tail_size_);
  }

  std::size_t size() const { return blocks_.size() * kBlockPoints + tail_size_; }
  // Whether every step is greater than the one before it: no restart, no doubled step, no disorder.
  bool ascending() const { return ascending_; }
  // The least and the greatest step; only when there are points.
  std::int64_t min_step() const { return min_step_; }
  std::int64_t max_step() const { return max_step_; }

  ScalarPoint at(std::size_t index) const;
  // Points [from, from + count) into three columns.
  void copy(std::size_t from, std::size_t count, std::int64_t* steps, double* walls, double* values) const;
  // The first index whose step is not below `step`. Needs ascending().
  std::size_t lower_bound(std::int64_t step) const;
  // Of points [from, to): touches blocks and their summaries, not every point.
  Extremes extremes(std::size_t from, std::size_t to) const;
  // The first index in [from, to) with this value; `to` when there is none.
  std::size_t find(double value, std::size_t from, std::size_t to) const;

  // How a sealed block stands in the arena, for the index cache.
  struct Block {
    const std::byte* data = nullptr;  // walls, then values, then steps unless they are even
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    Extremes extremes;
    std::uint8_t layout = 0;
  };
  const std::vector<Block>& blocks() const { return blocks_; }
  static std::size_t block_bytes(std::uint8_t layout);
  // Takes over a block that was sealed before and whose data outlives the column; only before any append().
  void restore(const Block& block);

 private:
  struct Unpacked {
    std::array<std::int64_t, kBlockPoints> steps;
    std::array<double, kBlockPoints> walls;
    std::array<double, kBlockPoints> values;
  };

  void seal(Arena& arena);
  void add_block(const Block& block);
  void see_step(std::int64_t step, bool is_first);
  void grow_tail();
  static ScalarPoint point_of(const Block& block, std::size_t index);
  static void unpack(const Block& block, std::size_t from, std::size_t count, std::int64_t* steps, double* walls,
                     double* values);
  Extremes extremes_of_blocks(std::size_t from, std::size_t to) const;

  std::int64_t* tail_steps() const { return reinterpret_cast<std::int64_t*>(tail_.get()); }
  double* tail_walls() const { return reinterpret_cast<double*>(tail_.get()) + tail_capacity_; }
  double* tail_values() const { return tail_walls() + tail_capacity_; }

  std::vector<Block> blocks_;
  std::vector<std::vector<Extremes>> levels_;  // [0] of 16 blocks each, [1] of 16 of those, ...
  std::unique_ptr<std::byte[]> tail_;
  std::uint32_t tail_size_ = 0;
  std::uint32_t tail_capacity_ = 0;
  std::int64_t last_step_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t min_step_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_step_ = std::numeric_limits<std::int64_t>::min();
  bool ascending_ = true;
};

}  // namespace tensortap::store
