// The compact bytes of a histogram in a capture record.
//
//   buckets := { gap:varint  run-1:varint  { count-1:varint } * run }
//
// A run is a stretch of keys without a gap; `gap` is the number of empty keys before it. Empty buckets cost nothing,
// and small counts one byte.
#pragma once

#include <string>
#include <string_view>

#include "tensortap/result.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::event {

std::string encode_buckets(const Histogram& histogram);

// Fills keys and counts. kCorrupt when a key leaves the grid or a varint is cut off.
Status decode_buckets(std::string_view untrusted, Histogram& histogram);

}  // namespace tensortap::event
