// WallClock: seconds since 1970 that never run backwards within one writer.
#pragma once

#include <cstdint>

namespace tensortap {

// Nanoseconds of a clock that only moves forward; its zero means nothing.
std::int64_t monotonic_nanos();

// Nanoseconds of processor time the calling thread has used.
std::int64_t thread_cpu_nanos();

// Anchored once to the system's time, then driven by a clock that counts through suspend and cannot be set.
// A system clock that is set back while recording would otherwise fold the time axis over itself.
//
// Threads:  const after construction.
// Failure:  none; always finite.
// Lifetime: a value.
class WallClock {
 public:
  WallClock();
  // For tests: as if the system clock had shown `anchor_secs` when the clock was made.
  explicit WallClock(double anchor_secs);

  double now_secs() const;

 private:
  double anchor_secs_;
  std::int64_t anchor_nanos_;
};

}  // namespace tensortap
