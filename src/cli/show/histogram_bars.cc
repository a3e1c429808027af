// HistogramBars: eighths of a character.
#include "cli/show/histogram_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "cli/table_print.h"
#include "cli/units.h"

namespace tensortap::cli {
namespace {

using query::HistogramAt;

// Beyond this share in one row, rows of equal width show nothing but that row.
constexpr double kMostInOneRow = 0.6;

// Rows that end where `ends_row(i)` says that bucket i is the last of its row.
template <typename EndsRow>
HistogramAt merge(const HistogramAt& fine, const EndsRow& ends_row) {
  HistogramAt merged{fine.step, fine.wall_secs, {}, {}, {}};
  bool is_open = false;
  for (std::size_t i = 0; i < fine.count.size(); ++i) {
    if (!is_open) {
      merged.left.push_back(fine.left[i]);
      merged.right.push_back(0);
      merged.count.push_back(0);
    }
    merged.right.back() = fine.right[i];
    merged.count.back() += fine.count[i];
    is_open = !ends_row(i);
  }
  return merged;
}

HistogramAt merge_by_width(const HistogramAt& fine, std::size_t most) {
  const double first = fine.left.front();
  const double width = (fine.right.back() - first) / static_cast<double>(most);
  double edge = first;
  return merge(fine, [&](std::size_t i) {
    // A bucket wider than a row takes several rows' place.
    if (fine.right[i] < edge + width) return false;
    edge = first + std::floor((fine.right[i] - first) / width) * width;
    return true;
  });
}

std::string bar(double share, int columns) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  // What is there is seen, however little it is.
  const int eighths = std::max(static_cast<int>(std::lround(std::min(share, 1.0) * columns * 8)), 1);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

// As many digits as tell the edges of every row apart.
int edge_digits(const HistogramAt& histogram) {
  constexpr int kAll = 17;
  for (int digits = 4; digits < kAll; ++digits) {
    bool is_enough = true;
    for (std::size_t i = 0; i < histogram.count.size() && is_enough; ++i) {
      const double left = histogram.left[i], right = histogram.right[i];
      is_enough = left == right || number_text(left, digits) != number_text(right, digits);
    }
    if (is_enough) return digits;
  }
  return kAll;
}

}  // namespace

HistogramAt merge_buckets(const HistogramAt& fine, std::size_t most) {
  const std::size_t buckets = fine.count.size();
  if (buckets <= 1) return fine;
  if (std::isfinite(fine.right.back() - fine.left.front()) && fine.right.back() > fine.left.front()) {
    HistogramAt rows = merge_by_width(fine, most);
    const double total = std::accumulate(rows.count.begin(), rows.count.end(), 0.0);
    const double greatest = *std::max_element(rows.count.begin(), rows.count.end());
    if (rows.count.size() <= most && greatest <= kMostInOneRow * total) return rows;
  }
  if (buckets <= most) return fine;
  return merge(fine, [&](std::size_t i) { return (i + 1) * most / buckets != i * most / buckets; });
}

void print_bars(const HistogramAt& histogram, int columns) {
  if (histogram.count.empty()) return fmt::print("no finite values\n");
  const double greatest = *std::max_element(histogram.count.begin(), histogram.count.end());
  const int digits = edge_digits(histogram);
  const int bar_columns = std::clamp(columns - 40, 8, 60);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(histogram.count.size());
  for (std::size_t i = 0; i < histogram.count.size(); ++i) {
    rows.push_back({number_text(histogram.left[i], digits), number_text(histogram.right[i], digits),
                    number_text(histogram.count[i], 15), bar(histogram.count[i] / greatest, bar_columns)});
  }
  print_table({{"FROM", Align::kRight}, {"TO", Align::kRight}, {"COUNT", Align::kRight}, {""}}, rows);
}

}  // namespace tensortap::cli
