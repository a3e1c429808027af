// Curve: lines between neighbours on a canvas of braille dots.
#include "cli/show/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "cli/units.h"

namespace tensortap::cli {
namespace {

constexpr int kDotsAcross = 2;
constexpr int kDotsDown = 4;

struct Dot {
  int x, y;
};

class Canvas {
 public:
  Canvas(int columns, int rows)
      : columns_(columns), cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0) {}

  void dot(Dot at) {
    // Unicode numbers the dots of a cell by columns, but for the bottom row, which came later.
    static constexpr std::uint8_t kBits[kDotsDown][kDotsAcross] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cells_[index(at.y / kDotsDown * columns_ + at.x / kDotsAcross)] |= kBits[at.y % kDotsDown][at.x % kDotsAcross];
  }

  void line(Dot from, Dot to) {
    const int steps = std::max({std::abs(to.x - from.x), std::abs(to.y - from.y), 1});
    for (int i = 0; i <= steps; ++i) {
      dot({from.x + (to.x - from.x) * i / steps, from.y + (to.y - from.y) * i / steps});
    }
  }

  // Without the blanks at the end.
  std::string row(int y) const {
    std::string text;
    std::size_t blanks = 0;
    for (int x = 0; x < columns_; ++x) {
      const std::uint8_t bits = cells_[index(y * columns_ + x)];
      if (bits == 0) {
        ++blanks;
      } else {
        text.append(std::exchange(blanks, 0), ' ');
        text += {'\xe2', static_cast<char>(0xa0 | bits >> 6), static_cast<char>(0x80 | (bits & 0x3f))};
      }
    }
    return text;
  }

 private:
  static std::size_t index(int cell) { return static_cast<std::size_t>(cell); }

  int columns_;
  std::vector<std::uint8_t> cells_;
};

// From the numbers of the series to places on the canvas.
struct Scale {
  std::int64_t first_step, last_step;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  explicit Scale(const query::ScalarPoints& points) : first_step(points.step.front()), last_step(first_step) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      first_step = std::min(first_step, points.step[i]);
      last_step = std::max(last_step, points.step[i]);
      if (!std::isfinite(points.value[i])) continue;
      min = std::min(min, points.value[i]);
      max = std::max(max, points.value[i]);
    }
  }

  bool has_finite() const { return min <= max; }

  int x(std::int64_t step, int dots) const {
    if (last_step <= first_step) return 0;
    // Doubles: the difference of two steps may not fit an integer.
    const auto first = static_cast<double>(first_step);
    const double share = (static_cast<double>(step) - first) / (static_cast<double>(last_step) - first);
    return std::clamp(static_cast<int>(std::lround(share * (dots - 1))), 0, dots - 1);
  }
  // Halves: the greatest double less the least one is infinite.
  double value_at(double share) const { return 2 * (max / 2 - (max / 2 - min / 2) * share); }
  int y(double value, int dots) const {
    const double range = max / 2 - min / 2;
    if (!(range > 0)) return dots / 2;
    return std::clamp(static_cast<int>(std::lround((max / 2 - value / 2) / range * (dots - 1))), 0, dots - 1);
  }
};

// Neighbours are joined; NaN and infinities leave a gap.
Canvas draw_points(const query::ScalarPoints& points, const Scale& scale, int columns, int rows) {
  Canvas canvas(columns, rows);
  bool is_joined = false;
  Dot last{0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = points.value[i];
    if (!std::isfinite(value)) {
      is_joined = false;
      continue;
    }
    const Dot here{scale.x(points.step[i], columns * kDotsAcross), scale.y(value, rows * kDotsDown)};
    canvas.line(is_joined ? last : here, here);
    last = here;
    is_joined = true;
  }
  return canvas;
}

// The axis, with a mark where a value is not finite.
std::string axis_line(const query::ScalarPoints& marks, const Scale& scale, int columns, const std::string& mark_start,
                      const std::string& mark_end) {
  std::vector<char> cells(static_cast<std::size_t>(columns), '-');
  for (std::size_t i = 0; i < marks.size(); ++i) {
    char& cell = cells[static_cast<std::size_t>(scale.x(marks.step[i], columns))];
    // Where several meet, NaN is the worst news.
    if (cell != 'x') cell = std::isnan(marks.value[i]) ? 'x' : marks.value[i] > 0 ? '^' : 'v';
  }
  std::string text;
  for (const char cell : cells) text += cell == '-' ? "─" : mark_start + cell + mark_end;
  return text;
}

std::string step_line(const Scale& scale, int columns) {
  std::string first = std::to_string(scale.first_step);
  if (scale.last_step <= scale.first_step) return first;
  const std::string last = std::to_string(scale.last_step);
  const int gap = columns - static_cast<int>(first.size() + last.size());
  return first + std::string(static_cast<std::size_t>(std::max(gap, 1)), ' ') + last;
}

// The numbers beside rows: at the top, in the middle, at the bottom.
std::vector<std::string> row_labels(const Scale& scale, int rows) {
  std::vector<std::string> labels(static_cast<std::size_t>(rows));
  if (!scale.has_finite()) return labels;
  if (scale.min == scale.max) {
    labels[static_cast<std::size_t>(rows / 2)] = number_text(scale.min);
    return labels;
  }
  for (const int row : {0, (rows - 1) / 2, rows - 1}) {
    const double share = rows > 1 ? static_cast<double>(row) / (rows - 1) : 0;
    labels[static_cast<std::size_t>(row)] = number_text(scale.value_at(share), 4);
  }
  return labels;
}

}  // namespace

std::uint64_t curve_points(const CurveSize& size) {
  // First, last, least and greatest of every column of dots.
  return static_cast<std::uint64_t>(std::max(size.columns, 10)) * kDotsAcross * 4;
}

std::string draw_curve(const query::ScalarSeries& series, const CurveSize& size, const std::string& mark_start,
                       const std::string& mark_end) {
  if (series.points.size() == 0) return "";
  const Scale scale(series.points);
  const std::vector<std::string> labels = row_labels(scale, size.rows);
  std::size_t label_columns = 0;
  for (const std::string& label : labels) label_columns = std::max(label_columns, label.size());
  const int columns = std::max(size.columns - static_cast<int>(label_columns) - 2, 8);
  const Canvas canvas = draw_points(series.points, scale, columns, size.rows);
  std::string text;
  for (int row = 0; row < size.rows; ++row) {
    const std::string& label = labels[static_cast<std::size_t>(row)];
    text += fmt::format("{:>{}} {}{}\n", label, label_columns, label.empty() ? "│" : "┤", canvas.row(row));
  }
  text += fmt::format("{:>{}} └{}\n", "", label_columns,
                      axis_line(series.non_finite, scale, columns, mark_start, mark_end));
  text += fmt::format("{:>{}}  {}\n", "", label_columns, step_line(scale, columns));
  return text;
}

}  // namespace tensortap::cli
