// Curve: scalars as a line chart of text, with axes.
#pragma once

#include <string>

#include "query/scalars.h"

namespace tensortap::cli {

struct CurveSize {
  int columns = 80;  // axes included
  int rows = 16;     // of the chart alone
};

// Points that a chart of this width can tell apart: what to ask scalars() for.
std::uint64_t curve_points(const CurveSize& size);

// Eight dots a character. A column covers all from its least to its greatest value, so that no spike is lost.
// NaN and infinite values are marks on the axis: x for NaN, ^ for +Inf, v for -Inf; `mark_start` and `mark_end` stand
// around them (colours).
std::string draw_curve(const query::ScalarSeries& series, const CurveSize& size, const std::string& mark_start,
                       const std::string& mark_end);

}  // namespace tensortap::cli
