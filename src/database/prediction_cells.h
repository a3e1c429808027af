// PredictionCells: what a sample's output and label are in a table.
#pragma once

#include <cstdint>

#include "database/row.h"
#include "event/capture.h"
#include "tensortap/result.h"

namespace tensortap::database {

// One side of a set of predictions, read sample by sample. Does not own the tensor.
//
// Threads:  const after construction.
// Failure:  a tensor that npy cannot hold gives cells that are NULL.
// Lifetime: no longer than the tensor's bytes.
class SampleReader {
 public:
  // kInvalid dtype: every cell is NULL. `samples` is the tensor's first extent.
  SampleReader(const event::CapturedTensor& tensor, std::int64_t samples);

  // All numbers of the sample, where there are few.
  Cell numbers(std::int64_t sample) const;
  // The sample as an .npy file, where there are many or they are complex.
  Cell npy(std::int64_t sample) const;
  const Shape& sample_shape() const { return sample_shape_; }

 private:
  bool is_listed() const;
  TensorView view_of(std::int64_t sample) const;

  const event::CapturedTensor& tensor_;
  Shape sample_shape_;
  std::uint64_t sample_numbers_ = 0;
};

// The class of a vector of several numbers (the first greatest), or a single number itself. NULL where there is none:
// more dimensions, NaN among several numbers.
Cell predicted_class(const Cell& numbers, const Shape& sample_shape);
// A single number, or the class that a one-hot vector means.
Cell label_class(const Cell& numbers, const Shape& sample_shape);

}  // namespace tensortap::database
