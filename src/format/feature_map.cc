// FeatureMap: folds a shape into one that can be drawn, then draws it.
#include "format/feature_map.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "base/try.h"
#include "format/heat_map.h"
#include "format/tile_grid.h"
#include "format/values.h"
#include "tensor/gather.h"

namespace tensortap::format {
namespace {

constexpr int kMaxGridPx = 2048;
// On smaller tiles the labels would hide too much.
constexpr int kMinTilePx = 64;

std::int64_t product(const Shape& shape, std::size_t from, std::size_t to) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                         shape.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1}, std::multiplies<>());
}

// The shape as one of rank 2, 3 or 4.
Shape folded(const Shape& shape) {
  const std::size_t rank = shape.size();
  if (rank == 0) return {1, 1};
  if (rank == 1) return {1, shape[0]};
  if (rank == 2) return shape;
  // One number a channel has no contrast of its own; one channel over positions is a row.
  const std::int64_t channels = shape[rank - 1];
  if (product(shape, 1, rank - 1) == 1) return {shape[0], channels};
  if (rank == 3) return channels == 1 ? Shape{shape[0], shape[1]} : shape;
  return {shape[0], product(shape, 1, rank - 2), shape[rank - 2], channels};
}

// Every `step`th row and column.
TensorView thinned(const TensorView& image, std::int64_t step) {
  if (step == 1) return image;
  const auto element = static_cast<std::int64_t>(dtype_size_bytes(image.dtype));
  const std::int64_t pixel = image.shape[2] * element;
  TensorView view{image.data, image.dtype, image.shape, {image.shape[1] * pixel * step, pixel * step, element}};
  view.shape[0] = (image.shape[0] + step - 1) / step;
  view.shape[1] = (image.shape[1] + step - 1) / step;
  return view;
}

Result<Pixels> draw_grid(const TensorView& image) {
  const TileGridOptions options{.min_tile_px = kMinTilePx, .max_grid_px = kMaxGridPx};
  const std::int64_t longest = std::max(image.shape[0], image.shape[1]);
  std::int64_t step = 1;
  for (; step < longest; ++step) {
    const Result<TileLayout> layout = tile_layout(thinned(image, step).shape, options);
    if (layout.ok() && layout.value().width() <= kMaxGridPx && layout.value().height() <= kMaxGridPx) break;
  }
  return tile_grid(thinned(image, step), options);
}

Result<std::vector<Pixels>> draw_samples(const TensorView& batch) {
  std::vector<Pixels> pictures;
  const Shape inner(batch.shape.begin() + 1, batch.shape.end());
  TensorView sample{batch.data, batch.dtype, inner, {}};
  for (std::int64_t i = 0; i < batch.shape[0]; ++i) {
    Result<Pixels> picture = inner.size() == 3 ? draw_grid(sample) : heat_map(sample);
    if (!picture.ok()) return picture.status();
    pictures.push_back(std::move(picture).value());
    sample.data = static_cast<const std::byte*>(sample.data) + sample.size_bytes();
  }
  return pictures;
}

}  // namespace

TensorView first_samples(const TensorView& output, std::int64_t max_samples) {
  TensorView first = output;
  if (first.shape.size() > 1) first.shape[0] = std::min(first.shape[0], std::max<std::int64_t>(max_samples, 0));
  return first;
}

Status check_feature_maps(const TensorView& output) {
  TENSORTAP_TRY(check_values(output));
  const Shape shape = folded(output.shape);
  const bool is_empty = std::find(shape.begin() + 1, shape.end(), 0) != shape.end();
  if (!is_empty || shape[0] == 0) return {};
  return Status(StatusCode::kInvalidArgument,
                "cannot draw shape " + shape_to_string(output.shape) + " as feature maps: a sample has no elements");
}

Result<std::vector<Pixels>> feature_maps(const TensorView& output, std::int64_t max_samples) {
  TENSORTAP_TRY(check_feature_maps(output));
  const TensorView first = first_samples(output, max_samples);
  if (first.element_count() == 0) return std::vector<Pixels>();
  // Folding, and walking from sample to sample, is for values without gaps.
  std::vector<std::byte> block(first.is_contiguous() ? 0 : first.size_bytes());
  if (!block.empty()) tensor::gather(first, 0, first.element_count(), block.data());
  const TensorView batch{block.empty() ? first.data : block.data(), first.dtype, folded(first.shape), {}};
  if (batch.shape.size() > 2) return draw_samples(batch);
  Result<Pixels> strip = heat_map(batch, {.row_lines = true});
  if (!strip.ok()) return strip.status();
  return std::vector<Pixels>{std::move(strip).value()};
}

}  // namespace tensortap::format
