// Slices of tensors: fewer elements of the same tensor, before anything is copied.
//
// Private to query.
#pragma once

#include <string>
#include <vector>

#include "query/tensors.h"

namespace tensortap::query {

// A view of some elements of `whole`, which is valid and without gaps. kInvalidArgument as tensor_at().
Result<TensorView> sliced(const TensorView& whole, const std::vector<Slice>& slices);

// The same with a copy of the elements.
Result<OwnedTensor> sliced_copy(const TensorView& whole, const std::vector<Slice>& slices);

// The same for strings, which have no view; there is one for each element of `shape`.
Result<OwnedTensor> sliced_strings(std::vector<std::string> strings, const Shape& shape,
                                   const std::vector<Slice>& slices);

}  // namespace tensortap::query
