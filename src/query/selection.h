// Selection: which of a series' values a question is about.
//
// A training that was restarted, or a tag that is written twice at a step, has values that a later attempt replaced.
// Views leave them out unless `raw` is set:
//   - within a file, a value at step s replaces earlier ones of its tag at s and beyond (captures: beyond s only, for
//     validation batches and accumulated gradients repeat a step);
//   - a SessionLog.START at step s does that to every tag;
//   - a file that begins after another ended does that to the other file;
//   - files that were written at the same time are merged by step, and of values at the same step the newest is shown.
#pragma once

#include <cstdint>
#include <limits>

namespace tensortap::query {

struct Selection {
  std::int64_t first_step = std::numeric_limits<std::int64_t>::min();
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  // included
  bool raw = false;                                                   // every value, in the order of the files

  bool has(std::int64_t step) const { return step >= first_step && step <= last_step; }
};

}  // namespace tensortap::query
