// TensorText: the elements of a tensor as text.
#pragma once

#include <cstdint>
#include <string>

#include "cli/json_out.h"
#include "query/tensors.h"

namespace tensortap::cli {

// One element, by its place in row-major order: "0.125", "-3", "True", "(1+2j)", "'text'".
std::string element_text(const query::OwnedTensor& tensor, std::uint64_t index, int digits = 5);

// Rows in brackets as NumPy prints them; of a large tensor the corners.
std::string tensor_text(const query::OwnedTensor& tensor);

// All elements as one flat list; complex ones as strings.
void put_elements(JsonOut& json, std::string_view name, const query::OwnedTensor& tensor);

std::uint64_t element_count(const query::OwnedTensor& tensor);

}  // namespace tensortap::cli
