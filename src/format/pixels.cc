// Pixels: one picture of bytes, and how a tensor becomes pictures.
#include "format/pixels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/try.h"
#include "format/tile_grid.h"
#include "format/values.h"
#include "tensor/gather.h"

namespace tensortap::format {
namespace {

Status check_shape(const Shape& shape) {
  const std::size_t rank = shape.size();
  if (rank < 2 || rank > 4) {
    return Status(StatusCode::kInvalidArgument,
                  "cannot draw shape " + shape_to_string(shape) +
                      " as images: pass [height,width], [height,width,channels] or [batch,height,width,channels]");
  }
  if (rank == 4 && shape[0] == 0) return {};
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    return Status(StatusCode::kInvalidArgument, "cannot draw shape " + shape_to_string(shape) +
                                                    " as images: height, width and channels must be at least 1");
  }
  return {};
}

// All pictures together: a batch made of strides alone may claim any number of images.
Status check_size(const TensorView& batch, std::int64_t images, const TileGridOptions& tiles) {
  const Shape image(batch.shape.begin() + 1, batch.shape.end());
  auto pixels = static_cast<std::uint64_t>(image[0]) * static_cast<std::uint64_t>(image[1]);
  if (image[2] > 4) {
    const Result<TileLayout> layout = tile_layout(image, tiles);
    if (!layout.ok()) return layout.status();
    pixels = static_cast<std::uint64_t>(layout.value().width()) * static_cast<std::uint64_t>(layout.value().height());
  }
  if (static_cast<std::uint64_t>(images) <= kMaxImagePixels / pixels) return {};
  return Status(StatusCode::kInvalidArgument,
                "cannot draw " + std::to_string(images) + " images of " + std::to_string(pixels) +
                    " pixels: more than 64 Mi together; pass fewer images or a part of them");
}

// The same elements as [batch,height,width,channels]; extents of one need no true stride.
TensorView as_batch(const TensorView& tensor) {
  TensorView batch = tensor;
  const bool strided = !batch.strides_bytes.empty();
  if (batch.shape.size() == 2) {
    batch.shape.push_back(1);
    if (strided) batch.strides_bytes.push_back(0);
  }
  if (batch.shape.size() == 3) {
    batch.shape.insert(batch.shape.begin(), 1);
    if (strided) batch.strides_bytes.insert(batch.strides_bytes.begin(), 0);
  }
  return batch;
}

TensorView image_at(const TensorView& batch, std::int64_t index) {
  TensorView image{nullptr, batch.dtype, Shape(batch.shape.begin() + 1, batch.shape.end()), {}};
  auto stride_bytes = static_cast<std::int64_t>(image.size_bytes());
  if (!batch.strides_bytes.empty()) {
    stride_bytes = batch.strides_bytes[0];
    image.strides_bytes.assign(batch.strides_bytes.begin() + 1, batch.strides_bytes.end());
  }
  image.data = static_cast<const std::byte*>(batch.data) + index * stride_bytes;
  return image;
}

// Adds the index of each pixel that holds a NaN, in order and once.
void find_nan_pixels(std::uint64_t first, std::span<const double> values, int channels,
                     std::vector<std::uint64_t>& nan_pixels) {
  // Almost no block has one: look for any in a loop without branches before asking where.
  int count = 0;
  for (const double value : values) count += std::isnan(value) ? 1 : 0;
  if (count == 0) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    const std::uint64_t pixel = (first + i) / static_cast<std::uint64_t>(channels);
    if (nan_pixels.empty() || nan_pixels.back() != pixel) nan_pixels.push_back(pixel);
  }
}

Pixels with_color(Pixels gray) {
  const auto from = static_cast<std::size_t>(gray.channels);
  const std::size_t to = from + 2;
  const std::size_t count = gray.bytes.size() / from;
  Pixels color{gray.width, gray.height, static_cast<int>(to), std::vector<std::uint8_t>(count * to)};
  for (std::size_t i = 0; i < count; ++i) {
    std::fill_n(&color.bytes[i * to], 3, gray.bytes[i * from]);
    if (from == 2) color.bytes[i * to + 3] = gray.bytes[i * from + 1];
  }
  return color;
}

Pixels paint_nan(Pixels pixels, const std::vector<std::uint64_t>& nan_pixels) {
  if (nan_pixels.empty()) return pixels;
  if (pixels.channels < 3) pixels = with_color(std::move(pixels));
  for (const std::uint64_t index : nan_pixels) {
    std::uint8_t* pixel = &pixels.bytes[index * static_cast<std::uint64_t>(pixels.channels)];
    pixel[0] = kNanColor.red;
    pixel[1] = kNanColor.green;
    pixel[2] = kNanColor.blue;
    if (pixels.channels == 4) pixel[3] = 255;
  }
  return pixels;
}

Pixels draw_image(const TensorView& image, PixelScale scale) {
  Pixels pixels{static_cast<int>(image.shape[1]), static_cast<int>(image.shape[0]), static_cast<int>(image.shape[2]),
                std::vector<std::uint8_t>(image.element_count())};
  if (scale == PixelScale::kAuto && image.dtype == DType::kUint8) {
    tensor::gather(image, 0, image.element_count(), pixels.bytes.data());
    return pixels;
  }
  const PixelScaler scaler(scale, image.dtype, needs_range(scale) ? range_of(image) : ValueRange{});
  std::vector<std::uint64_t> nan_pixels;
  for_each_block(image, [&](std::uint64_t first, std::span<const double> values) {
    scaler.map(values, pixels.bytes.data() + first);
    find_nan_pixels(first, values, pixels.channels, nan_pixels);
  });
  return paint_nan(std::move(pixels), nan_pixels);
}

TileGridOptions tile_options(const PixelOptions& options) {
  return {.scale = options.scale, .shared_scale = options.shared_tile_scale};
}

}  // namespace

Status check_image(const TensorView& tensor, const PixelOptions& options) {
  TENSORTAP_TRY(check_values(tensor));
  TENSORTAP_TRY(check_shape(tensor.shape));
  const TensorView batch = as_batch(tensor);
  const std::int64_t images = std::min(batch.shape[0], options.max_images);
  return images <= 0 ? Status() : check_size(batch, images, tile_options(options));
}

Result<std::vector<Pixels>> pixels_from_tensor(const TensorView& tensor, const PixelOptions& options) {
  TENSORTAP_TRY(check_image(tensor, options));
  const TensorView batch = as_batch(tensor);
  const std::int64_t images = std::min(batch.shape[0], options.max_images);
  const TileGridOptions tiles = tile_options(options);
  std::vector<Pixels> pictures;
  if (images <= 0) return pictures;
  pictures.reserve(static_cast<std::size_t>(images));
  for (std::int64_t i = 0; i < images; ++i) {
    const TensorView image = image_at(batch, i);
    if (image.shape[2] <= 4) {
      pictures.push_back(draw_image(image, options.scale));
      continue;
    }
    Result<Pixels> grid = tile_grid(image, tiles);
    if (!grid.ok()) return grid.status();
    pictures.push_back(std::move(grid).value());
  }
  return pictures;
}

}  // namespace tensortap::format
