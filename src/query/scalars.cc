// Scalars: every point, or the four of each column that a line chart can show.
#include "query/scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "query/part_series.h"

namespace tensortap::store {
// Found by query::visible() through their argument.
static std::int64_t step_of(const ScalarPoint& point) { return point.step; }
static double wall_of(const ScalarPoint& point) { return point.wall_secs; }
}  // namespace tensortap::store

namespace tensortap::query {
namespace {

using store::Extremes;
using store::ScalarColumn;
using store::ScalarPoint;

// Points that were put together from several files; answers what a ScalarColumn answers.
class PointList {
 public:
  explicit PointList(std::vector<ScalarPoint> points) : points_(std::move(points)) {}

  std::size_t size() const { return points_.size(); }
  const ScalarPoint& at(std::size_t index) const { return points_[index]; }
  std::size_t lower_bound(std::int64_t step) const {
    auto found = std::lower_bound(points_.begin(), points_.end(), step,
                                  [](const ScalarPoint& point, std::int64_t wanted) { return point.step < wanted; });
    return static_cast<std::size_t>(found - points_.begin());
  }
  Extremes extremes(std::size_t from, std::size_t to) const {
    Extremes found;
    for (std::size_t i = from; i < to; ++i) found.add(points_[i].value);
    return found;
  }
  std::size_t find(double value, std::size_t from, std::size_t to) const {
    while (from < to && points_[from].value != value) ++from;
    return from;
  }

 private:
  std::vector<ScalarPoint> points_;
};

void add(ScalarPoints& points, const ScalarPoint& point) {
  points.step.push_back(point.step);
  points.wall_secs.push_back(point.wall_secs);
  points.value.push_back(point.value);
}

template <typename Column>
void add_all(const Column& column, std::size_t from, std::size_t to, ScalarPoints& points) {
  for (std::size_t i = from; i < to; ++i) add(points, column.at(i));
}

void add_all(const ScalarColumn& column, std::size_t from, std::size_t to, ScalarPoints& points) {
  points.step.resize(to - from);
  points.wall_secs.resize(to - from);
  points.value.resize(to - from);
  column.copy(from, to - from, points.step.data(), points.wall_secs.data(), points.value.data());
}

// The first NaN, +Inf and -Inf of a column.
template <typename Column>
void add_non_finite(const Column& column, std::size_t from, std::size_t to, ScalarPoints& marks) {
  bool has_nan = false, has_plus = false, has_minus = false;
  for (std::size_t i = from; i < to && !(has_nan && has_plus && has_minus); ++i) {
    const ScalarPoint point = column.at(i);
    if (std::isfinite(point.value)) continue;
    bool& has = std::isnan(point.value) ? has_nan : point.value > 0 ? has_plus : has_minus;
    if (!std::exchange(has, true)) add(marks, point);
  }
}

// One column of the picture: points [from, to).
template <typename Column>
void add_column(const Column& column, std::size_t from, std::size_t to, ScalarSeries& series) {
  const Extremes extremes = column.extremes(from, to);
  std::array<std::size_t, 4> shown = {from, to - 1, from, from};
  if (extremes.min <= extremes.max) {
    shown[2] = column.find(extremes.min, from, to);
    shown[3] = column.find(extremes.max, from, to);
  }
  std::sort(shown.begin(), shown.end());
  const auto* end = std::unique(shown.begin(), shown.end());
  for (const auto* index = shown.begin(); index != end; ++index) add(series.points, column.at(*index));
  series.total_non_finite += extremes.non_finite;
  if (extremes.non_finite > 0) add_non_finite(column, from, to, series.non_finite);
}

// Cuts [from, to) into at most max_points / 4 columns: by step, or by index where steps do not ascend.
template <typename Column>
void thin(const Column& column, std::size_t from, std::size_t to, std::uint64_t max_points, bool by_step,
          ScalarSeries& series) {
  const std::uint64_t columns = std::max<std::uint64_t>(2, max_points / 4);
  const auto first = static_cast<double>(column.at(from).step);
  const double width = (static_cast<double>(column.at(to - 1).step) - first) / static_cast<double>(columns);
  std::size_t begin = from;
  for (std::uint64_t i = 1; i <= columns && begin < to; ++i) {
    std::size_t end = to;
    if (i < columns && by_step) {
      const double edge = first + width * static_cast<double>(i);
      end = std::clamp(column.lower_bound(static_cast<std::int64_t>(std::ceil(edge))), begin, to);
    } else if (i < columns) {
      end = from + static_cast<std::size_t>((to - from) * i / columns);
    }
    if (end > begin) add_column(column, begin, end, series);
    begin = end;
  }
}

template <typename Column>
ScalarSeries answer(const Column& column, const ScalarRequest& request, bool by_step) {
  ScalarSeries series;
  std::size_t from = 0, to = column.size();
  if (by_step) {
    from = column.lower_bound(request.selection.first_step);
    const std::int64_t last = request.selection.last_step;
    if (last != std::numeric_limits<std::int64_t>::max()) to = std::max(from, column.lower_bound(last + 1));
  }
  series.total_points = to - from;
  if (from == to) return series;
  if (request.max_points > 0 && to - from > std::max<std::uint64_t>(request.max_points, 8)) {
    thin(column, from, to, request.max_points, by_step, series);
    return series;
  }
  add_all(column, from, to, series.points);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    if (std::isfinite(series.points.value[i])) continue;
    ++series.total_non_finite;
    add(series.non_finite, {series.points.step[i], series.points.wall_secs[i], series.points.value[i]});
  }
  return series;
}

// The one file that has the tag; nullopt when several have it, or later attempts replace earlier points.
std::optional<ScalarSeries> answer_of_one(const Run& run, std::string_view tag, const ScalarRequest& request,
                                          bool& is_there) {
  std::optional<ScalarSeries> series;
  std::size_t having = 0;
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, tag);
    if (!name.has_value()) continue;
    part.file->read([&](const store::FileContents& contents) {
      const store::Series* found = contents.find(*name, store::Kind::kScalars);
      if (found == nullptr || found->size() == 0) {
        // A session that starts in a file without the tag may still replace its points.
        if (!contents.notes.session_starts.empty()) having += 2;
        return;
      }
      is_there = true;
      ++having;
      const std::vector<SessionCut> cuts = session_cuts(contents, found);
      const bool is_cut = std::any_of(cuts.begin(), cuts.end(), [](const SessionCut& cut) { return cut.index > 0; });
      if (having == 1 && !is_cut && found->scalars.ascending()) series = answer(found->scalars, request, true);
    });
  }
  return having == 1 ? series : std::nullopt;
}

