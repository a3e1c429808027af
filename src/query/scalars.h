// Scalars: the points of a scalar series, all of them or as many as a chart has room for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "query/runs.h"
#include "query/selection.h"

namespace tensortap::query {

struct ScalarRequest {
  Selection selection;
  // 0: every point. Otherwise at most this many (but at least 8): the range is cut into columns of equal width on the
  // step axis, and of each its first, last, least and greatest point are given, so that a line through them covers the
  // same pixels as a line through all. First and last point of the series are always among them.
  std::uint64_t max_points = 0;
};

// Columns of equal length, in order of steps (raw: in order of the files).
struct ScalarPoints {
  std::vector<std::int64_t> step;
  std::vector<double> wall_secs;
  std::vector<double> value;

  std::size_t size() const { return step.size(); }
};

struct ScalarSeries {
  ScalarPoints points;
  // Where the value is NaN or infinite. With max_points, of each column the first of NaN, +Inf and -Inf.
  ScalarPoints non_finite;
  std::uint64_t total_points = 0;      // in the selection
  std::uint64_t total_non_finite = 0;  // of them
  std::uint64_t replaced_points = 0;   // left out because a later attempt replaced them
};

// kNotFound, with names that are near.
Result<ScalarSeries> scalars(const Run& run, std::string_view tag, const ScalarRequest& request);

}  // namespace tensortap::query
