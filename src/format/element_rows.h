// ElementRows: a tensor as CSV rows that say of which part of something larger they are.
//
//   3,120,dense,kernel,"0,1",0.25      <before>index,value; the index of a scalar is an empty cell
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tensortap/tensor_view.h"

namespace tensortap::format {

// "0,1" of element `index` in row-major order, with `joint` between the numbers; nothing for a scalar.
void append_index(std::string& out, const Shape& shape, std::uint64_t index, char joint = ',');

// Threads:  one at a time.
// Failure:  none but for memory.
// Lifetime: the elements must outlive it.
class ElementRows {
 public:
  // A valid tensor without gaps; `before` are whole cells, their last comma included.
  ElementRows(TensorView tensor, std::string before);

  // Some thousand rows at a time; nullopt at the end.
  std::optional<std::string> next();

 private:
  void append_row(std::string& out) const;

  TensorView tensor_;
  std::string before_;
  std::uint64_t total_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tensortap::format
