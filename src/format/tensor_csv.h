// TensorCsv: a tensor as CSV, one row an element.
//
//   axis_0,axis_1,value       complex elements have real,imag instead of value
//   0,0,0.1
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tensortap/tensor_view.h"

namespace tensortap::format {

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: the elements must outlive it.
class TensorCsv {
 public:
  // A valid tensor without gaps.
  explicit TensorCsv(TensorView tensor);
  // Strings, one for each element of `shape`.
  TensorCsv(std::span<const std::string> strings, Shape shape);

  // The heads, then some thousand rows at a time; nullopt at the end.
  std::optional<std::string> next();

 private:
  std::string heads() const;
  void append_row(std::string& out, std::uint64_t index) const;

  TensorView tensor_;
  std::span<const std::string> strings_;
  std::uint64_t total_ = 0;
  std::uint64_t next_ = 0;
  bool started_ = false;
};

}  // namespace tensortap::format
