// Pixels: one picture of bytes, and how a tensor becomes pictures.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "format/pixel_scale.h"
#include "tensortap/result.h"
#include "tensortap/tensor_view.h"

namespace tensortap::format {

// The most that one call draws, encodes or decodes: 64 Mi pixels, 256 MiB with four channels.
inline constexpr std::uint64_t kMaxImagePixels = std::uint64_t{64} << 20;

// Rows from the top, pixels from the left, channels together: bytes[(y * width + x) * channels + channel].
struct Pixels {
  int width = 0;
  int height = 0;
  int channels = 0;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> bytes;
};

// One pixel of RGB.
struct Color {
  std::uint8_t red;
  std::uint8_t green;
  std::uint8_t blue;
};

// No scale gives this colour to a number by accident in a gray picture.
inline constexpr Color kNanColor{255, 0, 255};

struct PixelOptions {
  PixelScale scale = PixelScale::kAuto;
  // For more than four channels: one contrast for all tiles instead of one for each.
  bool shared_tile_scale = false;
  // Images of a batch that are drawn; the rest is left out.
  std::int64_t max_images = std::numeric_limits<std::int64_t>::max();
};

// The errors of pixels_from_tensor(), without drawing anything: for a call that must answer at once.
Status check_image(const TensorView& tensor, const PixelOptions& options = {});

// Draws [height,width], [height,width,channels] or each image of [batch,height,width,channels].
//
// Up to four channels are drawn as they are; more become one labelled grid (tile_grid.h).
// A pixel with NaN in any channel is magenta and opaque; a gray image with such a pixel becomes RGB, and gray
// with alpha becomes RGBA. An empty batch gives no pictures.
//
// kInvalidArgument: another rank, nothing to draw in an image, or more than kMaxImagePixels in all pictures.
// kUnsupported:     complex elements.
Result<std::vector<Pixels>> pixels_from_tensor(const TensorView& tensor, const PixelOptions& options = {});

}  // namespace tensortap::format