std::vector<FileValues<ScalarPoint>> points_by_file(const Run& run, std::string_view tag) {
  std::vector<FileValues<ScalarPoint>> files;
  for (const RunPart& part : run.parts) {
    const auto name = tag_within(part, tag);
    if (!name.has_value()) continue;
    files.emplace_back();
    part.file->read([&](const store::FileContents& contents) {
      const store::Series* found = contents.find(*name, store::Kind::kScalars);
      files.back().cuts = session_cuts(contents, found);
      if (found == nullptr) return;
      files.back().values.reserve(found->size());
      for (std::size_t i = 0; i < found->size(); ++i) files.back().values.push_back(found->scalars.at(i));
    });
  }
  return files;
}

}  // namespace

Result<ScalarSeries> scalars(const Run& run, std::string_view tag, const ScalarRequest& request) {
  bool is_there = false;
  if (auto series = answer_of_one(run, tag, request, is_there)) return std::move(*series);
  if (!is_there) return no_such_tag(run, tag, store::Kind::kScalars);

  std::vector<FileValues<ScalarPoint>> files = points_by_file(run, tag);
  const Selection& selection = request.selection;
  std::vector<ScalarPoint> all;
  for (const auto& file : files) {
    std::copy_if(file.values.begin(), file.values.end(), std::back_inserter(all),
                 [&](const ScalarPoint& point) { return selection.has(point.step); });
  }
  if (selection.raw) return answer(PointList(std::move(all)), request, false);
  ScalarSeries series = answer(PointList(visible(std::move(files), false)), request, true);
  series.replaced_points = all.size() - series.total_points;
  return series;
}

}  // namespace tensortap::query
