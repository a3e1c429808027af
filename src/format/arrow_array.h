// ArrowArray: a batch of a table as Arrow arrays that own its columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "format/arrow_abi.h"
#include "tensor/table.h"

namespace tensortap::format {

// The words of dictionary columns in Arrow's layout, made when they are first seen and shared by all batches.
//
// Threads:  one at a time.
// Failure:  kUnsupported for more than 2 GiB of words.
// Lifetime: what get() gave lives on without it.
class ArrowWords {
 public:
  struct Packed {
    std::vector<std::int32_t> offsets;
    std::string bytes;
  };
  using Source = std::shared_ptr<const std::vector<std::string>>;

  Result<std::shared_ptr<const Packed>> get(const Source& words);

 private:
  struct Known {
    Source words;  // kept, so that no other vector can have its address
    std::shared_ptr<const Packed> packed;
  };
  std::vector<Known> known_;  // one for each dictionary column: few
};

// A struct array with one child for each column, owned by `out` until its release(). Children may be moved out.
//
// kInvalidArgument for a batch whose columns are not those of `heads`, kUnsupported as ArrowWords. Throws only
// std::bad_alloc. `out` is untouched unless all went well.
Status export_arrow_array(const std::vector<ColumnHead>& heads, TableBatch batch, ArrowWords& words, ArrowArray* out);

}  // namespace tensortap::format
