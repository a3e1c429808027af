// Latest: of each scalar series its last value and its extremes, out of what is in memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/runs.h"

namespace tensortap::query {

struct LatestScalar {
  std::size_t run = 0;  // which of the runs
  std::string tag;
  std::uint64_t count = 0;  // without what a later attempt replaced
  std::int64_t last_step = 0;
  double last_value = 0;
  double last_wall_secs = 0;
  // Of the finite values, and where they are reached first; NaN when there are none.
  double min = 0;
  double max = 0;
  std::int64_t min_step = 0;
  std::int64_t max_step = 0;
  std::uint64_t non_finite = 0;
};

// The scalar series of the runs, by run and tag; with `tags`, those that one of them means, as choice.h takes them.
std::vector<LatestScalar> latest(std::span<const Run> runs, std::span<const std::string> tags);

}  // namespace tensortap::query
