// Scalars: a curve for people, lines of step and value for pipes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "cli/show/curve.h"
#include "cli/show/show_request.h"
#include "cli/units.h"
#include "cli/visible_text.h"
#include "query/scalars.h"

namespace tensortap::cli {
namespace {

constexpr int kUsualRows = 16;
constexpr int kLinesAround = 5;  // heading, axis, steps, summary, prompt

void print_json(const ShowRequest& request, const query::ScalarSeries& series) {
  JsonOut json;
  begin_json(json, request);
  json.member("replaced_points", series.replaced_points);
  json.list("step", series.points.step);
  json.list("wall_time", series.points.wall_secs);
  json.list("value", series.points.value);
  json.end_object();
}

void print_lines(const query::ScalarPoints& points) {
  constexpr std::size_t kPieceBytes = 64 << 10;
  std::string out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\n", points.step[i], points.value[i]);
    if (out.size() < kPieceBytes) continue;
    fmt::print("{}", out);
    out.clear();
  }
  fmt::print("{}", out);
}

// "last 0.1 at step 99  least ...  greatest ..."
std::string summary(const query::ScalarSeries& series) {
  const query::ScalarPoints& points = series.points;
  const auto place = [&](const char* what, std::size_t at) {
    return fmt::format("{} {} at step {}", what, number_text(points.value[at]), points.step[at]);
  };
  std::string text = place("last", points.size() - 1);
  std::size_t least = points.size(), greatest = points.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(points.value[i])) continue;
    if (least == points.size() || points.value[i] < points.value[least]) least = i;
    if (greatest == points.size() || points.value[i] > points.value[greatest]) greatest = i;
  }
  if (least < points.size()) text += "   " + place("least", least) + "   " + place("greatest", greatest);
  return text;
}

void print_curve(const ShowRequest& request, const query::ScalarSeries& series, const CurveSize& size) {
  std::string notes;
  if (series.total_non_finite > 0) notes += fmt::format("  {} NaN or Inf", count_text(series.total_non_finite));
  if (series.replaced_points > 0) {
    notes += fmt::format("  {} replaced by a later attempt", count_text(series.replaced_points));
  }
  fmt::print("{}  {} of run {}{}\n", visible_text(request.tag), counted(series.total_points, "point", "points"),
             visible_text(request.run.name), notes);
  const bool has_color = request.terminal.colors != Colors::kNone;
  fmt::print("{}{}\n", draw_curve(series, size, has_color ? "\x1b[31m" : "", has_color ? "\x1b[0m" : ""),
             summary(series));
}

}  // namespace

Status show_scalars(const ShowRequest& request) {
  query::ScalarRequest wanted;
  wanted.selection = request.selection;
  if (request.step) wanted.selection.first_step = wanted.selection.last_step = *request.step;
  const bool is_drawn = !request.json && (request.terminal.is_terminal || request.width > 0 || request.height > 0);
  CurveSize size;
  size.columns = request.columns() - (request.width > 0 ? 0 : 1);
  const int free_rows = std::max(request.terminal.rows - kLinesAround, 4);
  size.rows = request.height > 0 ? static_cast<int>(request.height) : std::min(kUsualRows, free_rows);
  if (is_drawn) wanted.max_points = curve_points(size);
  auto series = query::scalars(request.run, request.tag, wanted);
  if (!series.ok()) return series.status();
  if (series->total_points == 0) {
    return Status(StatusCode::kNotFound, "'" + request.tag + "' has no points at these steps");
  }
  if (request.json) {
    print_json(request, *series);
  } else if (is_drawn) {
    print_curve(request, *series, size);
  } else {
    print_lines(series->points);
  }
  return {};
}

}  // namespace tensortap::cli
