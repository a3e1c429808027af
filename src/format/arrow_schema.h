// ArrowSchema: the heads of a table as Arrow describes them.
#pragma once

#include <vector>

#include "format/arrow_abi.h"
#include "tensor/table.h"

namespace tensortap::format {

// A struct with one field for each column, owned by `out` until its release(). Throws only std::bad_alloc.
void export_arrow_schema(const std::vector<ColumnHead>& heads, ArrowSchema* out);

}  // namespace tensortap::format
