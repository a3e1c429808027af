// NPY: a tensor in NumPy's file format, which np.load reads.
//
//   0    93 "NUMPY"                         6 bytes
//   6    1 0                                version
//   8    length of the text: u16
//   10   {'descr': '<f4', 'fortran_order': False, 'shape': (64, 32), }   spaces and a line feed, up to a multiple of 64
//   ...  the elements, row by row, little-endian
//
// bfloat16 and the float8 kinds, which NumPy alone does not know, are widened to float32: exactly. int4 and uint4
// become int8 and uint8. Strings become bytes of equal width ('S12').
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::format {

// The dtype that elements of `dtype` have in the file: itself where NumPy has it.
DType npy_dtype(DType dtype);

// What stands before the elements of npy_dtype(dtype). kUnsupported for strings and kInvalid.
Result<std::string> npy_header(DType dtype, const Shape& shape);

// The whole file. kInvalidArgument as TensorView::validate(), kUnsupported as npy_header().
Result<std::string> encode_npy(const TensorView& tensor);

// The whole file of a tensor of strings, one for each element of `shape`.
// kUnsupported: a string ends with NUL, which NumPy would lose, or they take more than `max_bytes` together.
Result<std::string> encode_npy_strings(std::span<const std::string> strings, const Shape& shape,
                                       std::uint64_t max_bytes);

}  // namespace tensortap::format
