// HeatMap: numbers to cells, cells to colours, colours to rectangles.
#include "format/heat_map.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "format/color_ramp.h"
#include "format/values.h"

namespace tensortap::format {
namespace {

constexpr Color kLineColor{24, 24, 24};

// What is drawn: at most as many cells as there are pixels for them.
struct Cells {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;
};

Cells reduced(const TensorView& matrix, std::int64_t max_rows, std::int64_t max_columns) {
  const std::int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  Cells cells{std::min(rows, max_rows), std::min(columns, max_columns), {}};
  cells.values.assign(static_cast<std::size_t>(cells.rows * cells.columns), 0);
  std::vector<std::uint64_t> counts(cells.values.size(), 0);
  std::int64_t row = 0, column = 0;
  for_each_block(matrix, [&](std::uint64_t, std::span<const double> values) {
    for (double value : values) {
      // Never beyond 2^53 by far: pictures of more are refused by the sizes that tensors have.
      const std::int64_t cell = row * cells.rows / rows * cells.columns + column * cells.columns / columns;
      cells.values[static_cast<std::size_t>(cell)] += value;
      ++counts[static_cast<std::size_t>(cell)];
      if (++column < columns) continue;
      column = 0;
      ++row;
    }
  });
  for (std::size_t i = 0; i < counts.size(); ++i) cells.values[i] /= static_cast<double>(counts[i]);
  return cells;
}

void fill(Pixels& pixels, int left, int top, int width, int height, Color color) {
  for (int y = top; y < top + height; ++y) {
    std::uint8_t* pixel = &pixels.bytes[(static_cast<std::size_t>(y) * pixels.width + left) * 3];
    for (int x = 0; x < width; ++x, pixel += 3) {
      pixel[0] = color.red;
      pixel[1] = color.green;
      pixel[2] = color.blue;
    }
  }
}

Status check_matrix(const TensorView& matrix) {
  TENSORTAP_TRY(check_values(matrix));
  if (matrix.shape.size() == 2 && matrix.element_count() > 0) return {};
  return Status(StatusCode::kInvalidArgument, "cannot draw shape " + shape_to_string(matrix.shape) +
                                                  " as a heat map: pass [rows,columns] of at least 1 each");
}

}  // namespace

Result<Pixels> heat_map(const TensorView& matrix, const HeatMapOptions& options) {
  TENSORTAP_TRY(check_matrix(matrix));
  const Cells cells = reduced(matrix, options.max_height_px, options.max_width_px);
  const auto factor = [&](int room_px, std::int64_t count) {
    return static_cast<int>(std::clamp<std::int64_t>(room_px / count, 1, options.max_cell_px));
  };
  const int cell_width = factor(options.max_width_px, cells.columns);
  const int cell_height = factor(options.max_height_px, cells.rows);
  const int pitch = cell_height + (options.row_lines && cell_height > 2 ? 1 : 0);
  ValueRange range;
  for (double value : cells.values) range.add(value);
  const PixelScaler scaler(PixelScale::kMinMax, DType::kFloat64, range);

  Pixels picture{
      static_cast<int>(cells.columns) * cell_width, static_cast<int>(cells.rows - 1) * pitch + cell_height, 3, {}};
  picture.bytes.assign(static_cast<std::size_t>(picture.width) * picture.height * 3, kLineColor.red);
  for (std::int64_t row = 0; row < cells.rows; ++row) {
    for (std::int64_t column = 0; column < cells.columns; ++column) {
      const double value = cells.values[static_cast<std::size_t>(row * cells.columns + column)];
      fill(picture, static_cast<int>(column) * cell_width, static_cast<int>(row) * pitch, cell_width, cell_height,
           std::isnan(value) ? kNanColor : ramp_color(scaler.byte(value)));
    }
  }
  return picture;
}

}  // namespace tensortap::format
