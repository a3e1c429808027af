// ExactSubnormals: makes the processor keep subnormal numbers while it lives.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cstdint>

namespace tensortap::stats {

// TensorFlow runs its kernels with subnormals flushed to zero, and statistics may be taken on its threads.
//
// Threads:  concerns the calling thread only.
// Failure:  none.
// Lifetime: a scope; the former mode returns at its end.
class ExactSubnormals {
 public:
  ExactSubnormals() : saved_(read()) {
    if ((saved_ & kFlushBits) != 0) write(saved_ & ~kFlushBits);
  }
  ~ExactSubnormals() {
    if ((saved_ & kFlushBits) != 0) write(saved_);
  }
  ExactSubnormals(const ExactSubnormals&) = delete;
  ExactSubnormals& operator=(const ExactSubnormals&) = delete;

 private:
#if defined(__x86_64__)
  using Register = std::uint32_t;
  static constexpr Register kFlushBits = 0x8040;  // FTZ, DAZ
  static Register read() { return _mm_getcsr(); }
  static void write(Register value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Register = std::uint64_t;
  static constexpr Register kFlushBits = Register{1} << 24;  // FZ
  static Register read() {
    Register value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(Register value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#endif

  Register saved_;
};

}  // namespace tensortap::stats
