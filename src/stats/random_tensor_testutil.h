// RandomTensor: test input of every dtype, layout and kind of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tensortap/tensor_view.h"

namespace tensortap::stats {

// Threads:  one at a time.
// Failure:  none.
// Lifetime: `view` points into `buffer`; moving keeps it, copying would not.
struct RandomTensor {
  std::vector<std::byte> buffer;
  TensorView view;
  std::string description;
};

// All numeric dtypes.
const std::vector<DType>& numeric_dtypes();

// Sizes crowd around the edges of vectors, blocks and the small-tensor path, and reach 70000.
RandomTensor random_tensor(std::mt19937_64& random, DType dtype);

}  // namespace tensortap::stats
