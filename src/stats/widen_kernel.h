// Conversion of element types to the two that the kernels add up.
//
//   float   <- float16, bfloat16, int16, uint16 (all exact), complex64 (magnitude)
//   double  <- int32, uint32 (exact), int64, uint64 (nearest), complex128 (magnitude)
//
// A complex number is NaN when a part is, else Inf when a part is; a finite one stays finite.
#pragma once

#include <cstddef>

#include "tensortap/dtype.h"

namespace tensortap::stats {

// float64, 32- and 64-bit integers and complex128 are taken as doubles, all other dtypes as floats.
bool needs_doubles(DType dtype);

// `from` is aligned for its dtype, which is one of those above.
void widen(DType dtype, const void* from, std::size_t count, float* to);
void widen(DType dtype, const void* from, std::size_t count, double* to);

}  // namespace tensortap::stats
