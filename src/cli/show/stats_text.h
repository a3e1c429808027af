// StatsText: the statistics of a tensor in a line, or in JSON.
#pragma once

#include <string>

#include "cli/json_out.h"
#include "store/series.h"
#include "tensortap/tensor_stats.h"

namespace tensortap::cli {

// "1,000 values  min -1  mean 0.1  max 2  std 0.5  l2 3  7 zero  1 NaN"
std::string stats_line(const store::StatsRow& row);

// "stats": {"count", "zeros", "nan", ..., "min", "max", "mean", "std", "l1", "l2"}
void put_stats(JsonOut& json, const store::StatsRow& row);

// As a row, with NaN where nothing is finite.
store::StatsRow stats_row(const TensorStats& stats);

}  // namespace tensortap::cli
