// ElementText: the elements of a tensor as text, exactly: integers whole, floats the shortest of their own dtype.
#pragma once

#include <cstdint>
#include <string>

#include "tensortap/tensor_view.h"

namespace tensortap::format {

// 2 for complex elements, whose parts are numbers of their own; 1 for all others.
std::uint64_t parts_of_element(DType dtype);

// Element `index` of a valid tensor without gaps; of complex ones part 0 is the real, part 1 the imaginary.
// "0.1", "NaN", "-Infinity"; bool is 0 or 1.
void append_element(std::string& out, const TensorView& tensor, std::uint64_t index, std::uint64_t part = 0);

// The same as one piece of text: complex elements as Python writes them, "(1-2j)".
void append_whole_element(std::string& out, const TensorView& tensor, std::uint64_t index);

}  // namespace tensortap::format
