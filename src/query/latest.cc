// Latest: extremes out of the pyramids; only series that were restarted are put together first.
#include "query/latest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/glob.h"
#include "query/part_series.h"
#include "query/scalars.h"

namespace tensortap::query {
namespace {

using store::FileContents;
using store::Kind;
using store::Series;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

LatestScalar of_column(const store::ScalarColumn& column) {
  LatestScalar found;
  const store::Extremes extremes = column.extremes(0, column.size());
  const store::ScalarPoint last = column.at(column.size() - 1);
  found.count = column.size();
  found.last_step = last.step;
  found.last_value = last.value;
  found.last_wall_secs = last.wall_secs;
  found.non_finite = extremes.non_finite;
  found.min = found.max = kNan;
  if (extremes.min > extremes.max) return found;
  found.min = extremes.min;
  found.max = extremes.max;
  found.min_step = column.at(column.find(extremes.min, 0, column.size())).step;
  found.max_step = column.at(column.find(extremes.max, 0, column.size())).step;
  return found;
}

LatestScalar of_points(const ScalarSeries& series) {
  LatestScalar found;
  const ScalarPoints& points = series.points;
  found.count = points.size();
  found.non_finite = series.total_non_finite;
  found.min = found.max = kNan;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = points.value[i];
    found.last_step = points.step[i];
    found.last_value = value;
    found.last_wall_secs = points.wall_secs[i];
    if (!std::isfinite(value)) continue;
    if (!(found.min <= value)) {
      found.min = value;
      found.min_step = points.step[i];
    }
    if (!(found.max >= value)) {
      found.max = value;
      found.max_step = points.step[i];
    }
  }
  return found;
}

// Where a tag of a run stands: in one file, whose column answers, or in several.
struct Standing {
  const RunPart* part = nullptr;
  std::size_t parts = 0;
};

// Whether sessions start in any file, and so may replace points of others.
bool has_session_starts(const Run& run) {
  return std::any_of(run.parts.begin(), run.parts.end(), [](const RunPart& part) {
    return part.file->read([](const FileContents& contents) { return !contents.notes.session_starts.empty(); });
  });
}

// The names of a request that are there under themselves, and the globs.
class TagFilter {
 public:
  explicit TagFilter(std::span<const std::string> tags) : tags_(tags) {}

  template <typename Names>
  bool has(const std::string& tag, const Names& there) const {
    return tags_.empty() || std::any_of(tags_.begin(), tags_.end(), [&](const std::string& each) {
             if (each == tag) return true;
             return glob_has_wildcard(each) && !there.contains(each) && glob_matches(each, tag);
           });
  }

 private:
  std::span<const std::string> tags_;
};

std::optional<LatestScalar> latest_of(const Run& run, const std::string& tag, const Standing& standing, bool sessions) {
  std::optional<LatestScalar> found;
  if (standing.parts == 1 && !sessions) {
    standing.part->file->read([&](const FileContents& contents) {
      const Series* series = contents.find(*tag_within(*standing.part, tag), Kind::kScalars);
      if (series != nullptr && series->size() > 0 && series->scalars.ascending()) found = of_column(series->scalars);
    });
    if (found.has_value()) return found;
  }
  // A file that was replaced meanwhile may have it no more.
  const Result<ScalarSeries> series = scalars(run, tag, {});
  if (series.ok() && series.value().points.size() > 0) found = of_points(series.value());
  return found;
}

void add_run(const Run& run, std::size_t number, const TagFilter& filter, std::vector<LatestScalar>& rows) {
  std::unordered_map<std::string, Standing> standings;
  for (const RunPart& part : run.parts) {
    part.file->read([&](const FileContents& contents) {
      for (const auto& tag : contents.tags()) {
        const Series* series = tag->find(Kind::kScalars);
        if (series == nullptr || series->size() == 0) continue;
        Standing& standing = standings[part.prefix + tag->name];
        standing.part = &part;
        ++standing.parts;
      }
    });
  }
  const bool sessions = has_session_starts(run);
  const std::size_t first = rows.size();
  for (const auto& [tag, standing] : standings) {
    if (!filter.has(tag, standings)) continue;
    auto row = latest_of(run, tag, standing, sessions);
    if (!row.has_value()) continue;
    row->run = number;
    row->tag = tag;
    rows.push_back(std::move(*row));
  }
  std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
            [](const LatestScalar& a, const LatestScalar& b) { return a.tag < b.tag; });
}

}  // namespace

std::vector<LatestScalar> latest(std::span<const Run> runs, std::span<const std::string> tags) {
  const TagFilter filter(tags);
  std::vector<LatestScalar> rows;
  for (std::size_t number = 0; number < runs.size(); ++number) add_run(runs[number], number, filter, rows);
  return rows;
}

}  // namespace tensortap::query
