// TapSchedule: at which batches the taps of one rule record.
#pragma once

#include <cstdint>
#include <vector>

#include "tensortap/export.h"

namespace tensortap::recorder {

// One batch, as the taps see it when it begins.
struct TapMoment {
  std::uint64_t batch = 0;  // batches of this phase before it, since the watch began
  std::int64_t step = 0;    // optimizer updates finished before it
  std::uint64_t epoch = 0;  // epochs of this phase before this one
  bool first_of_epoch = false;
};

// Exactly one of the three rules counts: steps if there are any, else epochs if not 0, else every.
//
// Threads:  a value.
// Failure:  none.
// Lifetime: none.
struct TENSORTAP_API TapSchedule {
  std::uint64_t every = 1;               // each so-manieth batch of a phase, the first one included; 0: none
  std::vector<std::int64_t> steps = {};  // at these steps alone; sorted
  std::uint64_t epochs = 0;              // at the first batch of each so-manieth epoch alone

  bool opens(const TapMoment& moment) const;
  bool operator==(const TapSchedule&) const = default;
};

}  // namespace tensortap::recorder
