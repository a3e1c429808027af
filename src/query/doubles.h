// Doubles: the numbers of a tensor of any dtype, for columns that know no other.
//
// Private to query.
#pragma once

#include <vector>

#include "query/tensors.h"

namespace tensortap::query {

// Row by row; of complex numbers the real part, then the imaginary. 64-bit integers are rounded to the nearest double.
// Empty for strings.
std::vector<double> doubles_of(const OwnedTensor& tensor);

}  // namespace tensortap::query
