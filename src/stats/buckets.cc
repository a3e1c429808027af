// TensorStats::buckets(): the histogram as rows that a chart can draw.
#include <algorithm>
#include <iterator>

#include "stats/histogram.h"

namespace tensortap {
namespace {

using Rows = std::vector<HistogramBucket>;

constexpr std::size_t kLeastBuckets = 8;

// At this level the log grid has one cell per sign and the linear grid at most two.
constexpr int kCoarsestLevel = 11;

// The occupied cells of a level, with their nominal edges.
Rows occupied_cells(const Histogram& histogram, int level) {
  Rows rows;
  rows.reserve(histogram.keys.size() + 1);
  std::int64_t last_cell = 0;
  for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
    const std::int64_t cell = stats::cell_of(histogram, i) >> level;
    if (!rows.empty() && cell == last_cell) {
      rows.back().count += histogram.counts[i];
      continue;
    }
    rows.push_back(
        {stats::edge_of(histogram, cell, level), stats::edge_of(histogram, cell + 1, level), histogram.counts[i]});
    last_cell = cell;
  }
  return rows;
}

// A max on the left edge of its cell (all ones of a one-hot tensor) would leave that row no width. It then
// takes over the cell below when that is empty, and joins it when it is not.
void give_width_to_last(const Histogram& histogram, int level, double max, Rows& rows) {
  if (rows.empty() || rows.back().left < max) return;
  HistogramBucket& last = rows.back();
  if (rows.size() > 1 && rows[rows.size() - 2].right >= last.left) {
    rows[rows.size() - 2].count += last.count;
    rows.pop_back();
    return;
  }
  const std::int64_t cell = stats::cell_of(histogram, histogram.keys.size() - 1) >> level;
  last.left = stats::edge_of(histogram, cell - 1, level);
}

// The mirror image: a negative min on the right edge of its cell.
void give_width_to_first(const Histogram& histogram, int level, double min, Rows& rows) {
  if (rows.empty() || rows.front().right > min) return;
  HistogramBucket& first = rows.front();
  if (rows.size() > 1 && rows[1].left <= first.right) {
    rows[1].count += first.count;
    rows.erase(rows.begin());
    return;
  }
  const std::int64_t cell = stats::cell_of(histogram, 0) >> level;
  first.right = stats::edge_of(histogram, cell + 2, level);
}

// Zeros get the whole gap between the negative and the positive cells, ending at 0 where there are none.
void place_zeros(std::uint64_t zeros, Rows& rows) {
  if (zeros == 0) return;
  const auto above = std::find_if(rows.begin(), rows.end(), [](const HistogramBucket& row) { return row.left >= 0; });
  const double left = above == rows.begin() ? 0 : std::prev(above)->right;
  const double right = above == rows.end() ? 0 : above->left;
  rows.insert(above, {left, right, zeros});
}

bool has_width(const HistogramBucket& row) { return row.left < row.right; }

// Adds a row, before it one for the gap if there is any. A row without width takes the gap after it, or
// joins its neighbour.
void append(HistogramBucket row, Rows& rows) {
  if (rows.empty()) {
    rows.push_back(row);
    return;
  }
  if (!has_width(rows.back())) {
    rows.back().right = std::max(rows.back().right, row.left);
  } else if (rows.back().right < row.left) {
    rows.push_back({rows.back().right, row.left, 0});
  }
  row.left = rows.back().right;
  if (has_width(row) && has_width(rows.back())) {
    rows.push_back(row);
  } else {
    rows.back().right = std::max(rows.back().right, row.right);
    rows.back().count += row.count;
  }
}

// The least level that can have so few rows: a row for each occupied cell, of which two may be joined to others.
int least_level(const Histogram& histogram, std::size_t max_buckets) {
  for (int level = 0; level < kCoarsestLevel; ++level) {
    std::size_t cells = 0;
    std::int64_t last_cell = 0;
    for (std::size_t i = 0; i < histogram.keys.size(); ++i) {
      const std::int64_t cell = stats::cell_of(histogram, i) >> level;
      cells += static_cast<std::size_t>(cells == 0 || cell != last_cell);
      last_cell = cell;
    }
    if (cells <= max_buckets + 2) return level;
  }
  return kCoarsestLevel;
}

Rows rows_at(const TensorStats& stats, int level) {
  Rows cells = occupied_cells(stats.histogram, level);
  give_width_to_last(stats.histogram, level, stats.max, cells);
  give_width_to_first(stats.histogram, level, stats.min, cells);
  place_zeros(stats.zeros, cells);
  if (cells.empty()) return cells;
  cells.front().left = stats.min;
  cells.back().right = stats.max;
  Rows rows;
  rows.reserve(2 * cells.size());
  for (const HistogramBucket& cell : cells) append(cell, rows);
  return rows;
}

}  // namespace

std::vector<HistogramBucket> TensorStats::buckets(std::size_t max_buckets) const {
  if (finite_count() == 0) return {};
  if (min == max) return {{min, max, finite_count()}};
  const std::size_t most = std::max(max_buckets, kLeastBuckets);
  int level = least_level(histogram, most);
  Rows rows = rows_at(*this, level);
  while (rows.size() > most && level < kCoarsestLevel) rows = rows_at(*this, ++level);
  return rows;
}

}  // namespace tensortap
