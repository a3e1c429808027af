// The value of every byte of the one-byte dtypes, as tables.
//
//   float8_e5m2         bias 15, Inf and NaN as in IEEE 754
//   float8_e4m3fn       bias 7, no Inf, NaN where all bits but the sign are set
//   float8_e4m3fnuz     bias 8, no Inf, no -0: its pattern 0x80 is the only NaN
//   float8_e4m3b11fnuz  bias 11, likewise
//   float8_e5m2fnuz     bias 16, likewise
//   int4, uint4         one element a byte, in the low four bits
//   bool                every byte but 0 is 1
#pragma once

#include <array>

#include "tensortap/dtype.h"

namespace tensortap::tensor {

// Index with the byte. All NaN for a dtype that is not one byte wide.
const std::array<float, 256>& byte_values(DType dtype);

// The smallest positive normal number; values below it, but for 0, are subnormal.
// For complex numbers that of their parts. 0 for dtypes without subnormals.
double smallest_normal(DType dtype);

}  // namespace tensortap::tensor
