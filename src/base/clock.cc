// The clocks, over clock_gettime.
#include "base/clock.h"

#include <ctime>

namespace tensortap {
namespace {

std::int64_t read_nanos(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t monotonic_nanos() { return read_nanos(CLOCK_MONOTONIC); }

std::int64_t thread_cpu_nanos() { return read_nanos(CLOCK_THREAD_CPUTIME_ID); }

WallClock::WallClock() : WallClock(static_cast<double>(read_nanos(CLOCK_REALTIME)) * 1e-9) {}

WallClock::WallClock(double anchor_secs) : anchor_secs_(anchor_secs), anchor_nanos_(read_nanos(CLOCK_BOOTTIME)) {}

double WallClock::now_secs() const {
  return anchor_secs_ + static_cast<double>(read_nanos(CLOCK_BOOTTIME) - anchor_nanos_) * 1e-9;
}

}  // namespace tensortap
