// ArrowStream: a table as an Arrow C stream, for pandas, polars, DuckDB and whatever else speaks Arrow.
//
//   kInt64        int64               the column's own memory
//   kUint64       uint64              the column's own memory
//   kFloat64      float64             the column's own memory
//   kFloat64List  large_list<float64> the column's own memory
//   kWord         dictionary<int32, utf8>: the indices are the column's own memory, the words are copied once a stream
//   kText         large_utf8          copied: Arrow wants the texts one behind the other
//   kBinary       large_binary        likewise
//   kTimestamp    timestamp[us, UTC]  converted; a time that is not finite is null
//
// Text and binary have 64-bit offsets because the schema is given before the first batch is known.
#pragma once

#include <memory>

#include "format/arrow_abi.h"
#include "tensor/table.h"

namespace tensortap::format {

// Fills `out`, which then owns the cursor; whoever takes the stream calls its release().
//
// Threads:  the callbacks of one stream one at a time, on any thread; the arrays it gave are independent of it.
// Failure:  a callback returns an errno, and get_last_error() the sentence. After an error the stream stays failed.
// Lifetime: an array owns its columns, also after the stream is released.
void export_arrow_stream(std::unique_ptr<TableCursor> cursor, ArrowArrayStream* out);

}  // namespace tensortap::format
