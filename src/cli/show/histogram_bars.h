// HistogramBars: a histogram as rows of edges, counts and bars.
#pragma once

#include <cstddef>
#include <vector>

#include "query/distributions.h"

namespace tensortap::cli {

// At most `most` rows. Whole buckets are put together, so that counts stay what they are: into rows of about the same
// width where that shows a shape, into the same number of buckets each where one row would hold most values.
query::HistogramAt merge_buckets(const query::HistogramAt& fine, std::size_t most);

// Prints to stdout, `columns` wide.
void print_bars(const query::HistogramAt& histogram, int columns);

}  // namespace tensortap::cli
