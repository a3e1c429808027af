// FirstSamples: of a batch only the first few.
#pragma once

#include <cstdint>

#include "tensortap/tensor_view.h"

namespace tensortap::recorder {

// At most `count` along the first dimension; all of them for 0, and of a scalar.
inline KeptTensor first_samples(KeptTensor tensor, std::int64_t count) {
  Shape& shape = tensor.view.shape;
  if (count > 0 && !shape.empty() && shape[0] > count) shape[0] = count;
  return tensor;
}

}  // namespace tensortap::recorder
