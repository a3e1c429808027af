// A tile grid: one picture of all channels of an image that has too many for colours.
#include "format/tile_grid.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "base/try.h"
#include "format/digits.h"
#include "format/values.h"

namespace tensortap::format {
namespace {

// Dark enough for bright tiles, bright enough for black ones.
constexpr std::uint8_t kLineBrightness = 56;
// A label takes about an eighth of the height of its tile once there is room for larger digits.
constexpr int kTilePxPerFontScale = 56;

// The fewest columns that are at least as many as rows; somewhat more where that fills every cell, which
// keeps the powers of two that layers like in rows of a power of two.
std::int64_t column_count(std::int64_t channels) {
  auto least = static_cast<std::int64_t>(std::sqrt(static_cast<double>(channels)));
  while (least * least < channels) ++least;
  for (std::int64_t columns = least; columns * columns <= 2 * channels; ++columns) {
    if (channels % columns == 0) return columns;
  }
  return least;
}

// The largest factor, at most `wanted`, for which `count` tiles of `extent` elements fit into `limit_px`.
std::int64_t fitting_factor(std::int64_t wanted, std::int64_t count, std::int64_t extent, std::int64_t limit_px) {
  const std::int64_t tile_px = (limit_px - 1) / count - 1;
  return std::clamp<std::int64_t>(tile_px / extent, 1, wanted);
}

Status check_shape(const Shape& shape) {
  if (shape.size() == 3 && std::find(shape.begin(), shape.end(), 0) == shape.end()) return {};
  return Status(StatusCode::kInvalidArgument, "cannot draw shape " + shape_to_string(shape) +
                                                  " as tiles: pass [height,width,channels] of at least 1 each");
}

// What one pass over the image says about its channels.
struct ChannelRanges {
  std::vector<ValueRange> ranges;
  bool has_nan = false;
};

ChannelRanges channel_ranges(const TensorView& image, bool shared) {
  const auto channels = static_cast<std::uint64_t>(image.shape[2]);
  ChannelRanges found{std::vector<ValueRange>(channels), false};
  for_each_block(image, [&](std::uint64_t first, std::span<const double> values) {
    std::uint64_t channel = first % channels;
    for (const double value : values) {
      found.ranges[channel].add(value);
      found.has_nan |= std::isnan(value);
      if (++channel == channels) channel = 0;
    }
  });
  if (shared) {
    ValueRange all;
    for (const ValueRange& range : found.ranges) all.add(range);
    std::fill(found.ranges.begin(), found.ranges.end(), all);
  }
  return found;
}

void draw_element(Pixels& grid, int left, int top, int side, Color color) {
  for (int y = top; y < top + side; ++y) {
    auto* pixel = &grid.bytes[(static_cast<std::size_t>(y) * grid.width + left) * grid.channels];
    if (grid.channels == 1) {
      std::fill_n(pixel, side, color.red);
      continue;
    }
    for (int x = 0; x < side; ++x, pixel += 3) {
      pixel[0] = color.red;
      pixel[1] = color.green;
      pixel[2] = color.blue;
    }
  }
}

void draw_tiles(Pixels& grid, const TileLayout& layout, const TensorView& image,
                const std::vector<PixelScaler>& scalers) {
  const int channels = static_cast<int>(image.shape[2]);
  const int width = static_cast<int>(image.shape[1]);
  // Counted along with the values: divisions for each of them would take longer than drawing it.
  int channel = 0;
  int x = 0;
  int y = 0;
  for_each_block(image, [&](std::uint64_t, std::span<const double> values) {
    for (const double value : values) {
      const std::uint8_t gray = scalers[static_cast<std::size_t>(channel)].byte(value);
      draw_element(grid, layout.left(channel) + x * layout.factor, layout.top(channel) + y * layout.factor,
                   layout.factor, std::isnan(value) ? kNanColor : Color{gray, gray, gray});
      if (++channel < channels) continue;
      channel = 0;
      if (++x < width) continue;
      x = 0;
      ++y;
    }
  });
}

void draw_labels(Pixels& grid, const TileLayout& layout, int channels) {
  const int font_scale = std::max(1, std::min(layout.tile_width, layout.tile_height) / kTilePxPerFontScale);
  for (int channel = 0; channel < channels; ++channel) {
    const auto number = static_cast<std::uint64_t>(channel);
    const PixelSize size = number_size(number, font_scale);
    // A label that runs into the next tile would name the wrong one.
    if (size.width > layout.tile_width || size.height > layout.tile_height) continue;
    draw_number(grid, layout.left(channel), layout.top(channel), number, font_scale);
  }
}

}  // namespace

Result<TileLayout> tile_layout(const Shape& shape, const TileGridOptions& options) {
  TENSORTAP_TRY(check_shape(shape));
  const auto [height, width, channels] = std::tuple(shape[0], shape[1], shape[2]);
  const Status too_large(StatusCode::kInvalidArgument,
                         "cannot draw shape " + shape_to_string(shape) +
                             " as tiles: the grid has more than 64 Mi pixels; pass fewer channels or a smaller part");
  const auto limit = static_cast<std::int64_t>(kMaxImagePixels);
  // Each bound keeps the products below it within 63 bits.
  if (height > limit || width > limit || channels > limit) return too_large;
  const std::int64_t columns = column_count(channels);
  const std::int64_t rows = (channels + columns - 1) / columns;
  const std::int64_t wanted =
      std::max<std::int64_t>(1, (options.min_tile_px + std::min(height, width) - 1) / std::min(height, width));
  const std::int64_t factor = std::min(fitting_factor(wanted, columns, width, options.max_grid_px),
                                       fitting_factor(wanted, rows, height, options.max_grid_px));
  const std::int64_t grid_width = columns * (width * factor + 1) + 1;
  const std::int64_t grid_height = rows * (height * factor + 1) + 1;
  if (grid_width > limit || grid_height > limit / grid_width) return too_large;
  return TileLayout{static_cast<int>(columns), static_cast<int>(rows), static_cast<int>(factor),
                    static_cast<int>(width * factor), static_cast<int>(height * factor)};
}

Result<Pixels> tile_grid(const TensorView& image, const TileGridOptions& options) {
  TENSORTAP_TRY(check_values(image));
  const Result<TileLayout> placed = tile_layout(image.shape, options);
  if (!placed.ok()) return placed.status();
  const TileLayout& layout = placed.value();
  const PixelScale scale = options.scale == PixelScale::kAuto ? PixelScale::kMinMax : options.scale;
  const ChannelRanges found = channel_ranges(image, options.shared_scale);
  std::vector<PixelScaler> scalers;
  scalers.reserve(found.ranges.size());
  for (const ValueRange& range : found.ranges) scalers.emplace_back(scale, image.dtype, range);

  Pixels grid{layout.width(), layout.height(), found.has_nan ? 3 : 1, {}};
  grid.bytes.assign(static_cast<std::size_t>(grid.width) * grid.height * grid.channels, kLineBrightness);
  draw_tiles(grid, layout, image, scalers);
  draw_labels(grid, layout, static_cast<int>(image.shape[2]));
  return grid;
}

}  // namespace tensortap::format
